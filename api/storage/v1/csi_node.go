// CSI drivers by node.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lists the CSI drivers of a node. The name of the object is that of the node.
// +genclient
// +genclient:nonNamespaced
// +k8s:supportsSubresource="/status"
type CSINode struct {
	metav1.TypeMeta `json:""`
	// Metadata; the name is that of the node.
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The drivers.
	Spec CSINodeSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	// State of their storage.
	// +optional
	Status CSINodeStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// CSI drivers of a node.
type CSINodeSpec struct {
	// Drivers by name.
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	Drivers []CSINodeDriver `json:"drivers" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,1,rep,name=drivers"`
}

// A CSI driver on a node.
type CSINodeDriver struct {
	// Name of the driver.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// What the driver calls the node.
	NodeID string `json:"nodeID" protobuf:"bytes,2,opt,name=nodeID"`
	// Node labels that the driver sets to say where the node is.
	// +optional
	// +listType=atomic
	TopologyKeys []string `json:"topologyKeys" protobuf:"bytes,3,rep,name=topologyKeys"`
	// Limits of the driver on the node.
	// +optional
	Allocatable *VolumeNodeResources `json:"allocatable,omitempty" protobuf:"bytes,4,opt,name=allocatable"`
}

// Limits on volumes of a driver on a node.
type VolumeNodeResources struct {
	// Volumes that fit on the node; no limit if unset.
	// +optional
	Count *int32 `json:"count,omitempty" protobuf:"varint,1,opt,name=count"`
}

// State of storage as a node sees it.
type CSINodeStatus struct {
	// Problems by driver.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +patchMergeKey=name
	// +patchStrategy=merge
	StorageHealth []StorageHealth `json:"storageHealth,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,1,rep,name=storageHealth"`
}

// Problems that a driver reports on a node.
type StorageHealth struct {
	// Name of the driver.
	// +required
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// The problems.
	// +optional
	// +listType=atomic
	HealthConditions []StorageHealthCondition `json:"healthConditions,omitempty" protobuf:"bytes,2,rep,name=healthConditions"`
}

// Sort of a storage problem.
// +enum
type StorageHealthStatusType string

const (
	StorageUnreachable StorageHealthStatusType = "StorageUnreachable"
	StorageDegraded    StorageHealthStatusType = "StorageDegraded"
)

// A storage problem that a driver reports.
type StorageHealthCondition struct {
	// Sort of the problem.
	// +required
	Status StorageHealthStatusType `json:"status" protobuf:"bytes,1,opt,name=status,casttype=StorageHealthStatusType"`
	// Why, in one CamelCase word for programs.
	// +required
	Reason string `json:"reason" protobuf:"bytes,2,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,3,opt,name=message"`
	// Access mode that is affected; all of them if unset.
	// +optional
	AccessMode *corev1.PersistentVolumeAccessMode `json:"accessMode,omitempty" protobuf:"bytes,4,opt,name=accessMode,casttype=k8s.io/api/core/v1.PersistentVolumeAccessMode"`
	// Volume mode that is affected; both if unset.
	// +optional
	VolumeMode *corev1.PersistentVolumeMode `json:"volumeMode,omitempty" protobuf:"bytes,5,opt,name=volumeMode,casttype=k8s.io/api/core/v1.PersistentVolumeMode"`
	// Since when the problem has this state.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,6,opt,name=lastTransitionTime"`
}

// Many nodes with their CSI drivers.
type CSINodeList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []CSINode `json:"items" protobuf:"bytes,2,rep,name=items"`
}
