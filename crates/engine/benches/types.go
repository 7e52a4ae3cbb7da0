// Package bench has an ordinary API object.
//
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:defaulter-gen=TypeMeta
package bench

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Workload runs containers.
type Workload struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WorkloadSpec `json:"spec"`
}

// WorkloadSpec is what is wanted.
type WorkloadSpec struct {
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=1000
	// +default=1
	Replicas *int32 `json:"replicas,omitempty"`
	// +k8s:optional
	// +default="RollingUpdate"
	Strategy Strategy `json:"strategy,omitempty"`
	// +k8s:optional
	// +k8s:minimum=0
	// +default=600
	ProgressDeadlineSeconds *int32 `json:"progressDeadlineSeconds,omitempty"`
	// +k8s:required
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	Selector map[string]string `json:"selector"`
	// +k8s:required
	// +k8s:maxItems=20
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Containers []Container `json:"containers"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Volumes []Volume `json:"volumes,omitempty"`
}

// Strategy is how pods are replaced.
// +k8s:enum
type Strategy string

const (
	RollingUpdate Strategy = "RollingUpdate"
	Recreate      Strategy = "Recreate"
)

// Container is one container.
type Container struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:required
	// +k8s:maxLength=1000
	Image string `json:"image"`
	// +k8s:optional
	// +default="IfNotPresent"
	ImagePullPolicy string `json:"imagePullPolicy,omitempty"`
	// +k8s:optional
	// +default="/dev/termination-log"
	TerminationMessagePath string `json:"terminationMessagePath,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=50
	Args []string `json:"args,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=containerPort
	Ports []Port `json:"ports,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Env []EnvVar `json:"env,omitempty"`
	// +k8s:optional
	Liveness *Probe `json:"liveness,omitempty"`
	// +k8s:optional
	Readiness *Probe `json:"readiness,omitempty"`
	// +k8s:optional
	Limits map[string]string `json:"limits,omitempty"`
}

// Port is one open port.
type Port struct {
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=65535
	ContainerPort int32 `json:"containerPort"`
	// +k8s:optional
	// +default="TCP"
	Protocol string `json:"protocol,omitempty"`
}

// EnvVar is a variable.
type EnvVar struct {
	// +k8s:required
	// +k8s:maxLength=253
	Name string `json:"name"`
	// +k8s:optional
	Value string `json:"value,omitempty"`
}

// Probe asks how a container is.
type Probe struct {
	// +k8s:required
	Path string `json:"path"`
	// +k8s:optional
	// +k8s:minimum=1
	// +default=10
	PeriodSeconds int32 `json:"periodSeconds,omitempty"`
	// +k8s:optional
	// +k8s:minimum=1
	// +default=1
	TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`
}

// Volume is a place for files.
type Volume struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:unionMember
	// +k8s:optional
	ConfigMap *string `json:"configMap,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	HostPath *string `json:"hostPath,omitempty"`
}
