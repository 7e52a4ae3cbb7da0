// When a job fails or succeeds.

package v1

import (
	corev1 "k8s.io/api/core/v1"
)

// Decides what a failed pod means for its job.
type PodFailurePolicy struct {
	// Rules in order; the first that matches decides.
	// +listType=atomic
	Rules []PodFailurePolicyRule `json:"rules" protobuf:"bytes,1,opt,name=rules"`
}

// One reaction to failed pods. Either onExitCodes or onPodConditions is set.
type PodFailurePolicyRule struct {
	// What to do with a pod that matches.
	Action PodFailurePolicyAction `json:"action" protobuf:"bytes,1,req,name=action"`
	// Matches by exit code of a container.
	// +optional
	OnExitCodes *PodFailurePolicyOnExitCodesRequirement `json:"onExitCodes,omitempty" protobuf:"bytes,2,opt,name=onExitCodes"`
	// Matches if the pod has one of these conditions.
	// +listType=atomic
	// +optional
	OnPodConditions []PodFailurePolicyOnPodConditionsPattern `json:"onPodConditions,omitempty" protobuf:"bytes,3,opt,name=onPodConditions"`
}

// What to do about a failed pod.
// +enum
type PodFailurePolicyAction string

const (
	PodFailurePolicyActionFailJob   PodFailurePolicyAction = "FailJob"
	PodFailurePolicyActionFailIndex PodFailurePolicyAction = "FailIndex"
	PodFailurePolicyActionIgnore    PodFailurePolicyAction = "Ignore"
	PodFailurePolicyActionCount     PodFailurePolicyAction = "Count"
)

// Exit codes to look for.
type PodFailurePolicyOnExitCodesRequirement struct {
	// Container to look at; all of them if unset.
	// +optional
	ContainerName *string `json:"containerName,omitempty" protobuf:"bytes,1,opt,name=containerName"`
	// Whether the code must be among the values or outside of them.
	Operator PodFailurePolicyOnExitCodesOperator `json:"operator" protobuf:"bytes,2,req,name=operator"`
	// Exit codes, sorted and without duplicates.
	// +listType=set
	Values []int32 `json:"values" protobuf:"varint,3,rep,name=values"`
}

// How an exit code is compared with a set.
// +enum
type PodFailurePolicyOnExitCodesOperator string

const (
	PodFailurePolicyOnExitCodesOpIn    PodFailurePolicyOnExitCodesOperator = "In"
	PodFailurePolicyOnExitCodesOpNotIn PodFailurePolicyOnExitCodesOperator = "NotIn"
)

// Pod condition to look for.
type PodFailurePolicyOnPodConditionsPattern struct {
	// Type of the condition.
	Type corev1.PodConditionType `json:"type" protobuf:"bytes,1,req,name=type"`
	// Status the condition must have.
	// +optional
	Status corev1.ConditionStatus `json:"status" protobuf:"bytes,2,req,name=status"`
}

// Decides when a job is done before all indexes succeed.
type SuccessPolicy struct {
	// Rules of which one must match.
	// +listType=atomic
	Rules []SuccessPolicyRule `json:"rules" protobuf:"bytes,1,opt,name=rules"`
}

// Indexes that are enough for success. At least one field is set.
type SuccessPolicyRule struct {
	// Indexes that must succeed, as a list such as 1,3-5.
	// +optional
	SucceededIndexes *string `json:"succeededIndexes,omitempty" protobuf:"bytes,1,opt,name=succeededIndexes"`
	// How many of them must succeed.
	// +optional
	SucceededCount *int32 `json:"succeededCount,omitempty" protobuf:"varint,2,opt,name=succeededCount"`
}
