// Component statuses, and ranges as they are stored.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Deprecated: health of a control plane component.
// +genclient
// +genclient:nonNamespaced
type ComponentStatus struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// What was found.
	// +optional
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	Conditions []ComponentCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,2,rep,name=conditions"`
}

// What a condition of a component is about.
type ComponentConditionType string

const (
	ComponentHealthy ComponentConditionType = "Healthy"
)

// One observation about a component.
type ComponentCondition struct {
	// What it is about.
	Type ComponentConditionType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=ComponentConditionType"`
	// Whether it holds.
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=ConditionStatus"`
	// Details for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,3,opt,name=message"`
	// What the health check answered.
	// +optional
	Error string `json:"error,omitempty" protobuf:"bytes,4,opt,name=error"`
}

// Many component statuses.
type ComponentStatusList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []ComponentStatus `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Numbers of a range that are taken, as the server stores them. It cannot be requested.
type RangeAllocation struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The range, in a form that fits its numbers.
	Range string `json:"range" protobuf:"bytes,2,opt,name=range"`
	// One bit for each number.
	Data []byte `json:"data" protobuf:"bytes,3,opt,name=data"`
}
