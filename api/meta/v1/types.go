// The parts that all objects have.

package v1

import (
	"k8s.io/apimachinery/pkg/types"
)

// Says what kind of object this is.
type TypeMeta struct {
	// The kind, such as ConfigMap. It cannot be changed.
	// +optional
	Kind string `json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"`
	// Group and version of the kind, such as apps/v1.
	// +optional
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,2,opt,name=apiVersion"`
}

// Identifies an object and says what the server knows about its life.
type ObjectMeta struct {
	// Unique among the objects of the kind in their namespace. It cannot be changed.
	// +optional
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	// What the server begins a unique name with when name is not given.
	// +optional
	GenerateName string `json:"generateName,omitempty" protobuf:"bytes,2,opt,name=generateName"`
	// The space in which the name is unique. It cannot be changed.
	// +optional
	Namespace string `json:"namespace,omitempty" protobuf:"bytes,3,opt,name=namespace"`
	// Deprecated: the server does not set it.
	// +optional
	SelfLink string `json:"selfLink,omitempty" protobuf:"bytes,4,opt,name=selfLink"`
	// Tells this object from all others, earlier ones of the same name included. Set by the server.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:immutable
	UID types.UID `json:"uid,omitempty" protobuf:"bytes,5,opt,name=uid,casttype=k8s.io/kubernetes/pkg/types.UID"`
	// Changes with every write. Clients only compare it and send it back.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,6,opt,name=resourceVersion"`
	// Counts the changes of the desired state. Set by the server.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:minimum=0
	Generation int64 `json:"generation,omitempty" protobuf:"varint,7,opt,name=generation"`
	// When the server created the object.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:immutable
	CreationTimestamp Time `json:"creationTimestamp,omitempty,omitzero" protobuf:"bytes,8,opt,name=creationTimestamp"`
	// When the object will be gone at the latest. Set by the server when deletion is asked for.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:immutable
	DeletionTimestamp *Time `json:"deletionTimestamp,omitempty" protobuf:"bytes,9,opt,name=deletionTimestamp"`
	// How long the object has to end by itself once its deletion was asked for.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:immutable
	DeletionGracePeriodSeconds *int64 `json:"deletionGracePeriodSeconds,omitempty" protobuf:"varint,10,opt,name=deletionGracePeriodSeconds"`
	// Names and values that selectors choose objects by.
	// +optional
	Labels map[string]string `json:"labels,omitempty" protobuf:"bytes,11,rep,name=labels"`
	// Names and values for tools and people; nothing is selected by them.
	// +optional
	Annotations map[string]string `json:"annotations,omitempty" protobuf:"bytes,12,rep,name=annotations"`
	// The objects this one belongs to. It goes when all of them are gone.
	// +optional
	// +patchMergeKey=uid
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=uid
	// +k8s:alpha(since:"1.37")=+k8s:optional
	OwnerReferences []OwnerReference `json:"ownerReferences,omitempty" patchStrategy:"merge" patchMergeKey:"uid" protobuf:"bytes,13,rep,name=ownerReferences"`
	// Names of those who must agree before the object is removed.
	// +optional
	// +patchStrategy=merge
	// +listType=set
	Finalizers []string `json:"finalizers,omitempty" patchStrategy:"merge" protobuf:"bytes,14,rep,name=finalizers"`
	// Which manager set which fields. Kept by the server.
	// +optional
	// +listType=atomic
	// +k8s:alpha(since: "1.37")=+k8s:optional
	ManagedFields []ManagedFieldsEntry `json:"managedFields,omitempty" protobuf:"bytes,17,rep,name=managedFields"`
}

// Names an owner in the same namespace, or outside of namespaces.
// +structType=atomic
type OwnerReference struct {
	// Group and version of the owner's kind.
	// +k8s:alpha(since:"1.37")=+k8s:required
	APIVersion string `json:"apiVersion" protobuf:"bytes,5,opt,name=apiVersion"`
	// Kind of the owner.
	// +k8s:alpha(since:"1.37")=+k8s:required
	Kind string `json:"kind" protobuf:"bytes,1,opt,name=kind"`
	// Name of the owner.
	// +k8s:alpha(since:"1.37")=+k8s:required
	Name string `json:"name" protobuf:"bytes,3,opt,name=name"`
	// Id of the owner.
	// +k8s:alpha(since:"1.37")=+k8s:required
	UID types.UID `json:"uid" protobuf:"bytes,4,opt,name=uid,casttype=k8s.io/apimachinery/pkg/types.UID"`
	// Whether the owner is in charge; at most one is.
	// +optional
	Controller *bool `json:"controller,omitempty" protobuf:"varint,6,opt,name=controller"`
	// Whether a foreground deletion of the owner waits for this object.
	// +optional
	BlockOwnerDeletion *bool `json:"blockOwnerDeletion,omitempty" protobuf:"varint,7,opt,name=blockOwnerDeletion"`
}

// The fields that one manager set by one kind of write.
type ManagedFieldsEntry struct {
	// Name of the manager.
	Manager string `json:"manager,omitempty" protobuf:"bytes,1,opt,name=manager"`
	// How they were set.
	// +k8s:alpha(since: "1.37")=+k8s:required
	Operation ManagedFieldsOperationType `json:"operation,omitempty" protobuf:"bytes,2,opt,name=operation,casttype=ManagedFieldsOperationType"`
	// The version the fields are written for.
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,3,opt,name=apiVersion"`
	// When the entry last changed.
	// +optional
	Time *Time `json:"time,omitempty" protobuf:"bytes,4,opt,name=time"`
	// Form of the fields; always FieldsV1.
	FieldsType string `json:"fieldsType,omitempty" protobuf:"bytes,6,opt,name=fieldsType"`
	// The fields.
	// +optional
	FieldsV1 *FieldsV1 `json:"fieldsV1,omitempty" protobuf:"bytes,7,opt,name=fieldsV1"`
	// Subresource they were set through, if any.
	Subresource string `json:"subresource,omitempty" protobuf:"bytes,8,opt,name=subresource"`
}

