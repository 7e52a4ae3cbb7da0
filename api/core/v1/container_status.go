// State of containers.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// State of a container.
type ContainerStatus struct {
	// Name of the container.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Present state.
	// +optional
	State ContainerState `json:"state,omitempty" protobuf:"bytes,2,opt,name=state"`
	// How the container ended last time.
	// +optional
	LastTerminationState ContainerState `json:"lastState,omitempty" protobuf:"bytes,3,opt,name=lastState"`
	// Whether the readiness probe succeeds.
	Ready bool `json:"ready" protobuf:"varint,4,opt,name=ready"`
	// How often the container was restarted.
	RestartCount int32 `json:"restartCount" protobuf:"varint,5,opt,name=restartCount"`
	// Image that it runs.
	Image string `json:"image" protobuf:"bytes,6,opt,name=image"`
	// Image that it runs, in the runtime's own terms.
	ImageID string `json:"imageID" protobuf:"bytes,7,opt,name=imageID"`
	// Container in the runtime's own terms: type://id.
	// +optional
	ContainerID string `json:"containerID,omitempty" protobuf:"bytes,8,opt,name=containerID"`
	// Whether the startup probe has succeeded and the start hook is done.
	// +optional
	Started *bool `json:"started,omitempty" protobuf:"varint,9,opt,name=started"`
	// Resources that the node has set aside.
	// +optional
	AllocatedResources ResourceList `json:"allocatedResources,omitempty" protobuf:"bytes,10,rep,name=allocatedResources,casttype=ResourceList,castkey=ResourceName"`
	// Requests and limits that are in effect.
	// +optional
	Resources *ResourceRequirements `json:"resources,omitempty" protobuf:"bytes,11,opt,name=resources"`
	// State of the mounts.
	// +optional
	// +patchMergeKey=mountPath
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=mountPath
	VolumeMounts []VolumeMountStatus `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath" protobuf:"bytes,12,rep,name=volumeMounts"`
	// User that the first process started as.
	// +optional
	User *ContainerUser `json:"user,omitempty" protobuf:"bytes,13,opt,name=user,casttype=ContainerUser"`
	// Health of devices that the container uses.
	// +optional
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	AllocatedResourcesStatus []ResourceStatus `json:"allocatedResourcesStatus,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,14,rep,name=allocatedResourcesStatus"`
	// Signal that stops the container.
	// +optional
	StopSignal *Signal `json:"stopSignal,omitempty" protobuf:"bytes,15,opt,name=stopSignal"`
}

// State of a container. At most one field is set; none means waiting.
type ContainerState struct {
	// The container has not started yet.
	// +optional
	Waiting *ContainerStateWaiting `json:"waiting,omitempty" protobuf:"bytes,1,opt,name=waiting"`
	// The container runs.
	// +optional
	Running *ContainerStateRunning `json:"running,omitempty" protobuf:"bytes,2,opt,name=running"`
	// The container has ended.
	// +optional
	Terminated *ContainerStateTerminated `json:"terminated,omitempty" protobuf:"bytes,3,opt,name=terminated"`
}

// Why a container has not started yet.
type ContainerStateWaiting struct {
	// Cause in one CamelCase word.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,1,opt,name=reason"`
	// Details for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,2,opt,name=message"`
}

// A container that runs.
type ContainerStateRunning struct {
	// When it was started.
	// +optional
	StartedAt metav1.Time `json:"startedAt,omitempty" protobuf:"bytes,1,opt,name=startedAt"`
}

// How a container ended.
type ContainerStateTerminated struct {
	// Exit code.
	ExitCode int32 `json:"exitCode" protobuf:"varint,1,opt,name=exitCode"`
	// Signal that ended it.
	// +optional
	Signal int32 `json:"signal,omitempty" protobuf:"varint,2,opt,name=signal"`
	// Cause in one CamelCase word.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,3,opt,name=reason"`
	// Details for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,4,opt,name=message"`
	// When it was started.
	// +optional
	StartedAt metav1.Time `json:"startedAt,omitempty" protobuf:"bytes,5,opt,name=startedAt"`
	// When it ended.
	// +optional
	FinishedAt metav1.Time `json:"finishedAt,omitempty" protobuf:"bytes,6,opt,name=finishedAt"`
	// Container in the runtime's own terms: type://id.
	// +optional
	ContainerID string `json:"containerID,omitempty" protobuf:"bytes,7,opt,name=containerID"`
}

// User that a container started as.
type ContainerUser struct {
	// On Linux.
	// +optional
	Linux *LinuxContainerUser `json:"linux,omitempty" protobuf:"bytes,1,opt,name=linux,casttype=LinuxContainerUser"`
}

// User that a container on Linux started as.
type LinuxContainerUser struct {
	// User ID of the first process.
	UID int64 `json:"uid" protobuf:"varint,1,name=uid"`
	// Main group ID of that process.
	GID int64 `json:"gid" protobuf:"varint,2,name=gid"`
	// More group IDs of that process.
	// +optional
	// +listType=atomic
	SupplementalGroups []int64 `json:"supplementalGroups,omitempty" protobuf:"varint,3,rep,name=supplementalGroups"`
}

// State of a mount.
type VolumeMountStatus struct {
	// Name of the volume.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Where it is mounted.
	MountPath string `json:"mountPath" protobuf:"bytes,2,opt,name=mountPath"`
	// Whether it is read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// Whether mounts below it are read-only too.
	// +optional
	RecursiveReadOnly *RecursiveReadOnlyMode `json:"recursiveReadOnly,omitempty" protobuf:"bytes,4,opt,name=recursiveReadOnly,casttype=RecursiveReadOnlyMode"`
	// State of the volume itself.
	// +optional
	// +featureGate=ImageVolumeWithDigest
	VolumeStatus *VolumeStatus `json:"volumeStatus,omitempty" protobuf:"bytes,5,opt,name=volumeStatus"`
}

// State of a mounted volume, for sources that have one.
type VolumeStatus struct {
	// State of an image volume.
	// +optional
	Image *ImageVolumeStatus `json:"image,omitempty" protobuf:"bytes,1,opt,name=image"`
}

// State of an image volume.
type ImageVolumeStatus struct {
	// Digest of the image that is mounted.
	// +required
	ImageRef string `json:"imageRef,omitempty" protobuf:"bytes,1,opt,name=imageRef"`
}

// Health of devices of one resource.
type ResourceStatus struct {
	// Resource, or claim:CLAIM/REQUEST for claims.
	// +required
	Name ResourceName `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Health by device.
	// +listType=map
	// +listMapKey=resourceID
	Resources []ResourceHealth `json:"resources,omitempty" protobuf:"bytes,2,rep,name=resources"`
}

// Health of one device.
type ResourceHealth struct {
	// Identifier of the device.
	ResourceID ResourceID `json:"resourceID" protobuf:"bytes,1,opt,name=resourceID"`
	// How it is.
	Health ResourceHealthStatus `json:"health,omitempty" protobuf:"bytes,2,name=health"`
	// Details for people.
	// +optional
	Message *string `json:"message,omitempty" protobuf:"bytes,6,opt,name=message"`
}

// How a device is.
type ResourceHealthStatus string

const (
	ResourceHealthStatusHealthy   ResourceHealthStatus = "Healthy"
	ResourceHealthStatusUnhealthy ResourceHealthStatus = "Unhealthy"
	ResourceHealthStatusUnknown   ResourceHealthStatus = "Unknown"
)

// Identifier of a device.
type ResourceID string
