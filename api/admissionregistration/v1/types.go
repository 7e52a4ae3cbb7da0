// Webhooks that are asked about writes.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhooks that may refuse a write.
// +genclient
// +genclient:nonNamespaced
type ValidatingWebhookConfiguration struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The webhooks.
	// +optional
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	Webhooks []ValidatingWebhook `json:"webhooks,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,2,rep,name=Webhooks"`
}

// Many configurations of webhooks that refuse.
type ValidatingWebhookConfigurationList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []ValidatingWebhookConfiguration `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Webhooks that may change a write.
// +genclient
// +genclient:nonNamespaced
type MutatingWebhookConfiguration struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The webhooks.
	// +optional
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	Webhooks []MutatingWebhook `json:"webhooks,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,2,rep,name=Webhooks"`
}

// Many configurations of webhooks that change.
type MutatingWebhookConfigurationList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []MutatingWebhookConfiguration `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// A webhook that may refuse a write.
type ValidatingWebhook struct {
	// Full name, such as images.example.com.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// How it is reached.
	ClientConfig WebhookClientConfig `json:"clientConfig" protobuf:"bytes,2,opt,name=clientConfig"`
	// Writes it is asked about.
	// +listType=atomic
	Rules []RuleWithOperations `json:"rules,omitempty" protobuf:"bytes,3,rep,name=rules"`
	// What happens when it does not answer.
	// +optional
	// +default="Fail"
	FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty" protobuf:"bytes,4,opt,name=failurePolicy,casttype=FailurePolicyType"`
	// Whether writes in other versions of a resource count.
	// +optional
	// +default="Equivalent"
	MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty" protobuf:"bytes,9,opt,name=matchPolicy,casttype=MatchPolicyType"`
	// Labels of namespaces whose objects count.
	// +optional
	// +default={}
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty" protobuf:"bytes,5,opt,name=namespaceSelector"`
	// Labels of objects that count, old or new.
	// +optional
	// +default={}
	ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty" protobuf:"bytes,10,opt,name=objectSelector"`
	// What the webhook does besides answering.
	SideEffects *SideEffectClass `json:"sideEffects" protobuf:"bytes,6,opt,name=sideEffects,casttype=SideEffectClass"`
	// How long its answer may take, from 1 to 30.
	// +optional
	// +default=10
	TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty" protobuf:"varint,7,opt,name=timeoutSeconds"`
	// Versions of the review that it understands, best first.
	// +listType=atomic
	AdmissionReviewVersions []string `json:"admissionReviewVersions" protobuf:"bytes,8,rep,name=admissionReviewVersions"`
	// CEL expressions that must all hold for it to be asked.
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	// +optional
	MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,11,opt,name=matchConditions"`
}

// A webhook that may change a write.
type MutatingWebhook struct {
	// Full name, such as images.example.com.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// How it is reached.
	ClientConfig WebhookClientConfig `json:"clientConfig" protobuf:"bytes,2,opt,name=clientConfig"`
	// Writes it is asked about.
	// +listType=atomic
	Rules []RuleWithOperations `json:"rules,omitempty" protobuf:"bytes,3,rep,name=rules"`
	// What happens when it does not answer.
	// +optional
	// +default="Fail"
	FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty" protobuf:"bytes,4,opt,name=failurePolicy,casttype=FailurePolicyType"`
	// Whether writes in other versions of a resource count.
	// +optional
	// +default="Equivalent"
	MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty" protobuf:"bytes,9,opt,name=matchPolicy,casttype=MatchPolicyType"`
	// Labels of namespaces whose objects count.
	// +optional
	// +default={}
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty" protobuf:"bytes,5,opt,name=namespaceSelector"`
	// Labels of objects that count, old or new.
	// +optional
	// +default={}
	ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty" protobuf:"bytes,11,opt,name=objectSelector"`
	// What the webhook does besides answering.
	SideEffects *SideEffectClass `json:"sideEffects" protobuf:"bytes,6,opt,name=sideEffects,casttype=SideEffectClass"`
	// How long its answer may take, from 1 to 30.
	// +optional
	// +default=10
	TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty" protobuf:"varint,7,opt,name=timeoutSeconds"`
	// Versions of the review that it understands, best first.
	// +listType=atomic
	AdmissionReviewVersions []string `json:"admissionReviewVersions" protobuf:"bytes,8,rep,name=admissionReviewVersions"`
	// Whether it is asked again after others changed the object.
	// +optional
	// +default="Never"
	ReinvocationPolicy *ReinvocationPolicyType `json:"reinvocationPolicy,omitempty" protobuf:"bytes,10,opt,name=reinvocationPolicy,casttype=ReinvocationPolicyType"`
	// CEL expressions that must all hold for it to be asked.
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	// +optional
	MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,12,opt,name=matchConditions"`
}

