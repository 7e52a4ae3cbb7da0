// Package v1 declares the parts of every Kubernetes object.
package v1

import "k8s.io/apimachinery/pkg/types"

// TypeMeta says what an object is: its kind, and the group and version of the API
// that the rest of it is written in. Types of objects that are stored or sent
// embed it inline.
type TypeMeta struct {
	// Kind names the type of the object, as the API lists it.
	// A request may leave it out where its URL already says it.
	// It stays the same for the life of the object.
	// Written in CamelCase.
	// The API conventions explain kinds.
	// +optional
	Kind string `json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"`
	// APIVersion is the group and version whose fields the object uses.
	// The server reads any version it knows into the one it works with,
	// and refuses versions it has never heard of.
	// The API conventions explain versions.
	// +optional
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,2,opt,name=apiVersion"`
}

// ListMeta is the metadata of answers that are not objects of their own,
// such as lists and statuses. Where it is used, ObjectMeta is not.
type ListMeta struct {
	// Deprecated: the server no longer sets selfLink.
	// +optional
	SelfLink string `json:"selfLink,omitempty" protobuf:"bytes,1,opt,name=selfLink"`
	// ResourceVersion is the state of the store that the list was read from.
	// Watches and later lists start from it.
	// It has no meaning outside the server: compare it for equality only.
	// The server sets it.
	// Clients never do.
	// The API conventions explain how it guards against lost updates.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,2,opt,name=resourceVersion"`
	// Continue is the token for the next page, and empty on the last one. It is
	// given when the request limits how many items it wants. Send it back
	// unchanged to the same URL. Tokens grow old: after some minutes, or when
	// the server was configured anew, the rest of the list may be gone, and
	// the server then offers another token to go on with. All pages show the
	// same resourceVersion, except for those fetched with such a
	// second token.
	// +optional
	Continue string `json:"continue,omitempty" protobuf:"bytes,3,opt,name=continue"`
	// RemainingItemCount says how many items follow after this page.
	// It is left out where the server cannot count
	// without reading everything, which is the case for selectors,
	// and on the last page, where nothing follows,
	// as well as on a list that was never split
	// into pages.
	// Servers before v1.15 never send it.
	// Take it as an estimate, for a progress bar say:
	// objects come and go while a list is read.
	// +optional
	RemainingItemCount *int64 `json:"remainingItemCount,omitempty" protobuf:"bytes,4,opt,name=remainingItemCount"`
	// ShardInfo is given when the request chose a shard, so that
	// the list holds part of the objects only. It repeats the selector,
	// which tells a client that reads many shards what it has got.
	// A list with it must not be kept
	// as if it were everything.
	//
	// Alpha: served with the feature gate ShardedListAndWatch.
	// +optional
	ShardInfo *ShardInfo `json:"shardInfo,omitempty" protobuf:"bytes,5,opt,name=shardInfo"`
}

// ShardInfo tells which shard of a collection a list shows.
// Lists without it are not sharded.
type ShardInfo struct {
	// Selector is the shard selector as the request had it,
	// for clients that put the lists of all shards together.
	// +required
	Selector string `json:"selector" protobuf:"bytes,1,opt,name=selector"`
}

