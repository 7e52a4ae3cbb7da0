// Claims of devices.

package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Asks for devices that pods can use.
// +genclient
// +k8s:supportsSubresource="/status"
type ResourceClaim struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// What is asked for. It never changes.
	// +k8s:beta(since: "1.37")=+k8s:immutable
	// +optional
	Spec ResourceClaimSpec `json:"spec" protobuf:"bytes,2,name=spec"`
	// What was given.
	// +optional
	Status ResourceClaimStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// What a claim asks for.
type ResourceClaimSpec struct {
	// Devices that are asked for.
	// +optional
	Devices DeviceClaim `json:"devices" protobuf:"bytes,1,name=devices"`
}

// Devices that a claim asks for.
type DeviceClaim struct {
	// Requests, all of which must be satisfied.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:unique=map
	// +k8s:beta(since: "1.37")=+k8s:listMapKey=name
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Requests []DeviceRequest `json:"requests" protobuf:"bytes,1,name=requests"`
	// Conditions on devices of several requests.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Constraints []DeviceConstraint `json:"constraints,omitempty" protobuf:"bytes,2,opt,name=constraints"`
	// Settings for the drivers.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Config []DeviceClaimConfiguration `json:"config,omitempty" protobuf:"bytes,3,opt,name=config"`
}

// One request of a claim. Exactly one of exactly and firstAvailable is set.
type DeviceRequest struct {
	// Name of the request, unique in the claim.
	// +required
	Name string `json:"name" protobuf:"bytes,1,name=name"`
	// The only way to satisfy the request.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	Exactly *ExactDeviceRequest `json:"exactly,omitempty" protobuf:"bytes,2,name=exactly"`
	// Ways to satisfy the request, best first.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:unique=map
	// +k8s:beta(since: "1.37")=+k8s:listMapKey=name
	// +k8s:beta(since: "1.37")=+k8s:maxItems=8
	FirstAvailable []DeviceSubRequest `json:"firstAvailable,omitempty" protobuf:"bytes,3,name=firstAvailable"`
}

// Devices that a request wants.
type ExactDeviceRequest struct {
	// Class of the devices.
	// +required
	DeviceClassName string `json:"deviceClassName" protobuf:"bytes,1,name=deviceClassName"`
	// Conditions, all of which the devices must fulfill.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty" protobuf:"bytes,2,name=selectors"`
	// Whether a number of devices or all of them are wanted.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +default="ExactCount"
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty" protobuf:"bytes,3,opt,name=allocationMode"`
	// Number of devices, for ExactCount; 1 unless set.
	// +optional
	Count int64 `json:"count,omitempty" protobuf:"bytes,4,opt,name=count"`
	// Whether the devices are only watched, alongside their users.
	// +optional
	AdminAccess *bool `json:"adminAccess,omitempty" protobuf:"bytes,5,opt,name=adminAccess"`
	// Taints that do not matter.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Tolerations []DeviceToleration `json:"tolerations,omitempty" protobuf:"bytes,6,opt,name=tolerations"`
	// Amounts that each device must have.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty" protobuf:"bytes,7,opt,name=capacity"`
	// Attributes that are computed for constraints.
	// +optional
	// +listType=atomic
	// +k8s:optional
	// +k8s:maxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty" protobuf:"bytes,8,rep,name=derivedAttributes"`
}

// One way to satisfy a request.
type DeviceSubRequest struct {
	// Name of the way, unique in the request.
	// +required
	Name string `json:"name" protobuf:"bytes,1,name=name"`
	// Class of the devices.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-long-name
	DeviceClassName string `json:"deviceClassName" protobuf:"bytes,2,name=deviceClassName"`
	// Conditions, all of which the devices must fulfill.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Selectors []DeviceSelector `json:"selectors,omitempty" protobuf:"bytes,3,name=selectors"`
	// Whether a number of devices or all of them are wanted.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +default="ExactCount"
	AllocationMode DeviceAllocationMode `json:"allocationMode,omitempty" protobuf:"bytes,4,opt,name=allocationMode"`
	// Number of devices, for ExactCount; 1 unless set.
	// +optional
	Count int64 `json:"count,omitempty" protobuf:"bytes,5,opt,name=count"`
	// Taints that do not matter.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Tolerations []DeviceToleration `json:"tolerations,omitempty" protobuf:"bytes,6,opt,name=tolerations"`
	// Amounts that each device must have.
	// +optional
	Capacity *CapacityRequirements `json:"capacity,omitempty" protobuf:"bytes,7,opt,name=capacity"`
	// Attributes that are computed for constraints.
	// +optional
	// +listType=atomic
	// +k8s:optional
	// +k8s:maxItems=32
	DerivedAttributes []DeviceDerivedAttribute `json:"derivedAttributes,omitempty" protobuf:"bytes,8,rep,name=derivedAttributes"`
}

