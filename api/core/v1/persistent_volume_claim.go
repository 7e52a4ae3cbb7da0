// Claims of persistent volumes.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Asks for a volume of some size and class.
// +genclient
// +k8s:supportsSubresource="/status"
type PersistentVolumeClaim struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// What is asked for.
	// +optional
	Spec PersistentVolumeClaimSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	// What was given.
	// +optional
	Status PersistentVolumeClaimStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// What a claim was given.
type PersistentVolumeClaimStatus struct {
	// Stage of the claim's life.
	// +optional
	// +default="Pending"
	Phase PersistentVolumeClaimPhase `json:"phase,omitempty" protobuf:"bytes,1,opt,name=phase,casttype=PersistentVolumeClaimPhase"`
	// Ways in which the volume can be mounted.
	// +optional
	// +listType=atomic
	AccessModes []PersistentVolumeAccessMode `json:"accessModes,omitempty" protobuf:"bytes,2,rep,name=accessModes,casttype=PersistentVolumeAccessMode"`
	// Size of the volume.
	// +optional
	Capacity ResourceList `json:"capacity,omitempty" protobuf:"bytes,3,rep,name=capacity,casttype=ResourceList,castkey=ResourceName"`
	// Conditions, one per type.
	// +optional
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	Conditions []PersistentVolumeClaimCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,4,rep,name=conditions"`
	// Sizes that a running expansion has set aside.
	// +optional
	AllocatedResources ResourceList `json:"allocatedResources,omitempty" protobuf:"bytes,5,rep,name=allocatedResources,casttype=ResourceList,castkey=ResourceName"`
	// State of a running expansion, by resource.
	// +mapType=granular
	// +optional
	AllocatedResourceStatuses map[ResourceName]ClaimResourceStatus `json:"allocatedResourceStatuses,omitempty" protobuf:"bytes,7,rep,name=allocatedResourceStatuses"`
	// Class of changeable settings that the volume has now.
	// +optional
	CurrentVolumeAttributesClassName *string `json:"currentVolumeAttributesClassName,omitempty" protobuf:"bytes,8,opt,name=currentVolumeAttributesClassName"`
	// State of a running change of settings.
	// +optional
	ModifyVolumeStatus *ModifyVolumeStatus `json:"modifyVolumeStatus,omitempty" protobuf:"bytes,9,opt,name=modifyVolumeStatus"`
	// Problems that the driver reports.
	// +optional
	// +k8s:optional
	HealthStatus *VolumeHealthStatus `json:"healthStatus,omitempty" protobuf:"bytes,10,opt,name=healthStatus"`
}

// Stage of a claim's life.
// +enum
type PersistentVolumeClaimPhase string

const (
	ClaimPending PersistentVolumeClaimPhase = "Pending"
	ClaimBound   PersistentVolumeClaimPhase = "Bound"
	ClaimLost    PersistentVolumeClaimPhase = "Lost"
)

// State of an expansion.
// +enum
type ClaimResourceStatus string

const (
	PersistentVolumeClaimControllerResizeInProgress ClaimResourceStatus = "ControllerResizeInProgress"
	PersistentVolumeClaimControllerResizeInfeasible ClaimResourceStatus = "ControllerResizeInfeasible"
	PersistentVolumeClaimNodeResizePending          ClaimResourceStatus = "NodeResizePending"
	PersistentVolumeClaimNodeResizeInProgress       ClaimResourceStatus = "NodeResizeInProgress"
	PersistentVolumeClaimNodeResizeInfeasible       ClaimResourceStatus = "NodeResizeInfeasible"
)

// State of a change of settings.
type ModifyVolumeStatus struct {
	// Class that the volume should get.
	TargetVolumeAttributesClassName string `json:"targetVolumeAttributesClassName,omitempty" protobuf:"bytes,1,opt,name=targetVolumeAttributesClassName"`
	// How far the change is.
	Status PersistentVolumeClaimModifyVolumeStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=PersistentVolumeClaimModifyVolumeStatus"`
}

// How far a change of settings is.
// +enum
type PersistentVolumeClaimModifyVolumeStatus string

const (
	PersistentVolumeClaimModifyVolumePending    PersistentVolumeClaimModifyVolumeStatus = "Pending"
	PersistentVolumeClaimModifyVolumeInProgress PersistentVolumeClaimModifyVolumeStatus = "InProgress"
	PersistentVolumeClaimModifyVolumeInfeasible PersistentVolumeClaimModifyVolumeStatus = "Infeasible"
)

// What a condition of a claim is about.
type PersistentVolumeClaimConditionType string

const (
	PersistentVolumeClaimResizing                PersistentVolumeClaimConditionType = "Resizing"
	PersistentVolumeClaimFileSystemResizePending PersistentVolumeClaimConditionType = "FileSystemResizePending"
	PersistentVolumeClaimControllerResizeError   PersistentVolumeClaimConditionType = "ControllerResizeError"
	PersistentVolumeClaimNodeResizeError         PersistentVolumeClaimConditionType = "NodeResizeError"
	PersistentVolumeClaimVolumeModifyVolumeError PersistentVolumeClaimConditionType = "ModifyVolumeError"
	PersistentVolumeClaimVolumeModifyingVolume   PersistentVolumeClaimConditionType = "ModifyingVolume"
	PersistentVolumeClaimUnused                  PersistentVolumeClaimConditionType = "Unused"
)

// One observation about a claim.
type PersistentVolumeClaimCondition struct {
	// What it is about.
	Type PersistentVolumeClaimConditionType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=PersistentVolumeClaimConditionType"`
	// Whether it holds.
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=ConditionStatus"`
	// When it was last checked.
	// +optional
	LastProbeTime metav1.Time `json:"lastProbeTime,omitempty" protobuf:"bytes,3,opt,name=lastProbeTime"`
	// When status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,4,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word; Resizing while the volume grows.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,5,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,6,opt,name=message"`
}

// Many claims.
type PersistentVolumeClaimList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []PersistentVolumeClaim `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Problems of a volume.
type VolumeHealthStatus struct {
	// The problems.
	// +optional
	// +listType=map
	// +listMapKey=status
	// +patchMergeKey=status
	// +patchStrategy=merge
	// +listMapKey=reason
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=status
	// +k8s:listMapKey=reason
	// +k8s:maxItems=16
	HealthConditions []VolumeHealthCondition `json:"healthConditions,omitempty" patchStrategy:"merge" patchMergeKey:"status" protobuf:"bytes,1,rep,name=healthConditions"`
	// Since when the problems are these.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,2,opt,name=lastTransitionTime"`
}

// A problem that a driver reports for a volume.
type VolumeHealthCondition struct {
	// Sort of the problem.
	// +required
	// +k8s:required
	Status VolumeHealthStatusType `json:"status" protobuf:"bytes,1,opt,name=status,casttype=VolumeHealthStatusType"`
	// Why, in one CamelCase word for programs.
	// +required
	// +k8s:required
	// +k8s:maxBytes=256
	Reason string `json:"reason" protobuf:"bytes,2,opt,name=reason"`
	// Why, for people.
	// +optional
	// +k8s:optional
	// +k8s:maxBytes=1024
	Message string `json:"message,omitempty" protobuf:"bytes,3,opt,name=message"`
}

// Sort of a volume problem.
// +enum
// +k8s:enum
type VolumeHealthStatusType string

const (
	VolumeHealthInaccessible VolumeHealthStatusType = "Inaccessible"
	VolumeHealthDataLoss     VolumeHealthStatusType = "DataLoss"
	VolumeHealthDegraded     VolumeHealthStatusType = "Degraded"
)