// ObjectMeta is the metadata of an object.
type ObjectMeta struct {
	// Name is unique among the objects of the kind in their namespace. It cannot be changed.
	// +optional
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	// GenerateName is what the server begins a unique name with when name is not given.
	// +optional
	GenerateName string `json:"generateName,omitempty" protobuf:"bytes,2,opt,name=generateName"`
	// Namespace is the space in which the name is unique. It cannot be changed.
	// +optional
	Namespace string `json:"namespace,omitempty" protobuf:"bytes,3,opt,name=namespace"`
	// Deprecated: the server no longer sets selfLink.
	// +optional
	SelfLink string `json:"selfLink,omitempty" protobuf:"bytes,4,opt,name=selfLink"`
	// UID tells this object from all others, earlier ones of the same name included. Set by the server.
	// +optional
	UID types.UID `json:"uid,omitempty" protobuf:"bytes,5,opt,name=uid,casttype=k8s.io/kubernetes/pkg/types.UID"`
	// ResourceVersion changes with every write of the object. Clients only compare and send it back.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,6,opt,name=resourceVersion"`
	// Generation counts the changes of the desired state. Set by the server.
	// +optional
	Generation int64 `json:"generation,omitempty" protobuf:"varint,7,opt,name=generation"`
	// CreationTimestamp is when the server created the object.
	// +optional
	CreationTimestamp Time `json:"creationTimestamp,omitempty,omitzero" protobuf:"bytes,8,opt,name=creationTimestamp"`
	// DeletionTimestamp is when the object will be deleted. Set by the server when deletion is asked for.
	// +optional
	DeletionTimestamp *Time `json:"deletionTimestamp,omitempty" protobuf:"bytes,9,opt,name=deletionTimestamp"`
	// DeletionGracePeriodSeconds is how long the object has to end by itself once its deletion was asked for.
	// +optional
	DeletionGracePeriodSeconds *int64 `json:"deletionGracePeriodSeconds,omitempty" protobuf:"varint,10,opt,name=deletionGracePeriodSeconds"`
	// Labels are names and values that selectors choose objects by.
	// +optional
	Labels map[string]string `json:"labels,omitempty" protobuf:"bytes,11,rep,name=labels"`
	// Annotations are names and values for tools and people; nothing is selected by them.
	// +optional
	Annotations map[string]string `json:"annotations,omitempty" protobuf:"bytes,12,rep,name=annotations"`
	// OwnerReferences name the objects this one belongs to. It goes when all of them are gone.
	// +optional
	// +patchMergeKey=uid
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=uid
	OwnerReferences []OwnerReference `json:"ownerReferences,omitempty" patchStrategy:"merge" patchMergeKey:"uid" protobuf:"bytes,13,rep,name=ownerReferences"`
	// Finalizers must all be removed before the object is deleted.
	// +optional
	// +patchStrategy=merge
	// +listType=set
	Finalizers []string `json:"finalizers,omitempty" patchStrategy:"merge" protobuf:"bytes,14,rep,name=finalizers"`
	// ManagedFields say which manager set which fields. Kept by the server.
	// +optional
	// +listType=atomic
	ManagedFields []ManagedFieldsEntry `json:"managedFields,omitempty" protobuf:"bytes,17,rep,name=managedFields"`
}

// OwnerReference points to an object that this one belongs to. Owners
// live in the same namespace, or in none; that is why the reference
// does not name one.
// +structType=atomic
type OwnerReference struct {
	// APIVersion is the owner's group and version.
	APIVersion string `json:"apiVersion" protobuf:"bytes,5,opt,name=apiVersion"`
	// Kind is the owner's kind.
	// The API conventions explain kinds.
	Kind string `json:"kind" protobuf:"bytes,1,opt,name=kind"`
	// Name is the owner's name.
	// The concepts of Kubernetes explain names.
	Name string `json:"name" protobuf:"bytes,3,opt,name=name"`
	// UID is the owner's uid; a new object of the old name is not the owner.
	// The concepts of Kubernetes explain uids.
	UID types.UID `json:"uid" protobuf:"bytes,4,opt,name=uid,casttype=k8s.io/apimachinery/pkg/types.UID"`
	// Controller marks the one owner that manages the object.
	// +optional
	Controller *bool `json:"controller,omitempty" protobuf:"varint,6,opt,name=controller"`
	// BlockOwnerDeletion makes the owner wait for this object
	// when it is deleted in the foreground, that is with the
	// finalizer "foregroundDeletion".
	// The garbage collector removes the reference, or the object,
	// and only then lets the owner go.
	// False if not given.
	// Who sets it must be allowed to delete the owner;
	// the server answers 422 to others.
	// +optional
	BlockOwnerDeletion *bool `json:"blockOwnerDeletion,omitempty" protobuf:"varint,7,opt,name=blockOwnerDeletion"`
}

// ManagedFieldsOperationType says how a manager wrote its fields: by apply or by update.
type ManagedFieldsOperationType string

const (
	ManagedFieldsOperationApply  ManagedFieldsOperationType = "Apply"
	ManagedFieldsOperationUpdate ManagedFieldsOperationType = "Update"
)

