// Free storage.

package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Tells how much space a driver has for a class in one part of the cluster.
// +genclient
type CSIStorageCapacity struct {
	metav1.TypeMeta `json:""`
	// Metadata; the name carries no meaning.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Nodes that can reach the storage; no nodes if unset.
	// +optional
	NodeTopology *metav1.LabelSelector `json:"nodeTopology,omitempty" protobuf:"bytes,2,opt,name=nodeTopology"`
	// Class the number is for. It never changes.
	StorageClassName string `json:"storageClassName" protobuf:"bytes,3,name=storageClassName"`
	// Space that is left.
	// +optional
	Capacity *resource.Quantity `json:"capacity,omitempty" protobuf:"bytes,4,opt,name=capacity"`
	// Largest volume that can be made.
	// +optional
	MaximumVolumeSize *resource.Quantity `json:"maximumVolumeSize,omitempty" protobuf:"bytes,5,opt,name=maximumVolumeSize"`
}

// Many capacities.
type CSIStorageCapacityList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []CSIStorageCapacity `json:"items" protobuf:"bytes,2,rep,name=items"`
}
