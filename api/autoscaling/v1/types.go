// The scale of objects that have replicas.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// How many replicas an object has and is to have.
// +k8s:isSubresource="/scale"
type Scale struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// How many are wanted.
	// +optional
	Spec ScaleSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	// How many there are.
	// +optional
	Status ScaleStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// How many replicas are wanted.
type ScaleSpec struct {
	// The number.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +default=0
	// +k8s:beta(since: "1.37")=+k8s:minimum=0
	Replicas int32 `json:"replicas,omitempty" protobuf:"varint,1,opt,name=replicas"`
}

// How many replicas there are.
type ScaleStatus struct {
	// The number.
	Replicas int32 `json:"replicas" protobuf:"varint,1,opt,name=replicas"`
	// Labels of the replicas, in the text form of a query.
	// +optional
	Selector string `json:"selector,omitempty" protobuf:"bytes,2,opt,name=selector"`
}
