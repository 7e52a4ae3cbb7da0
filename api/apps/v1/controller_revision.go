// Controller revisions.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A saved state of a controller's template, to roll back to.
// +genclient
type ControllerRevision struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The saved state, in the controller's own form. It never changes.
	// +required
	Data runtime.RawExtension `json:"data" protobuf:"bytes,2,opt,name=data"`
	// Position in the history; a higher number is newer.
	// +optional
	Revision int64 `json:"revision" protobuf:"varint,3,opt,name=revision"`
}

// Many controller revisions.
type ControllerRevisionList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []ControllerRevision `json:"items" protobuf:"bytes,2,rep,name=items"`
}
