// Scheduling of groups of pods, as far as other groups embed it. No kind of this version is served.

package v1alpha3

// How a group of pods is placed. Exactly one policy is set.
// +union
type WorkloadPodGroupSchedulingPolicy struct {
	// Pods are placed one by one.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Basic *WorkloadPodGroupBasicSchedulingPolicy `json:"basic,omitempty" protobuf:"bytes,1,opt,name=basic"`
	// Pods are placed together or not at all.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Gang *WorkloadPodGroupGangSchedulingPolicy `json:"gang,omitempty" protobuf:"bytes,2,opt,name=gang"`
}

// Pods are placed one by one. There is nothing to set.
type WorkloadPodGroupBasicSchedulingPolicy struct{}

// Pods are placed together.
type WorkloadPodGroupGangSchedulingPolicy struct {
	// Pods that must fit at the same time.
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	MinCount *int32 `json:"minCount,omitempty" protobuf:"varint,1,opt,name=minCount"`
}

// Where pods of a group may be placed.
type WorkloadPodGroupSchedulingConstraints struct {
	// Domains that all pods must share.
	// +optional
	// +k8s:optional
	// +k8s:maxItems=1
	// +listType=atomic
	// +k8s:listType=atomic
	Topology []TopologyConstraint `json:"topology,omitempty" protobuf:"bytes,1,rep,name=topology"`
}

// A domain that all pods of a group share.
type TopologyConstraint struct {
	// Node label whose value names the domain.
	// +required
	// +k8s:required
	// +k8s:format=k8s-label-key
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
}

// A resource claim that pods of a group share. It has exactly one source.
type WorkloadPodGroupResourceClaim struct {
	// Name of the claim inside the group.
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Existing claim to use.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	// +k8s:format=k8s-long-name
	ResourceClaimName *string `json:"resourceClaimName,omitempty" protobuf:"bytes,2,opt,name=resourceClaimName"`
	// Template to make the claim from.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	// +k8s:format=k8s-long-name
	ResourceClaimTemplateName *string `json:"resourceClaimTemplateName,omitempty" protobuf:"bytes,3,opt,name=resourceClaimTemplateName"`
}

// How pods of a group may be disrupted. Exactly one mode is set.
// +union
type WorkloadPodGroupDisruptionMode struct {
	// Each pod on its own.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Single *WorkloadPodGroupSingleDisruptionMode `json:"single,omitempty" protobuf:"bytes,1,opt,name=single"`
	// All pods together.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	All *WorkloadPodGroupAllDisruptionMode `json:"all,omitempty" protobuf:"bytes,2,opt,name=all"`
}

// Pods may be disrupted on their own. There is nothing to set.
type WorkloadPodGroupSingleDisruptionMode struct{}

// Pods are disrupted together. There is nothing to set.
type WorkloadPodGroupAllDisruptionMode struct{}
