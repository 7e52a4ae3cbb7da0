// State of nodes.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What is known about a node.
type NodeStatus struct {
	// All resources of the node.
	// +optional
	Capacity ResourceList `json:"capacity,omitempty" protobuf:"bytes,1,rep,name=capacity,casttype=ResourceList,castkey=ResourceName"`
	// Resources for pods; the capacity unless set.
	// +optional
	Allocatable ResourceList `json:"allocatable,omitempty" protobuf:"bytes,2,rep,name=allocatable,casttype=ResourceList,castkey=ResourceName"`
	// Deprecated: never set.
	// +optional
	Phase NodePhase `json:"phase,omitempty" protobuf:"bytes,3,opt,name=phase,casttype=NodePhase"`
	// Conditions, one per type.
	// +optional
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	Conditions []NodeCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,4,rep,name=conditions"`
	// How the node can be reached.
	// +optional
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	Addresses []NodeAddress `json:"addresses,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,5,rep,name=addresses"`
	// Ports of programs on the node.
	// +optional
	DaemonEndpoints NodeDaemonEndpoints `json:"daemonEndpoints,omitempty" protobuf:"bytes,6,opt,name=daemonEndpoints"`
	// Versions and identifiers of the machine.
	// +optional
	NodeInfo NodeSystemInfo `json:"nodeInfo,omitempty" protobuf:"bytes,7,opt,name=nodeInfo"`
	// Images that are on the node.
	// +optional
	// +listType=atomic
	Images []ContainerImage `json:"images,omitempty" protobuf:"bytes,8,rep,name=images"`
	// Volumes that are mounted or about to be.
	// +optional
	// +listType=atomic
	VolumesInUse []UniqueVolumeName `json:"volumesInUse,omitempty" protobuf:"bytes,9,rep,name=volumesInUse"`
	// Volumes that are attached.
	// +optional
	// +listType=atomic
	VolumesAttached []AttachedVolume `json:"volumesAttached,omitempty" protobuf:"bytes,10,rep,name=volumesAttached"`
	// Deprecated: state of the kubelet's configuration.
	// +optional
	Config *NodeConfigStatus `json:"config,omitempty" protobuf:"bytes,11,opt,name=config"`
	// Handlers of the container runtime.
	// +optional
	// +listType=atomic
	RuntimeHandlers []NodeRuntimeHandler `json:"runtimeHandlers,omitempty" protobuf:"bytes,12,rep,name=runtimeHandlers"`
	// Features of the container runtime.
	// +optional
	Features *NodeFeatures `json:"features,omitempty" protobuf:"bytes,13,rep,name=features"`
	// Features that the kubelet supports.
	// +optional
	// +listType=atomic
	DeclaredFeatures []string `json:"declaredFeatures,omitempty" protobuf:"bytes,14,rep,name=declaredFeatures"`
}

// Deprecated: stage of a node's life.
// +enum
type NodePhase string

const (
	NodePending    NodePhase = "Pending"
	NodeRunning    NodePhase = "Running"
	NodeTerminated NodePhase = "Terminated"
)

// What a condition of a node is about.
type NodeConditionType string

const (
	NodeReady                          NodeConditionType = "Ready"
	NodeMemoryPressure                 NodeConditionType = "MemoryPressure"
	NodeDiskPressure                   NodeConditionType = "DiskPressure"
	NodePIDPressure                    NodeConditionType = "PIDPressure"
	NodeNetworkUnavailable             NodeConditionType = "NetworkUnavailable"
	NodeGracefulNodeShutdownInProgress NodeConditionType = "GracefulNodeShutdownInProgress"
	NodeDrainInProgress                NodeConditionType = "DrainInProgress"
	NodeDrained                        NodeConditionType = "Drained"
	NodeMaintenancePlanned             NodeConditionType = "MaintenancePlanned"
	NodeMaintenanceInProgress          NodeConditionType = "MaintenanceInProgress"
)

// One observation about a node.
type NodeCondition struct {
	// What it is about.
	Type NodeConditionType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=NodeConditionType"`
	// Whether it holds.
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=ConditionStatus"`
	// When it was last reported.
	// +optional
	LastHeartbeatTime metav1.Time `json:"lastHeartbeatTime,omitempty" protobuf:"bytes,3,opt,name=lastHeartbeatTime"`
	// When status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,4,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word for programs.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,5,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,6,opt,name=message"`
}

// Sort of a node's address.
type NodeAddressType string

const (
	NodeHostName    NodeAddressType = "Hostname"
	NodeInternalIP  NodeAddressType = "InternalIP"
	NodeExternalIP  NodeAddressType = "ExternalIP"
	NodeInternalDNS NodeAddressType = "InternalDNS"
	NodeExternalDNS NodeAddressType = "ExternalDNS"
)

// An address of a node.
type NodeAddress struct {
	// Sort of the address.
	Type NodeAddressType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=NodeAddressType"`
	// The address.
	Address string `json:"address" protobuf:"bytes,2,opt,name=address"`
}