// How many devices a request wants.
// +enum
// +k8s:beta(since: "1.37")=+k8s:enum
type DeviceAllocationMode string

const (
	DeviceAllocationModeExactCount DeviceAllocationMode = "ExactCount"
	DeviceAllocationModeAll        DeviceAllocationMode = "All"
)

// Amounts that a device must have.
type CapacityRequirements struct {
	// Amounts by capacity.
	// +optional
	Requests map[QualifiedName]resource.Quantity `json:"requests,omitempty" protobuf:"bytes,1,rep,name=requests,castkey=QualifiedName"`
}

// A condition on devices. Exactly one field is set.
type DeviceSelector struct {
	// A CEL expression.
	// +optional
	CEL *CELDeviceSelector `json:"cel,omitempty" protobuf:"bytes,1,opt,name=cel"`
}

// A CEL expression over a device.
type CELDeviceSelector struct {
	// The expression; it gives true for devices that fit.
	// +required
	Expression string `json:"expression" protobuf:"bytes,1,name=expression"`
}

// An attribute that is computed from a device.
type DeviceDerivedAttribute struct {
	// Name of the attribute.
	// +required
	// +k8s:required
	// +k8s:format=k8s-resource-fully-qualified-name
	Name FullyQualifiedName `json:"name" protobuf:"bytes,1,name=name"`
	// CEL expression that gives the value.
	// +required
	// +k8s:required
	Expression string `json:"expression" protobuf:"bytes,2,name=expression"`
}

// A condition on devices of several requests.
type DeviceConstraint struct {
	// The requests; all of them if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:unique=set
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Requests []string `json:"requests,omitempty" protobuf:"bytes,1,opt,name=requests"`
	// Attribute that must have the same value on all devices.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name
	MatchAttribute *FullyQualifiedName `json:"matchAttribute,omitempty" protobuf:"bytes,2,opt,name=matchAttribute"`
	// Attribute that must differ between all devices.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-resource-fully-qualified-name
	DistinctAttribute *FullyQualifiedName `json:"distinctAttribute,omitempty" protobuf:"bytes,3,opt,name=distinctAttribute"`
}

// Settings for devices of a claim.
type DeviceClaimConfiguration struct {
	// Requests that they are for; all of them if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	// +k8s:listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:unique=set
	// +k8s:beta(since: "1.37")=+k8s:maxItems=32
	Requests []string `json:"requests,omitempty" protobuf:"bytes,1,opt,name=requests"`
	// The settings.
	DeviceConfiguration `json:"" protobuf:"bytes,2,name=deviceConfiguration"`
}

// Settings for devices. Exactly one field is set.
type DeviceConfiguration struct {
	// Settings that only the driver understands.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	Opaque *OpaqueDeviceConfiguration `json:"opaque,omitempty" protobuf:"bytes,1,opt,name=opaque"`
}

// Settings that only the driver understands.
type OpaqueDeviceConfiguration struct {
	// Driver that they are for.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:format=k8s-long-name-caseless
	// +k8s:beta(since: "1.37")=+k8s:maxLength=63
	Driver string `json:"driver" protobuf:"bytes,1,name=driver"`
	// The settings: an object with kind and apiVersion.
	// +required
	Parameters runtime.RawExtension `json:"parameters" protobuf:"bytes,2,name=parameters"`
}

// Many claims.
type ResourceClaimList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []ResourceClaim `json:"items" protobuf:"bytes,2,rep,name=items"`
}