// Resources of some groups and versions.
type Rule struct {
	// Groups; * is all.
	// +listType=atomic
	APIGroups []string `json:"apiGroups,omitempty" protobuf:"bytes,1,rep,name=apiGroups"`
	// Versions; * is all.
	// +listType=atomic
	APIVersions []string `json:"apiVersions,omitempty" protobuf:"bytes,2,rep,name=apiVersions"`
	// Resources, with pods/status for a subresource and */scale for that of all.
	// +listType=atomic
	Resources []string `json:"resources,omitempty" protobuf:"bytes,3,rep,name=resources"`
	// Whether objects in namespaces, outside, or both count.
	// +optional
	// +default="*"
	Scope *ScopeType `json:"scope,omitempty" protobuf:"bytes,4,rep,name=scope"`
}

// Operations on some resources.
type RuleWithOperations struct {
	// The operations; * is all.
	// +listType=atomic
	Operations []OperationType `json:"operations,omitempty" protobuf:"bytes,1,rep,name=operations,casttype=OperationType"`
	// The resources.
	Rule `json:"" protobuf:"bytes,2,opt,name=rule"`
}

// Whether objects are in namespaces.
// +enum
type ScopeType string

const (
	ClusterScope    ScopeType = "Cluster"
	NamespacedScope ScopeType = "Namespaced"
	AllScopes       ScopeType = "*"
)

// What happens when a webhook does not answer.
// +enum
type FailurePolicyType string

const (
	Ignore FailurePolicyType = "Ignore"
	Fail   FailurePolicyType = "Fail"
)

// Whether other versions of a resource count.
// +enum
type MatchPolicyType string

const (
	Exact      MatchPolicyType = "Exact"
	Equivalent MatchPolicyType = "Equivalent"
)

// What a webhook does besides answering.
// +enum
type SideEffectClass string

const (
	SideEffectClassUnknown      SideEffectClass = "Unknown"
	SideEffectClassNone         SideEffectClass = "None"
	SideEffectClassSome         SideEffectClass = "Some"
	SideEffectClassNoneOnDryRun SideEffectClass = "NoneOnDryRun"
)

// Whether a webhook is asked again.
// +enum
type ReinvocationPolicyType string

const (
	NeverReinvocationPolicy    ReinvocationPolicyType = "Never"
	IfNeededReinvocationPolicy ReinvocationPolicyType = "IfNeeded"
)

// A kind of write.
// +enum
type OperationType string

const (
	OperationAll OperationType = "*"
	Create       OperationType = "CREATE"
	Update       OperationType = "UPDATE"
	Delete       OperationType = "DELETE"
	Connect      OperationType = "CONNECT"
)

// How a webhook is reached: by url or by service.
type WebhookClientConfig struct {
	// Where it is, beginning with https.
	// +optional
	URL *string `json:"url,omitempty" protobuf:"bytes,3,opt,name=url"`
	// Service in the cluster.
	// +optional
	Service *ServiceReference `json:"service,omitempty" protobuf:"bytes,1,opt,name=service"`
	// Certificates as PEM that its own must lead to.
	// +optional
	CABundle []byte `json:"caBundle,omitempty" protobuf:"bytes,2,opt,name=caBundle"`
}

// A service in the cluster.
type ServiceReference struct {
	// Its namespace.
	Namespace string `json:"namespace" protobuf:"bytes,1,opt,name=namespace"`
	// Its name.
	Name string `json:"name" protobuf:"bytes,2,opt,name=name"`
	// Path of the requests.
	// +optional
	Path *string `json:"path,omitempty" protobuf:"bytes,3,opt,name=path"`
	// Its port.
	// +optional
	// +default=443
	Port *int32 `json:"port,omitempty" protobuf:"varint,4,opt,name=port"`
}

// An expression that must hold.
type MatchCondition struct {
	// Name of the condition, for people and for merging.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// CEL over object, oldObject, request and authorizer.
	Expression string `json:"expression" protobuf:"bytes,2,opt,name=expression"`
}