// How fields were set.
// +k8s:alpha(since: "1.37")=+k8s:enum
type ManagedFieldsOperationType string

const (
	ManagedFieldsOperationApply  ManagedFieldsOperationType = "Apply"
	ManagedFieldsOperationUpdate ManagedFieldsOperationType = "Update"
)

// What is known about a list as a whole.
type ListMeta struct {
	// Deprecated: the server does not set it.
	// +optional
	SelfLink string `json:"selfLink,omitempty" protobuf:"bytes,1,opt,name=selfLink"`
	// The state of the store that the list shows.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,2,opt,name=resourceVersion"`
	// Asks for the rest of the list when sent with the next request.
	Continue string `json:"continue,omitempty" protobuf:"bytes,3,opt,name=continue"`
	// How many items are left, as far as the server can tell.
	// +optional
	RemainingItemCount *int64 `json:"remainingItemCount,omitempty" protobuf:"bytes,4,opt,name=remainingItemCount"`
	// Set when the list is only a shard of all objects.
	// +optional
	ShardInfo *ShardInfo `json:"shardInfo,omitempty" protobuf:"bytes,5,opt,name=shardInfo"`
}

// The shard that a list shows.
type ShardInfo struct {
	// The selector of the request.
	// +required
	Selector string `json:"selector" protobuf:"bytes,1,opt,name=selector"`
}

// Objects whose labels meet all requirements; all objects without requirements.
// +structType=atomic
type LabelSelector struct {
	// Labels and the values they must have.
	// +optional
	MatchLabels map[string]string `json:"matchLabels,omitempty" protobuf:"bytes,1,rep,name=matchLabels"`
	// Other requirements.
	// +optional
	// +listType=atomic
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty" protobuf:"bytes,2,rep,name=matchExpressions"`
}

// What a label must be.
type LabelSelectorRequirement struct {
	// Name of the label.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// How it is compared.
	Operator LabelSelectorOperator `json:"operator" protobuf:"bytes,2,opt,name=operator,casttype=LabelSelectorOperator"`
	// What it is compared with: some for In and NotIn, none for the others.
	// +optional
	// +listType=atomic
	Values []string `json:"values,omitempty" protobuf:"bytes,3,rep,name=values"`
}

// How a requirement compares.
type LabelSelectorOperator string

const (
	LabelSelectorOpIn           LabelSelectorOperator = "In"
	LabelSelectorOpNotIn        LabelSelectorOperator = "NotIn"
	LabelSelectorOpExists       LabelSelectorOperator = "Exists"
	LabelSelectorOpDoesNotExist LabelSelectorOperator = "DoesNotExist"
)

// What a field must be.
type FieldSelectorRequirement struct {
	// Path of the field.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// How it is compared.
	Operator FieldSelectorOperator `json:"operator" protobuf:"bytes,2,opt,name=operator,casttype=FieldSelectorOperator"`
	// What it is compared with: some for In and NotIn, none for the others.
	// +optional
	// +listType=atomic
	Values []string `json:"values,omitempty" protobuf:"bytes,3,rep,name=values"`
}

// How a requirement compares.
type FieldSelectorOperator string

const (
	FieldSelectorOpIn           FieldSelectorOperator = "In"
	FieldSelectorOpNotIn        FieldSelectorOperator = "NotIn"
	FieldSelectorOpExists       FieldSelectorOperator = "Exists"
	FieldSelectorOpDoesNotExist FieldSelectorOperator = "DoesNotExist"
)

// One thing that is known about an object.
type Condition struct {
	// What it is about, in CamelCase, with a prefix if it is a vendor's own.
	// +required
	// +k8s:alpha(since: "1.37")=+k8s:required
	Type string `json:"type" protobuf:"bytes,1,opt,name=type"`
	// Whether it holds.
	// +required
	// +k8s:alpha(since: "1.37")=+k8s:required
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status"`
	// The generation it is about.
	// +optional
	// +k8s:alpha(since: "1.37")=+k8s:optional
	// +k8s:alpha(since: "1.37")=+k8s:minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty" protobuf:"varint,3,opt,name=observedGeneration"`
	// When status last changed.
	// +required
	LastTransitionTime Time `json:"lastTransitionTime" protobuf:"bytes,4,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word for programs.
	// +required
	// +k8s:alpha(since: "1.37")=+k8s:required
	// +k8s:alpha(since: "1.37")=+k8s:maxBytes=1024
	Reason string `json:"reason" protobuf:"bytes,5,opt,name=reason"`
	// Why, for people.
	// +required
	Message string `json:"message" protobuf:"bytes,6,opt,name=message"`
}

// Whether a condition holds.
// +k8s:alpha(since: "1.37")=+k8s:enum
type ConditionStatus string

const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// An object of any kind without its own fields.
type PartialObjectMetadata struct {
	TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	// +k8s:opaqueType
	ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
}

// Many objects without their own fields.
type PartialObjectMetadataList struct {
	TypeMeta `json:""`
	// What is known about the list.
	// +optional
	ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []PartialObjectMetadata `json:"items" protobuf:"bytes,2,rep,name=items"`
}
