// Priority classes.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A named priority for pods.
// +genclient
// +genclient:nonNamespaced
type PriorityClass struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The priority; a higher number is more important.
	// +optional
	Value int32 `json:"value" protobuf:"bytes,2,opt,name=value"`
	// Whether pods without a class get this one.
	// +optional
	GlobalDefault bool `json:"globalDefault,omitempty" protobuf:"bytes,3,opt,name=globalDefault"`
	// What the class is meant for.
	// +optional
	Description string `json:"description,omitempty" protobuf:"bytes,4,opt,name=description"`
	// Whether pods of the class may push out pods of lower priority.
	// +optional
	// +default="PreemptLowerPriority"
	PreemptionPolicy *corev1.PreemptionPolicy `json:"preemptionPolicy,omitempty" protobuf:"bytes,5,opt,name=preemptionPolicy"`
}

// Many priority classes.
type PriorityClassList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []PriorityClass `json:"items" protobuf:"bytes,2,rep,name=items"`
}
