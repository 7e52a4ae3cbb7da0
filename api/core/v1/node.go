// Nodes.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A machine that runs pods.
// +genclient
// +genclient:nonNamespaced
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/proxy"
type Node struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// How the node may be used.
	// +optional
	Spec NodeSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	// What the kubelet reports.
	// +optional
	Status NodeStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// How a node may be used.
type NodeSpec struct {
	// Range that pods of the node get addresses from.
	// +optional
	PodCIDR string `json:"podCIDR,omitempty" protobuf:"bytes,1,opt,name=podCIDR"`
	// Ranges by IP family; the first is podCIDR.
	// +optional
	// +patchStrategy=merge
	// +listType=set
	PodCIDRs []string `json:"podCIDRs,omitempty" protobuf:"bytes,7,opt,name=podCIDRs" patchStrategy:"merge"`
	// Identifier of the machine at the cloud provider.
	// +optional
	// +k8s:alpha(since: "1.36")=+k8s:optional
	// +k8s:alpha(since: "1.36")=+k8s:update=NoModify
	// +k8s:alpha(since: "1.36")=+k8s:update=NoUnset
	ProviderID string `json:"providerID,omitempty" protobuf:"bytes,3,opt,name=providerID"`
	// Whether new pods stay away.
	// +optional
	Unschedulable bool `json:"unschedulable,omitempty" protobuf:"varint,4,opt,name=unschedulable"`
	// Taints that keep pods away unless they tolerate them.
	// +optional
	// +listType=atomic
	Taints []Taint `json:"taints,omitempty" protobuf:"bytes,5,opt,name=taints"`
	// Deprecated: source of the kubelet's configuration. It has no effect.
	// +optional
	ConfigSource *NodeConfigSource `json:"configSource,omitempty" protobuf:"bytes,6,opt,name=configSource"`
	// Deprecated: some kubelets still set it.
	// +optional
	DoNotUseExternalID string `json:"externalID,omitempty" protobuf:"bytes,2,opt,name=externalID"`
	// When pods on the node may be pushed out.
	// +optional
	// +k8s:optional
	// +k8s:ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)=+k8s:forbidden
	PodPreemptionPolicy *NodePodPreemptionPolicy `json:"podPreemptionPolicy,omitempty" protobuf:"bytes,8,opt,name=podPreemptionPolicy"`
}

// Keeps pods away from a node.
type Taint struct {
	// Key that tolerations name.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// Value that belongs to the key.
	// +optional
	Value string `json:"value,omitempty" protobuf:"bytes,2,opt,name=value"`
	// What happens to pods without a toleration.
	Effect TaintEffect `json:"effect" protobuf:"bytes,3,opt,name=effect,casttype=TaintEffect"`
	// When the taint was added.
	// +optional
	TimeAdded *metav1.Time `json:"timeAdded,omitempty" protobuf:"bytes,4,opt,name=timeAdded"`
}

// When pods on a node may be pushed out.
type NodePodPreemptionPolicy struct {
	// Who asked that resizing pods push out no others; nobody if empty.
	// +listType=set
	// +k8s:listType=set
	// +optional
	// +k8s:maxItems=20
	// +k8s:optional
	// +k8s:eachVal=+k8s:format=k8s-label-key
	DisableResizePreemption []string `json:"disableResizePreemption,omitempty" protobuf:"bytes,1,rep,name=disableResizePreemption"`
}

// Source of a kubelet's configuration. It has no effect.
type NodeConfigSource struct {
	// Config map with the configuration.
	ConfigMap *ConfigMapNodeConfigSource `json:"configMap,omitempty" protobuf:"bytes,2,opt,name=configMap"`
}

// Config map with a kubelet's configuration.
type ConfigMapNodeConfigSource struct {
	// Namespace of the config map.
	Namespace string `json:"namespace" protobuf:"bytes,1,opt,name=namespace"`
	// Name of the config map.
	Name string `json:"name" protobuf:"bytes,2,opt,name=name"`
	// UID of the config map; only in the status.
	// +optional
	UID types.UID `json:"uid,omitempty" protobuf:"bytes,3,opt,name=uid"`
	// Version of the config map; only in the status.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,4,opt,name=resourceVersion"`
	// Key that holds the configuration.
	KubeletConfigKey string `json:"kubeletConfigKey" protobuf:"bytes,5,opt,name=kubeletConfigKey"`
}

// Many nodes.
type NodeList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []Node `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Places in the cluster, by node labels. All expressions must match.
// +structType=atomic
type TopologySelectorTerm struct {
	// Labels and their values.
	// +optional
	// +listType=atomic
	MatchLabelExpressions []TopologySelectorLabelRequirement `json:"matchLabelExpressions,omitempty" protobuf:"bytes,1,rep,name=matchLabelExpressions"`
}

// A label with one of several values.
type TopologySelectorLabelRequirement struct {
	// Key of the label.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// Values, of which one must match.
	// +listType=atomic
	Values []string `json:"values" protobuf:"bytes,2,rep,name=values"`
}
