// Registrations of API servers.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Registers one version of a group, served here or by another server.
// +genclient
// +genclient:nonNamespaced
// +k8s:supportsSubresource="/status"
type APIService struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which version, and who serves it.
	Spec APIServiceSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	// Whether it is reachable.
	Status APIServiceStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// Which version is registered, and who serves it.
type APIServiceSpec struct {
	// Service of the other server; unset if this server answers itself.
	// +optional
	Service *ServiceReference `json:"service,omitempty" protobuf:"bytes,1,opt,name=service"`
	// Name of the group.
	Group string `json:"group,omitempty" protobuf:"bytes,2,opt,name=group"`
	// Name of the version.
	Version string `json:"version,omitempty" protobuf:"bytes,3,opt,name=version"`
	// Whether the other server's certificate is not checked.
	InsecureSkipTLSVerify bool `json:"insecureSkipTLSVerify,omitempty" protobuf:"varint,4,opt,name=insecureSkipTLSVerify"`
	// Certificates, in PEM form, that the other server's one is checked with.
	// +listType=atomic
	// +optional
	CABundle []byte `json:"caBundle,omitempty" protobuf:"bytes,5,opt,name=caBundle"`
	// Rank of the group in discovery; the higher, the earlier.
	GroupPriorityMinimum int32 `json:"groupPriorityMinimum" protobuf:"varint,7,opt,name=groupPriorityMinimum"`
	// Rank of the version in its group; the higher, the earlier.
	VersionPriority int32 `json:"versionPriority" protobuf:"varint,8,opt,name=versionPriority"`
}

// Names the service of another API server.
type ServiceReference struct {
	// Namespace of the service.
	Namespace string `json:"namespace,omitempty" protobuf:"bytes,1,opt,name=namespace"`
	// Name of the service.
	Name string `json:"name,omitempty" protobuf:"bytes,2,opt,name=name"`
	// Port of the service that speaks HTTPS.
	// +optional
	// +default=443
	Port *int32 `json:"port,omitempty" protobuf:"varint,3,opt,name=port"`
}

// Whether a registered version is reachable.
type APIServiceStatus struct {
	// Conditions, one per type.
	// +optional
	// +patchMergeKey=type
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=type
	Conditions []APIServiceCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,1,rep,name=conditions"`
}

// What a condition of a registration is about.
type APIServiceConditionType string

const (
	Available APIServiceConditionType = "Available"
)

// One observation about a registration.
type APIServiceCondition struct {
	// What it is about.
	Type APIServiceConditionType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=APIServiceConditionType"`
	// Whether it holds.
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=ConditionStatus"`
	// When status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,3,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word for programs.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,4,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,5,opt,name=message"`
}

// Whether a condition holds.
type ConditionStatus string

const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// Many registrations.
type APIServiceList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []APIService `json:"items" protobuf:"bytes,2,rep,name=items"`
}
