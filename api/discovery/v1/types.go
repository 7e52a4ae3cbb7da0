// Endpoint slices.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Part of the addresses behind a service.
// +genclient
type EndpointSlice struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Kind of all addresses in the slice. It never changes.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:immutable
	AddressType AddressType `json:"addressType" protobuf:"bytes,4,rep,name=addressType"`
	// Endpoints, at most 1000.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Endpoints []Endpoint `json:"endpoints" protobuf:"bytes,2,rep,name=endpoints"`
	// Ports that every endpoint serves; all ports if empty.
	// +optional
	// +listType=atomic
	Ports []EndpointPort `json:"ports" protobuf:"bytes,3,rep,name=ports"`
}

// Kind of an address.
// +enum
// +k8s:beta(since: "1.37")=+k8s:enum
type AddressType string

const (
	AddressTypeIPv4 AddressType = "IPv4"
	AddressTypeIPv6 AddressType = "IPv6"
	AddressTypeFQDN AddressType = "FQDN"
)

// One backend of a service.
type Endpoint struct {
	// Addresses of the backend; consumers use the first.
	// +listType=set
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	// +k8s:beta(since: "1.37")=+k8s:maxItems=100
	Addresses []string `json:"addresses" protobuf:"bytes,1,rep,name=addresses"`
	// Whether the backend can take traffic.
	Conditions EndpointConditions `json:"conditions,omitempty" protobuf:"bytes,2,opt,name=conditions"`
	// Host name of the backend.
	// +optional
	Hostname *string `json:"hostname,omitempty" protobuf:"bytes,3,opt,name=hostname"`
	// Object behind the endpoint, usually a pod.
	// +optional
	TargetRef *corev1.ObjectReference `json:"targetRef,omitempty" protobuf:"bytes,4,opt,name=targetRef"`
	// Topology of slices made through v1beta1. Read-only here.
	// +optional
	DeprecatedTopology map[string]string `json:"deprecatedTopology,omitempty" protobuf:"bytes,5,opt,name=deprecatedTopology"`
	// Node of the backend.
	// +optional
	NodeName *string `json:"nodeName,omitempty" protobuf:"bytes,6,opt,name=nodeName"`
	// Zone of the backend.
	// +optional
	Zone *string `json:"zone,omitempty" protobuf:"bytes,7,opt,name=zone"`
	// Who should use the backend.
	// +optional
	Hints *EndpointHints `json:"hints,omitempty" protobuf:"bytes,8,opt,name=hints"`
}

// Whether a backend can take traffic.
type EndpointConditions struct {
	// Whether it accepts new traffic; unset means yes.
	// +optional
	Ready *bool `json:"ready,omitempty" protobuf:"bytes,1,name=ready"`
	// Whether it can answer, even while it terminates.
	// +optional
	Serving *bool `json:"serving,omitempty" protobuf:"bytes,2,name=serving"`
	// Whether it is shutting down.
	// +optional
	Terminating *bool `json:"terminating,omitempty" protobuf:"bytes,3,name=terminating"`
}

// Who should use a backend.
type EndpointHints struct {
	// Zones whose clients should use it.
	// +listType=atomic
	ForZones []ForZone `json:"forZones,omitempty" protobuf:"bytes,1,name=forZones"`
	// Nodes whose clients should use it.
	// +listType=atomic
	ForNodes []ForNode `json:"forNodes,omitempty" protobuf:"bytes,2,name=forNodes"`
}

// A zone that should use a backend.
type ForZone struct {
	// Name of the zone.
	Name string `json:"name" protobuf:"bytes,1,name=name"`
}

// A node that should use a backend.
type ForNode struct {
	// Name of the node.
	Name string `json:"name" protobuf:"bytes,1,name=name"`
}

// A port that endpoints serve.
// +structType=atomic
type EndpointPort struct {
	// Name of the port, unique in the slice.
	// +default=""
	Name *string `json:"name,omitempty" protobuf:"bytes,1,name=name"`
	// IP protocol.
	// +default="TCP"
	Protocol *corev1.Protocol `json:"protocol,omitempty" protobuf:"bytes,2,name=protocol"`
	// Port number; all ports if unset.
	Port *int32 `json:"port,omitempty" protobuf:"bytes,3,opt,name=port"`
	// Application protocol, such as kubernetes.io/h2c.
	// +optional
	AppProtocol *string `json:"appProtocol,omitempty" protobuf:"bytes,4,name=appProtocol"`
}

// Many endpoint slices.
type EndpointSliceList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []EndpointSlice `json:"items" protobuf:"bytes,2,rep,name=items"`
}