// Ports of programs on a node.
type NodeDaemonEndpoints struct {
	// Where the kubelet listens.
	// +optional
	KubeletEndpoint DaemonEndpoint `json:"kubeletEndpoint,omitempty" protobuf:"bytes,1,opt,name=kubeletEndpoint"`
}

// Where a program listens.
type DaemonEndpoint struct {
	// Port number.
	Port int32 `json:"Port" protobuf:"varint,1,opt,name=Port"`
}

// Versions and identifiers of a machine.
type NodeSystemInfo struct {
	// Identifier in /etc/machine-id.
	MachineID string `json:"machineID" protobuf:"bytes,1,opt,name=machineID"`
	// Identifier of the hardware.
	SystemUUID string `json:"systemUUID" protobuf:"bytes,2,opt,name=systemUUID"`
	// Identifier of the running boot.
	BootID string `json:"bootID" protobuf:"bytes,3,opt,name=bootID"`
	// Version of the kernel.
	KernelVersion string `json:"kernelVersion" protobuf:"bytes,4,opt,name=kernelVersion"`
	// Name of the operating system's release.
	OSImage string `json:"osImage" protobuf:"bytes,5,opt,name=osImage"`
	// Name and version of the container runtime.
	ContainerRuntimeVersion string `json:"containerRuntimeVersion" protobuf:"bytes,6,opt,name=containerRuntimeVersion"`
	// Version of the kubelet.
	KubeletVersion string `json:"kubeletVersion" protobuf:"bytes,7,opt,name=kubeletVersion"`
	// Deprecated: version of kube-proxy.
	KubeProxyVersion string `json:"kubeProxyVersion" protobuf:"bytes,8,opt,name=kubeProxyVersion"`
	// Operating system, such as linux.
	OperatingSystem string `json:"operatingSystem" protobuf:"bytes,9,opt,name=operatingSystem"`
	// Processor architecture, such as amd64.
	Architecture string `json:"architecture" protobuf:"bytes,10,opt,name=architecture"`
	// Swap space.
	Swap *NodeSwapStatus `json:"swap,omitempty" protobuf:"bytes,11,opt,name=swap"`
	// Whether the kubelet runs without root.
	// +optional
	RunningInUserNamespace *bool `json:"runningInUserNamespace,omitempty" protobuf:"varint,12,opt,name=runningInUserNamespace"`
}

// Swap space of a node.
type NodeSwapStatus struct {
	// Size in bytes.
	// +optional
	Capacity *int64 `json:"capacity,omitempty" protobuf:"varint,1,opt,name=capacity"`
}

// An image on a node.
type ContainerImage struct {
	// Names of the image.
	// +optional
	// +listType=atomic
	Names []string `json:"names" protobuf:"bytes,1,rep,name=names"`
	// Size in bytes.
	// +optional
	SizeBytes int64 `json:"sizeBytes,omitempty" protobuf:"varint,2,opt,name=sizeBytes"`
}

// What the kubelet calls a volume.
type UniqueVolumeName string

// A volume that is attached to a node.
type AttachedVolume struct {
	// Name of the volume.
	Name UniqueVolumeName `json:"name" protobuf:"bytes,1,rep,name=name"`
	// Path of the device.
	DevicePath string `json:"devicePath" protobuf:"bytes,2,rep,name=devicePath"`
}

// State of a kubelet's configuration.
type NodeConfigStatus struct {
	// Configuration that was asked for.
	// +optional
	Assigned *NodeConfigSource `json:"assigned,omitempty" protobuf:"bytes,1,opt,name=assigned"`
	// Configuration in use.
	// +optional
	Active *NodeConfigSource `json:"active,omitempty" protobuf:"bytes,2,opt,name=active"`
	// Configuration to fall back to.
	// +optional
	LastKnownGood *NodeConfigSource `json:"lastKnownGood,omitempty" protobuf:"bytes,3,opt,name=lastKnownGood"`
	// Why the assigned one is not in use.
	// +optional
	Error string `json:"error,omitempty" protobuf:"bytes,4,opt,name=error"`
}

// A handler of the container runtime.
type NodeRuntimeHandler struct {
	// Name of the handler; empty for the default one.
	// +optional
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// What it supports.
	// +optional
	Features *NodeRuntimeHandlerFeatures `json:"features,omitempty" protobuf:"bytes,2,opt,name=features"`
}

// What a handler of the container runtime supports.
type NodeRuntimeHandlerFeatures struct {
	// Whether mounts can be read-only all the way down.
	// +optional
	RecursiveReadOnlyMounts *bool `json:"recursiveReadOnlyMounts,omitempty" protobuf:"varint,1,opt,name=recursiveReadOnlyMounts"`
	// Whether pods can have user namespaces.
	// +optional
	UserNamespaces *bool `json:"userNamespaces,omitempty" protobuf:"varint,2,opt,name=userNamespaces"`
}

// What the container runtime supports with every handler.
type NodeFeatures struct {
	// Whether it honors supplementalGroupsPolicy.
	// +optional
	SupplementalGroupsPolicy *bool `json:"supplementalGroupsPolicy,omitempty" protobuf:"varint,1,opt,name=supplementalGroupsPolicy"`
}
