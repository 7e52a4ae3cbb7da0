// Ingress classes.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Names the controller that implements ingresses of the class.
// +genclient
// +genclient:nonNamespaced
type IngressClass struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which controller.
	// +optional
	Spec IngressClassSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
}

// Which controller implements a class.
type IngressClassSpec struct {
	// Controller, as a path with a domain. It never changes.
	Controller string `json:"controller,omitempty" protobuf:"bytes,1,opt,name=controller"`
	// Object with more settings for the controller.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	Parameters *IngressClassParametersReference `json:"parameters,omitempty" protobuf:"bytes,2,opt,name=parameters"`
}

// Names an object with settings.
type IngressClassParametersReference struct {
	// Group of the object; core if unset.
	// +optional
	APIGroup *string `json:"apiGroup,omitempty" protobuf:"bytes,1,opt,name=aPIGroup"`
	// Kind of the object.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	Kind string `json:"kind" protobuf:"bytes,2,opt,name=kind"`
	// Name of the object.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	Name string `json:"name" protobuf:"bytes,3,opt,name=name"`
	// Whether the object is cluster-wide: Cluster or Namespace.
	// +optional
	// +default="Cluster"
	Scope *string `json:"scope" protobuf:"bytes,4,opt,name=scope"`
	// Namespace of the object, for the scope Namespace.
	// +optional
	Namespace *string `json:"namespace,omitempty" protobuf:"bytes,5,opt,name=namespace"`
}

// Many ingress classes.
type IngressClassList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []IngressClass `json:"items" protobuf:"bytes,2,rep,name=items"`
}
