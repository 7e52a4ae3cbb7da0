// CSI drivers.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Describes a CSI driver. The name of the object is that of the driver.
// +genclient
// +genclient:nonNamespaced
type CSIDriver struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// What the driver needs and can do.
	Spec CSIDriverSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

// What a CSI driver needs and can do.
type CSIDriverSpec struct {
	// Whether volumes must be attached before they are mounted. It never changes.
	// +optional
	// +default=true
	AttachRequired *bool `json:"attachRequired,omitempty" protobuf:"varint,1,opt,name=attachRequired"`
	// Whether the driver is given the pod when mounting.
	// +optional
	// +default=false
	PodInfoOnMount *bool `json:"podInfoOnMount,omitempty" protobuf:"bytes,2,opt,name=podInfoOnMount"`
	// Lifetimes of volumes that the driver supports; Persistent if empty.
	// +optional
	// +listType=set
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:immutable
	VolumeLifecycleModes []VolumeLifecycleMode `json:"volumeLifecycleModes,omitempty" protobuf:"bytes,3,opt,name=volumeLifecycleModes"`
	// Whether the scheduler should consider published capacity.
	// +optional
	// +default=false
	StorageCapacity *bool `json:"storageCapacity,omitempty" protobuf:"bytes,4,opt,name=storageCapacity"`
	// Whether ownership of files is changed to the pod's fsGroup.
	// +optional
	// +default="ReadWriteOnceWithFSType"
	FSGroupPolicy *FSGroupPolicy `json:"fsGroupPolicy,omitempty" protobuf:"bytes,5,opt,name=fsGroupPolicy"`
	// Service account tokens that the driver wants when mounting.
	// +optional
	// +listType=atomic
	TokenRequests []TokenRequest `json:"tokenRequests,omitempty" protobuf:"bytes,6,opt,name=tokenRequests"`
	// Whether mounted volumes are published again from time to time.
	// +optional
	// +default=false
	RequiresRepublish *bool `json:"requiresRepublish,omitempty" protobuf:"varint,7,opt,name=requiresRepublish"`
	// Whether volumes can be mounted with an SELinux context.
	// +optional
	// +default=false
	SELinuxMount *bool `json:"seLinuxMount,omitempty" protobuf:"varint,8,opt,name=seLinuxMount"`
	// Seconds between updates of the node's volume limit; at least 10.
	// +optional
	NodeAllocatableUpdatePeriodSeconds *int64 `json:"nodeAllocatableUpdatePeriodSeconds,omitempty" protobuf:"varint,9,opt,name=nodeAllocatableUpdatePeriodSeconds"`
	// Whether tokens are passed as secrets rather than as volume attributes.
	// +optional
	ServiceAccountTokenInSecrets *bool `json:"serviceAccountTokenInSecrets,omitempty" protobuf:"varint,10,opt,name=serviceAccountTokenInSecrets"`
	// Whether pods with such volumes avoid nodes without the driver.
	// +optional
	// +default=false
	PreventPodSchedulingIfMissing *bool `json:"preventPodSchedulingIfMissing,omitempty" protobuf:"varint,11,opt,name=preventPodSchedulingIfMissing"`
}

// When ownership of files is changed to a pod's fsGroup.
type FSGroupPolicy string

const (
	ReadWriteOnceWithFSTypeFSGroupPolicy FSGroupPolicy = "ReadWriteOnceWithFSType"
	FileFSGroupPolicy                    FSGroupPolicy = "File"
	NoneFSGroupPolicy                    FSGroupPolicy = "None"
)

// How long volumes of a driver live.
type VolumeLifecycleMode string

const (
	VolumeLifecyclePersistent VolumeLifecycleMode = "Persistent"
	VolumeLifecycleEphemeral  VolumeLifecycleMode = "Ephemeral"
)

// A service account token that a driver wants.
type TokenRequest struct {
	// Audience of the token; that of the API server if empty.
	Audience string `json:"audience" protobuf:"bytes,1,opt,name=audience"`
	// Lifetime of the token.
	// +optional
	ExpirationSeconds *int64 `json:"expirationSeconds,omitempty" protobuf:"varint,2,opt,name=expirationSeconds"`
}

// Many CSI drivers.
type CSIDriverList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []CSIDriver `json:"items" protobuf:"bytes,2,rep,name=items"`
}