// ManagedFieldsEntry holds the fields that one manager set by one operation,
// in the version it wrote them in.
type ManagedFieldsEntry struct {
	// Manager is the name of who set the fields.
	Manager string `json:"manager,omitempty" protobuf:"bytes,1,opt,name=manager"`
	// Operation is how the fields were set.
	// It is 'Apply' for server-side apply and 'Update' for everything else.
	Operation ManagedFieldsOperationType `json:"operation,omitempty" protobuf:"bytes,2,opt,name=operation,casttype=ManagedFieldsOperationType"`
	// APIVersion is the group and version that the paths of the fields
	// are valid in, written "group/version".
	// Paths of one version may mean nothing in
	// another, so each entry keeps its own.
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,3,opt,name=apiVersion"`
	// Time is when the manager last changed what it owns:
	// it took a field over, gave one up
	// or wrote another value. Losing
	// a field to another manager does
	// not change it.
	Time *Time `json:"time,omitempty" protobuf:"bytes,4,opt,name=time"`
	// FieldsType names the format of the fields.
	// "FieldsV1" is all there is so far.
	FieldsType string `json:"fieldsType,omitempty" protobuf:"bytes,6,opt,name=fieldsType"`
	// FieldsV1 is the set of fields, in the format of that name.
	// +optional
	FieldsV1 *FieldsV1 `json:"fieldsV1,omitempty" protobuf:"bytes,7,opt,name=fieldsV1"`
	// Subresource is the part of the object that was written, such as
	// status or scale, and empty for the object as a whole.
	// Entries of one manager are kept apart by it:
	// what a controller sets in the status
	// is not what it sets in the spec.
	// The version beside it is the object's,
	// whatever version the subresource has.
	Subresource string `json:"subresource,omitempty" protobuf:"bytes,8,opt,name=subresource"`
}

// FieldsV1 is a set of fields as a tree of JSON objects.
//
// The key "." stands for the place itself, and holds an empty object.
// All other keys start with a letter that says what follows:
// "f:" the name of a member,
// "v:" the value of an item in a set, as JSON,
// "i:" the index of an item,
// "k:" the key members of an item with their values, as JSON.
// An empty object below a key means that the field is in the set.
//
// The library sigs.k8s.io/structured-merge-diff reads and writes it.
type FieldsV1 struct {
	// Raw is the set as JSON text.
	//
	// Deprecated: the accessors of the published type hide how the text is kept.
	Raw []byte `json:"-" protobuf:"bytes,1,opt,name=Raw"`
}

// Time is an instant in seconds.
type Time struct {
	Time *int64 `json:"-"`
}

func (Time) OpenAPISchemaType() []string  { return []string{"string"} }
func (Time) OpenAPISchemaFormat() string  { return "date-time" }
func (Time) MarshalJSON() ([]byte, error) {}
func (*Time) UnmarshalJSON([]byte) error  {}
func (*Time) DeepCopyInto(out *Time)      {}

// MicroTime is an instant in microseconds.
type MicroTime struct {
	Time *int64 `json:"-"`
}

func (MicroTime) OpenAPISchemaType() []string  { return []string{"string"} }
func (MicroTime) OpenAPISchemaFormat() string  { return "date-time" }
func (MicroTime) MarshalJSON() ([]byte, error) {}
func (*MicroTime) UnmarshalJSON([]byte) error  {}
func (*MicroTime) DeepCopyInto(out *MicroTime) {}

// Duration is a length of time, written as Go writes it.
type Duration struct {
	Duration int64
}

func (Duration) OpenAPISchemaType() []string  { return []string{"string"} }
func (Duration) OpenAPISchemaFormat() string  { return "" }
func (Duration) MarshalJSON() ([]byte, error) {}
func (*Duration) UnmarshalJSON([]byte) error  {}

// LabelSelector chooses objects by their labels. An object must
// meet all that is said in both members. An empty selector chooses every
// object, a missing one chooses none.
// +structType=atomic
type LabelSelector struct {
	// MatchLabels are labels an object must have, with
	// exactly these values. Each is short for an expression
	// with the operator "In" and one value.
	// +optional
	MatchLabels map[string]string `json:"matchLabels,omitempty" protobuf:"bytes,1,rep,name=matchLabels"`
	// MatchExpressions are conditions on labels, all of which must hold.
	// +optional
	// +listType=atomic
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty" protobuf:"bytes,2,rep,name=matchExpressions"`
}

