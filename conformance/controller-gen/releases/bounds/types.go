// Package bounds: bounds in Kubernetes' spelling.
//
// +groupName=park.example.org
// +versionName=v1
package bounds

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +k8s:maxItems=5
	Hosts []string `json:"hosts"`
	// +k8s:maxItems=5 # not more
	Few []string `json:"few"`
	// +k8s:minimum=1
	// +k8s:maximum=10
	Width int32 `json:"width"`
	// +k8s:minimum=0
	// +kubebuilder:validation:Minimum=0
	Same int32 `json:"same"`
	// +k8s:maxItems=3
	Names Names `json:"names"`
}

type Names []string
