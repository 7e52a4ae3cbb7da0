// Devices that drivers offer.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Part of the devices that a driver offers.
// +genclient
// +genclient:nonNamespaced
type ResourceSlice struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The devices.
	// +required
	Spec ResourceSliceSpec `json:"spec" protobuf:"bytes,2,name=spec"`
}

// Devices and where they are. Only one of the four fields that say where is set.
type ResourceSliceSpec struct {
	// Driver that offers the devices. It never changes.
	// +required
	Driver string `json:"driver" protobuf:"bytes,1,name=driver"`
	// Pool that the slice belongs to.
	// +required
	Pool ResourcePool `json:"pool" protobuf:"bytes,2,name=pool"`
	// The one node that has the devices. It never changes.
	// +optional
	NodeName *string `json:"nodeName,omitempty" protobuf:"bytes,3,opt,name=nodeName"`
	// Nodes that can use the devices.
	// +optional
	NodeSelector *corev1.NodeSelector `json:"nodeSelector,omitempty" protobuf:"bytes,4,opt,name=nodeSelector"`
	// Whether every node can use the devices.
	// +optional
	AllNodes *bool `json:"allNodes,omitempty" protobuf:"bytes,5,opt,name=allNodes"`
	// The devices, at most 128.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Devices []Device `json:"devices,omitempty" protobuf:"bytes,6,name=devices"`
	// Whether each device tells where it is.
	// +optional
	PerDeviceNodeSelection *bool `json:"perDeviceNodeSelection,omitempty" protobuf:"bytes,7,name=perDeviceNodeSelection"`
	// Counters that devices of the pool share, at most 8 sets.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +listType=atomic
	// +k8s:listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:unique=map
	// +k8s:beta(since: "1.37")=+k8s:listMapKey=name
	// +k8s:beta(since: "1.37")=+k8s:maxItems=8
	SharedCounters []CounterSet `json:"sharedCounters,omitempty" protobuf:"bytes,8,name=sharedCounters"`
	// Attribute whose value tells apart sorts of partitions.
	// +optional
	// +k8s:ifDisabled(DRAPartitionableDevicesType)=+k8s:forbidden
	// +k8s:ifEnabled(DRAPartitionableDevicesType)=+k8s:optional
	// +k8s:ifEnabled(DRAPartitionableDevicesType)=+k8s:format=k8s-resource-fully-qualified-name
	PartitionTypeAttribute *FullyQualifiedName `json:"partitionTypeAttribute,omitempty" protobuf:"bytes,9,opt,name=partitionTypeAttribute"`
	// Calls to the driver on the node that these devices do not need.
	// +optional
	// +listType=set
	// +k8s:listType=set
	// +k8s:optional
	SkipNodeOperations []SkipNodeOperation `json:"skipNodeOperations,omitempty" protobuf:"bytes,10,rep,name=skipNodeOperations,casttype=SkipNodeOperation"`
}

// Call to the driver on a node that can be left out.
// +enum
// +k8s:enum
type SkipNodeOperation string

const (
	SkipNodeOperationNodePrepareResources   SkipNodeOperation = "NodePrepareResources"
	SkipNodeOperationNodeUnprepareResources SkipNodeOperation = "NodeUnprepareResources"
	SkipNodeOperationAll                    SkipNodeOperation = "*"
)

// A set of slices that belong together.
type ResourcePool struct {
	// Name of the pool, unique for the driver.
	// +required
	Name string `json:"name" protobuf:"bytes,1,name=name"`
	// Rises when the pool changes; slices of older generations are ignored.
	// +required
	Generation int64 `json:"generation" protobuf:"bytes,2,name=generation"`
	// Number of slices in the pool.
	// +required
	ResourceSliceCount int64 `json:"resourceSliceCount" protobuf:"bytes,3,name=resourceSliceCount"`
}

// Counters that devices share.
type CounterSet struct {
	// Name of the set.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-short-name
	Name string `json:"name" protobuf:"bytes,1,name=name"`
	// The counters, by name.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name
	Counters map[string]Counter `json:"counters,omitempty" protobuf:"bytes,2,name=counters"`
}

// An amount that devices share.
type Counter struct {
	// How much there is.
	// +required
	Value resource.Quantity `json:"value" protobuf:"bytes,1,rep,name=value"`
}

// What a device takes from a set of counters.
type DeviceCounterConsumption struct {
	// Name of the set.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-short-name
	CounterSet string `json:"counterSet" protobuf:"bytes,1,opt,name=counterSet"`
	// Amounts by counter.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:eachKey=+k8s:format=k8s-short-name
	Counters map[string]Counter `json:"counters,omitempty" protobuf:"bytes,2,opt,name=counters"`
	// Groups; devices of one set can be used together only if they share a group.
	// +optional
	// +listType=atomic
	// +k8s:listType=atomic
	// +k8s:optional
	// +k8s:maxItems=2
	// +k8s:unique=set
	// +k8s:eachVal=+k8s:format=k8s-short-name
	CompatibilityGroups []string `json:"compatibilityGroups,omitempty" protobuf:"bytes,3,rep,name=compatibilityGroups"`
}

// Many slices.
type ResourceSliceList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []ResourceSlice `json:"items" protobuf:"bytes,2,rep,name=items"`
}
