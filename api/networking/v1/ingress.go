// Ingresses.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Routes HTTP traffic from outside to services.
// +genclient
// +k8s:supportsSubresource="/status"
type Ingress struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Hosts, paths and where they lead.
	// +optional
	Spec IngressSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	// Addresses of the load balancer.
	// +optional
	Status IngressStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// Hosts, paths and where they lead.
type IngressSpec struct {
	// Class whose controller implements the ingress.
	// +optional
	IngressClassName *string `json:"ingressClassName,omitempty" protobuf:"bytes,4,opt,name=ingressClassName"`
	// Receives requests that no rule matches.
	// +optional
	DefaultBackend *IngressBackend `json:"defaultBackend,omitempty" protobuf:"bytes,1,opt,name=defaultBackend"`
	// Certificates by host.
	// +listType=atomic
	// +optional
	TLS []IngressTLS `json:"tls,omitempty" protobuf:"bytes,2,rep,name=tls"`
	// Routes by host.
	// +listType=atomic
	// +optional
	Rules []IngressRule `json:"rules,omitempty" protobuf:"bytes,3,rep,name=rules"`
}

// Certificate of some hosts.
type IngressTLS struct {
	// Hosts in the certificate.
	// +listType=atomic
	// +optional
	Hosts []string `json:"hosts,omitempty" protobuf:"bytes,1,rep,name=hosts"`
	// Secret with certificate and key.
	// +optional
	SecretName string `json:"secretName,omitempty" protobuf:"bytes,2,opt,name=secretName"`
}

// Routes of one host.
type IngressRule struct {
	// Host name, possibly with * as first label; every host if empty.
	// +optional
	Host string `json:"host,omitempty" protobuf:"bytes,1,opt,name=host"`
	// Routes for requests to the host.
	// +optional
	IngressRuleValue `json:"" protobuf:"bytes,2,opt,name=ingressRuleValue"`
}

// Routes of one host, by protocol.
type IngressRuleValue struct {
	// Routes of HTTP requests.
	// +optional
	HTTP *HTTPIngressRuleValue `json:"http,omitempty" protobuf:"bytes,1,opt,name=http"`
}

// Routes of HTTP requests.
type HTTPIngressRuleValue struct {
	// Paths and where they lead.
	// +listType=atomic
	Paths []HTTPIngressPath `json:"paths" protobuf:"bytes,1,rep,name=paths"`
}

// Where requests to one path go.
type HTTPIngressPath struct {
	// Path that requests are compared with.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
	// How the path is compared.
	PathType *PathType `json:"pathType" protobuf:"bytes,3,opt,name=pathType"`
	// Receives the requests.
	Backend IngressBackend `json:"backend" protobuf:"bytes,2,opt,name=backend"`
}

// How a path is compared with requests.
// +enum
type PathType string

const (
	PathTypeExact                  PathType = "Exact"
	PathTypePrefix                 PathType = "Prefix"
	PathTypeImplementationSpecific PathType = "ImplementationSpecific"
)

// Receiver of requests. Exactly one field is set.
type IngressBackend struct {
	// A port of a service.
	// +optional
	Service *IngressServiceBackend `json:"service,omitempty" protobuf:"bytes,4,opt,name=service"`
	// An object of the same namespace that the controller knows.
	// +optional
	Resource *corev1.TypedLocalObjectReference `json:"resource,omitempty" protobuf:"bytes,3,opt,name=resource"`
}

// Port of a service that receives requests.
type IngressServiceBackend struct {
	// Service of the same namespace.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Port of the service.
	Port ServiceBackendPort `json:"port,omitempty" protobuf:"bytes,2,opt,name=port"`
}

// Port of a service, by name or number.
// +structType=atomic
type ServiceBackendPort struct {
	// Name of the port.
	// +optional
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	// Number of the port.
	// +optional
	Number int32 `json:"number,omitempty" protobuf:"bytes,2,opt,name=number"`
}

// State of an ingress.
type IngressStatus struct {
	// Where the ingress can be reached.
	// +optional
	LoadBalancer IngressLoadBalancerStatus `json:"loadBalancer,omitempty" protobuf:"bytes,1,opt,name=loadBalancer"`
}

// Where an ingress can be reached.
type IngressLoadBalancerStatus struct {
	// Entry points of the load balancer.
	// +optional
	// +listType=atomic
	Ingress []IngressLoadBalancerIngress `json:"ingress,omitempty" protobuf:"bytes,1,rep,name=ingress"`
}

// One entry point of a load balancer.
type IngressLoadBalancerIngress struct {
	// Address, if the load balancer has one.
	// +optional
	IP string `json:"ip,omitempty" protobuf:"bytes,1,opt,name=ip"`
	// Host name, if the load balancer has one.
	// +optional
	Hostname string `json:"hostname,omitempty" protobuf:"bytes,2,opt,name=hostname"`
	// State of each port.
	// +listType=atomic
	// +optional
	Ports []IngressPortStatus `json:"ports,omitempty" protobuf:"bytes,4,rep,name=ports"`
}

// State of one port of a load balancer.
type IngressPortStatus struct {
	// Port number.
	Port int32 `json:"port" protobuf:"varint,1,opt,name=port"`
	// IP protocol.
	Protocol corev1.Protocol `json:"protocol" protobuf:"bytes,2,opt,name=protocol,casttype=Protocol"`
	// Why the port does not work, in CamelCase, with a domain unless built in.
	// +optional
	Error *string `json:"error,omitempty" protobuf:"bytes,3,opt,name=error"`
}

// Many ingresses.
type IngressList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []Ingress `json:"items" protobuf:"bytes,2,rep,name=items"`
}
