// Network policies.

package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Allows traffic to and from pods. Pods that a policy selects refuse everything else.
// +genclient
type NetworkPolicy struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which pods, and which traffic.
	// +optional
	Spec NetworkPolicySpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
}

// Which pods are restricted, and which traffic stays allowed.
type NetworkPolicySpec struct {
	// Pods of this namespace that are restricted; all of them if empty.
	// +optional
	PodSelector metav1.LabelSelector `json:"podSelector" protobuf:"bytes,1,opt,name=podSelector"`
	// Incoming traffic that is allowed; nothing if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Ingress []NetworkPolicyIngressRule `json:"ingress,omitempty" protobuf:"bytes,2,rep,name=ingress"`
	// Outgoing traffic that is allowed; nothing if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	Egress []NetworkPolicyEgressRule `json:"egress,omitempty" protobuf:"bytes,3,rep,name=egress"`
	// Directions that the policy restricts. Derived from the rules unless set.
	// +optional
	// +listType=atomic
	PolicyTypes []PolicyType `json:"policyTypes,omitempty" protobuf:"bytes,4,rep,name=policyTypes,casttype=PolicyType"`
}

// Direction of traffic.
// +enum
type PolicyType string

const (
	PolicyTypeIngress PolicyType = "Ingress"
	PolicyTypeEgress  PolicyType = "Egress"
)

// Incoming traffic that is allowed.
type NetworkPolicyIngressRule struct {
	// Ports of the selected pods; every port if empty.
	// +optional
	// +listType=atomic
	Ports []NetworkPolicyPort `json:"ports,omitempty" protobuf:"bytes,1,rep,name=ports"`
	// Senders; everyone if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	From []NetworkPolicyPeer `json:"from,omitempty" protobuf:"bytes,2,rep,name=from"`
}

// Outgoing traffic that is allowed.
type NetworkPolicyEgressRule struct {
	// Ports at the receivers; every port if empty.
	// +optional
	// +listType=atomic
	Ports []NetworkPolicyPort `json:"ports,omitempty" protobuf:"bytes,1,rep,name=ports"`
	// Receivers; everyone if empty.
	// +optional
	// +listType=atomic
	// +k8s:beta(since: "1.37")=+k8s:optional
	To []NetworkPolicyPeer `json:"to,omitempty" protobuf:"bytes,2,rep,name=to"`
}

// Ports that traffic may use.
type NetworkPolicyPort struct {
	// IP protocol.
	// +optional
	// +default="TCP"
	Protocol *corev1.Protocol `json:"protocol,omitempty" protobuf:"bytes,1,opt,name=protocol,casttype=k8s.io/api/core/v1.Protocol"`
	// Number or name of the port; all ports if unset.
	// +optional
	Port *intstr.IntOrString `json:"port,omitempty" protobuf:"bytes,2,opt,name=port"`
	// Last port of a range that starts at port.
	// +optional
	EndPort *int32 `json:"endPort,omitempty" protobuf:"bytes,3,opt,name=endPort"`
}

// Who traffic comes from or goes to. Either ipBlock or selectors are set.
type NetworkPolicyPeer struct {
	// Pods, in this namespace or in those that namespaceSelector finds.
	// +optional
	PodSelector *metav1.LabelSelector `json:"podSelector,omitempty" protobuf:"bytes,1,opt,name=podSelector"`
	// Namespaces; all of them if empty.
	// +optional
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty" protobuf:"bytes,2,opt,name=namespaceSelector"`
	// Addresses outside of the cluster, usually.
	// +optional
	// +k8s:beta(since: "1.37")=+k8s:optional
	IPBlock *IPBlock `json:"ipBlock,omitempty" protobuf:"bytes,3,rep,name=ipBlock"`
}

// A range of addresses with holes.
type IPBlock struct {
	// The range, such as 192.168.1.0/24.
	// +required
	// +k8s:beta(since: "1.37")=+k8s:required
	CIDR string `json:"cidr" protobuf:"bytes,1,name=cidr"`
	// Parts of the range that are left out.
	// +optional
	// +listType=atomic
	Except []string `json:"except,omitempty" protobuf:"bytes,2,rep,name=except"`
}

// Many network policies.
type NetworkPolicyList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []NetworkPolicy `json:"items" protobuf:"bytes,2,rep,name=items"`
}
