// What is sent to subresources of pods, nodes and services.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Assigns an object to another one: a pod to a node.
type Binding struct {
	metav1.TypeMeta `json:""`
	// Name of the pod.
	// +optional
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Node that the pod gets.
	Target ObjectReference `json:"target" protobuf:"bytes,2,opt,name=target"`
}

// Parameters of a request for logs.
type PodLogOptions struct {
	metav1.TypeMeta `json:""`
	// Container whose logs are wanted; needed if there are several.
	// +optional
	Container string `json:"container,omitempty" protobuf:"bytes,1,opt,name=container"`
	// Whether to keep sending as lines are written.
	// +optional
	Follow bool `json:"follow,omitempty" protobuf:"varint,2,opt,name=follow"`
	// Whether the logs of the container's last run are wanted.
	// +optional
	Previous bool `json:"previous,omitempty" protobuf:"varint,3,opt,name=previous"`
	// How far back to begin, in seconds.
	// +optional
	SinceSeconds *int64 `json:"sinceSeconds,omitempty" protobuf:"varint,4,opt,name=sinceSeconds"`
	// Moment to begin at.
	// +optional
	SinceTime *metav1.Time `json:"sinceTime,omitempty" protobuf:"bytes,5,opt,name=sinceTime"`
	// Whether each line starts with its time.
	// +optional
	Timestamps bool `json:"timestamps,omitempty" protobuf:"varint,6,opt,name=timestamps"`
	// Number of lines from the end.
	// +optional
	TailLines *int64 `json:"tailLines,omitempty" protobuf:"varint,7,opt,name=tailLines"`
	// Number of bytes after which to stop.
	// +optional
	LimitBytes *int64 `json:"limitBytes,omitempty" protobuf:"varint,8,opt,name=limitBytes"`
	// Whether the kubelet's certificate is not checked.
	// +optional
	InsecureSkipTLSVerifyBackend bool `json:"insecureSkipTLSVerifyBackend,omitempty" protobuf:"varint,9,opt,name=insecureSkipTLSVerifyBackend"`
	// Which output: All, Stdout or Stderr.
	// +optional
	Stream *string `json:"stream,omitempty" protobuf:"varint,10,opt,name=stream"`
}

// Parameters of a request to attach to a container.
type PodAttachOptions struct {
	metav1.TypeMeta `json:""`
	// Whether input is sent.
	// +optional
	Stdin bool `json:"stdin,omitempty" protobuf:"varint,1,opt,name=stdin"`
	// Whether output is wanted.
	// +optional
	Stdout bool `json:"stdout,omitempty" protobuf:"varint,2,opt,name=stdout"`
	// Whether error output is wanted.
	// +optional
	Stderr bool `json:"stderr,omitempty" protobuf:"varint,3,opt,name=stderr"`
	// Whether a terminal is used.
	// +optional
	TTY bool `json:"tty,omitempty" protobuf:"varint,4,opt,name=tty"`
	// Container to attach to; the only one if unset.
	// +optional
	Container string `json:"container,omitempty" protobuf:"bytes,5,opt,name=container"`
}

// Parameters of a request to run a command in a container.
type PodExecOptions struct {
	metav1.TypeMeta `json:""`
	// Whether input is sent.
	// +optional
	Stdin bool `json:"stdin,omitempty" protobuf:"varint,1,opt,name=stdin"`
	// Whether output is wanted.
	// +optional
	Stdout bool `json:"stdout,omitempty" protobuf:"varint,2,opt,name=stdout"`
	// Whether error output is wanted.
	// +optional
	Stderr bool `json:"stderr,omitempty" protobuf:"varint,3,opt,name=stderr"`
	// Whether a terminal is used.
	// +optional
	TTY bool `json:"tty,omitempty" protobuf:"varint,4,opt,name=tty"`
	// Container to run in; the only one if unset.
	// +optional
	Container string `json:"container,omitempty" protobuf:"bytes,5,opt,name=container"`
	// Command and arguments; no shell is involved.
	// +listType=atomic
	Command []string `json:"command" protobuf:"bytes,6,rep,name=command"`
}

// Parameters of a request to forward ports.
type PodPortForwardOptions struct {
	metav1.TypeMeta `json:""`
	// Ports of the pod.
	// +optional
	// +listType=atomic
	Ports []int32 `json:"ports,omitempty" protobuf:"varint,1,rep,name=ports"`
}

// Parameters of a request that is passed on to a pod.
type PodProxyOptions struct {
	metav1.TypeMeta `json:""`
	// Path at the pod.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
}

// Parameters of a request that is passed on to a node.
type NodeProxyOptions struct {
	metav1.TypeMeta `json:""`
	// Path at the kubelet.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
}

// Parameters of a request that is passed on to a service.
type ServiceProxyOptions struct {
	metav1.TypeMeta `json:""`
	// Path at the service.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
}

// A reference that can be stored in an annotation.
type SerializedReference struct {
	metav1.TypeMeta `json:""`
	// The object.
	// +optional
	Reference ObjectReference `json:"reference,omitempty" protobuf:"bytes,1,opt,name=reference"`
}
