// Mutating admission policies.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Changes objects in requests by CEL expressions.
// +genclient
// +genclient:nonNamespaced
type MutatingAdmissionPolicy struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which requests, and which changes.
	Spec MutatingAdmissionPolicySpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
}

// Which requests are changed, and how.
type MutatingAdmissionPolicySpec struct {
	// Kind of parameters, if the policy takes any.
	// +optional
	ParamKind *ParamKind `json:"paramKind,omitempty" protobuf:"bytes,1,rep,name=paramKind"`
	// Requests that the policy can change.
	MatchConstraints *MatchResources `json:"matchConstraints,omitempty" protobuf:"bytes,2,rep,name=matchConstraints"`
	// Named expressions, each of which may use those before it.
	// +listType=atomic
	// +optional
	Variables []Variable `json:"variables,omitempty" protobuf:"bytes,3,rep,name=variables"`
	// Changes, made in this order; at least one.
	// +listType=atomic
	// +optional
	Mutations []Mutation `json:"mutations,omitempty" protobuf:"bytes,4,rep,name=mutations"`
	// What happens to a request when an expression fails to run.
	// +optional
	// +default="Fail"
	FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty" protobuf:"bytes,5,opt,name=failurePolicy,casttype=FailurePolicyType"`
	// Expressions that must all hold before the policy applies.
	// +patchMergeKey=name
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=name
	// +optional
	MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,6,rep,name=matchConditions"`
	// Whether the policy may run again after others changed the object.
	ReinvocationPolicy ReinvocationPolicyType `json:"reinvocationPolicy,omitempty" protobuf:"bytes,7,opt,name=reinvocationPolicy,casttype=ReinvocationPolicyType"`
}

// A change. The field named by patchType is set.
type Mutation struct {
	// Form of the change.
	// +unionDiscriminator
	PatchType PatchType `json:"patchType" protobuf:"bytes,2,opt,name=patchType,casttype=PatchType"`
	// Change in the form of a server-side apply.
	ApplyConfiguration *ApplyConfiguration `json:"applyConfiguration,omitempty" protobuf:"bytes,3,opt,name=applyConfiguration"`
	// Change in the form of a JSON patch.
	JSONPatch *JSONPatch `json:"jsonPatch,omitempty" protobuf:"bytes,4,opt,name=jsonPatch"`
}

// Form of a change.
// +enum
type PatchType string

const (
	PatchTypeApplyConfiguration PatchType = "ApplyConfiguration"
	PatchTypeJSONPatch          PatchType = "JSONPatch"
)

// Change in the form of a server-side apply.
type ApplyConfiguration struct {
	// CEL expression that gives the object to apply.
	Expression string `json:"expression,omitempty" protobuf:"bytes,1,opt,name=expression"`
}

// Change in the form of a JSON patch.
type JSONPatch struct {
	// CEL expression that gives a list of JSONPatch operations.
	Expression string `json:"expression,omitempty" protobuf:"bytes,1,opt,name=expression"`
}

// Many policies.
type MutatingAdmissionPolicyList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []MutatingAdmissionPolicy `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Puts a mutating policy into effect.
// +genclient
// +genclient:nonNamespaced
type MutatingAdmissionPolicyBinding struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Which policy, and where.
	Spec MutatingAdmissionPolicyBindingSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
}

// Which policy is in effect, and where.
type MutatingAdmissionPolicyBindingSpec struct {
	// Name of the policy.
	PolicyName string `json:"policyName,omitempty" protobuf:"bytes,1,rep,name=policyName"`
	// Parameters, if the policy takes any.
	// +optional
	ParamRef *ParamRef `json:"paramRef,omitempty" protobuf:"bytes,2,rep,name=paramRef"`
	// Narrows down the requests that the policy can change.
	// +optional
	MatchResources *MatchResources `json:"matchResources,omitempty" protobuf:"bytes,3,rep,name=matchResources"`
}

// Many bindings.
type MutatingAdmissionPolicyBindingList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []MutatingAdmissionPolicyBinding `json:"items" protobuf:"bytes,2,rep,name=items"`
}
