// What admission policies of both sorts share.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Kind of objects that a policy reads parameters from.
// +structType=atomic
type ParamKind struct {
	// Group and version of the kind.
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,1,rep,name=apiVersion"`
	// Name of the kind.
	Kind string `json:"kind,omitempty" protobuf:"bytes,2,rep,name=kind"`
}

// Objects that a binding reads parameters from. Either name or selector is set.
// +structType=atomic
type ParamRef struct {
	// Name of the object.
	Name string `json:"name,omitempty" protobuf:"bytes,1,rep,name=name"`
	// Namespace of the objects; that of the request if unset and the kind has namespaces.
	// +optional
	Namespace string `json:"namespace,omitempty" protobuf:"bytes,2,rep,name=namespace"`
	// Finds several objects; the policy runs for each.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty" protobuf:"bytes,3,rep,name=selector"`
	// What happens if there is no such object.
	ParameterNotFoundAction *ParameterNotFoundActionType `json:"parameterNotFoundAction,omitempty" protobuf:"bytes,4,rep,name=parameterNotFoundAction"`
}

// What happens to a request without parameters.
type ParameterNotFoundActionType string

const (
	DenyAction  ParameterNotFoundActionType = "Deny"
	AllowAction ParameterNotFoundActionType = "Allow"
)

// Requests that a policy looks at. A request must match every field.
// +structType=atomic
type MatchResources struct {
	// Labels of the request's namespace.
	// +optional
	// +default={}
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty" protobuf:"bytes,1,opt,name=namespaceSelector"`
	// Labels of the object, before or after the change.
	// +optional
	// +default={}
	ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty" protobuf:"bytes,2,opt,name=objectSelector"`
	// Operations and resources; one rule is enough.
	// +listType=atomic
	// +optional
	ResourceRules []NamedRuleWithOperations `json:"resourceRules,omitempty" protobuf:"bytes,3,rep,name=resourceRules"`
	// Operations and resources that are left out.
	// +listType=atomic
	// +optional
	ExcludeResourceRules []NamedRuleWithOperations `json:"excludeResourceRules,omitempty" protobuf:"bytes,4,rep,name=excludeResourceRules"`
	// Whether the same resource in another version matches too.
	// +optional
	// +default="Equivalent"
	MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty" protobuf:"bytes,7,opt,name=matchPolicy,casttype=MatchPolicyType"`
}

// Operations on resources, or on some objects of them.
// +structType=atomic
type NamedRuleWithOperations struct {
	// Names of the objects; all if empty.
	// +listType=atomic
	// +optional
	ResourceNames []string `json:"resourceNames,omitempty" protobuf:"bytes,1,rep,name=resourceNames"`
	// Operations and resources.
	RuleWithOperations `json:"" protobuf:"bytes,2,opt,name=ruleWithOperations"`
}

// A named CEL expression that others can use.
// +structType=atomic
type Variable struct {
	// Name, used as variables.NAME.
	Name string `json:"name" protobuf:"bytes,1,opt,name=Name"`
	// CEL expression that gives the value.
	Expression string `json:"expression" protobuf:"bytes,2,opt,name=Expression"`
}