// LabelSelectorRequirement is a condition on one label: its key, an operator,
// and the values to compare with.
type LabelSelectorRequirement struct {
	// Key is the label that is looked at.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// Operator is how the label is compared.
	// In and NotIn look at its value, Exists and DoesNotExist do not.
	Operator LabelSelectorOperator `json:"operator" protobuf:"bytes,2,opt,name=operator,casttype=LabelSelectorOperator"`
	// Values is what In and NotIn compare with,
	// and holds at least one value for them.
	// With Exists and DoesNotExist it stays empty. A strategic merge patch
	// writes the list as a whole.
	// +optional
	// +listType=atomic
	Values []string `json:"values,omitempty" protobuf:"bytes,3,rep,name=values"`
}

// LabelSelectorOperator is how a requirement compares a label with its values.
type LabelSelectorOperator string

const (
	LabelSelectorOpIn           LabelSelectorOperator = "In"
	LabelSelectorOpNotIn        LabelSelectorOperator = "NotIn"
	LabelSelectorOpExists       LabelSelectorOperator = "Exists"
	LabelSelectorOpDoesNotExist LabelSelectorOperator = "DoesNotExist"
)

type ConditionStatus string

const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// Condition is one thing that is known about the state of an object.
type Condition struct {
	// Type names the condition, in CamelCase, with a domain before it if need be.
	// +required
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
	// +kubebuilder:validation:MaxLength=316
	Type string `json:"type" protobuf:"bytes,1,opt,name=type"`
	// Status says whether the condition holds.
	// +required
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Enum=True;False;Unknown
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status"`
	// ObservedGeneration is the metadata.generation of the object when the condition was set.
	// A number below today's generation
	// means that the condition speaks of an older spec.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty" protobuf:"varint,3,opt,name=observedGeneration"`
	// LastTransitionTime is when the status last became another one.
	// Where nobody knows when that happened, the time of the write will do.
	// +required
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Format=date-time
	LastTransitionTime Time `json:"lastTransitionTime" protobuf:"bytes,4,opt,name=lastTransitionTime"`
	// Reason is one word for programs that says why the condition has its status.
	// Which words there are, and what each of them means,
	// is up to the writer of the condition.
	// Written in CamelCase.
	// Never empty.
	// +required
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`
	Reason string `json:"reason" protobuf:"bytes,5,opt,name=reason"`
	// Message says the same to people, with details.
	// It can be empty.
	// +required
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:MaxLength=32768
	Message string `json:"message" protobuf:"bytes,6,opt,name=message"`
}

// GroupKind names a kind without its version. Lookups that come before a version was chosen
// pass it around.
type GroupKind struct {
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	Kind  string `json:"kind" protobuf:"bytes,2,opt,name=kind"`
}

// GroupVersionKind names a kind in full. Its group and version are plain members, so that
// it is written as an object of three strings.
type GroupVersionKind struct {
	Group   string `json:"group" protobuf:"bytes,1,opt,name=group"`
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
	Kind    string `json:"kind" protobuf:"bytes,3,opt,name=kind"`
}

// GroupVersion names an API: its group and one of the versions.
type GroupVersion struct {
	Group   string `json:"group" protobuf:"bytes,1,opt,name=group"`
	Version string `json:"version" protobuf:"bytes,2,opt,name=version"`
}

// GroupResource names a resource without its version. Lookups that come before a version was chosen
// pass it around.
type GroupResource struct {
	Group    string `json:"group" protobuf:"bytes,1,opt,name=group"`
	Resource string `json:"resource" protobuf:"bytes,2,opt,name=resource"`
}

// GroupVersionResource names a resource in full. Its group and version are plain members, so that
// it is written as an object of three strings.
type GroupVersionResource struct {
	Group    string `json:"group" protobuf:"bytes,1,opt,name=group"`
	Version  string `json:"version" protobuf:"bytes,2,opt,name=version"`
	Resource string `json:"resource" protobuf:"bytes,3,opt,name=resource"`
}

// Verbs are the names of what a client can do with a resource.
type Verbs []string

// Preconditions name the state an object must be in for a write to happen.
type Preconditions struct {
	// UID is the uid the object must have.
	// +optional
	UID *types.UID `json:"uid,omitempty" protobuf:"bytes,1,opt,name=uid,casttype=k8s.io/apimachinery/pkg/types.UID"`
	// ResourceVersion is the version the object must have.
	// +optional
	ResourceVersion *string `json:"resourceVersion,omitempty" protobuf:"bytes,2,opt,name=resourceVersion"`
}
