// What requests can ask for.

package v1

import (
	"k8s.io/apimachinery/pkg/types"
)

// What a list or watch can ask for.
type ListOptions struct {
	TypeMeta `json:""`
	// Objects by labels.
	// +optional
	LabelSelector string `json:"labelSelector,omitempty" protobuf:"bytes,1,opt,name=labelSelector"`
	// Objects by fields.
	// +optional
	FieldSelector string `json:"fieldSelector,omitempty" protobuf:"bytes,2,opt,name=fieldSelector"`
	// Whether changes are sent as they happen.
	// +optional
	Watch bool `json:"watch,omitempty" protobuf:"varint,3,opt,name=watch"`
	// Whether the server may tell how far it is without a change.
	// +optional
	AllowWatchBookmarks bool `json:"allowWatchBookmarks,omitempty" protobuf:"varint,9,opt,name=allowWatchBookmarks"`
	// Which state of the store is good enough.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,4,opt,name=resourceVersion"`
	// How resourceVersion is meant.
	// +optional
	ResourceVersionMatch ResourceVersionMatch `json:"resourceVersionMatch,omitempty" protobuf:"bytes,10,opt,name=resourceVersionMatch,casttype=ResourceVersionMatch"`
	// How long a list or watch may take.
	// +optional
	TimeoutSeconds *int64 `json:"timeoutSeconds,omitempty" protobuf:"varint,5,opt,name=timeoutSeconds"`
	// How many items are sent at most.
	Limit int64 `json:"limit,omitempty" protobuf:"varint,7,opt,name=limit"`
	// Where an earlier list ended.
	Continue string `json:"continue,omitempty" protobuf:"bytes,8,opt,name=continue"`
	// Whether a watch begins with all objects there are.
	// +optional
	SendInitialEvents *bool `json:"sendInitialEvents,omitempty" protobuf:"varint,11,opt,name=sendInitialEvents"`
	// Narrows the objects to a shard.
	// +optional
	ShardSelector string `json:"shardSelector,omitempty" protobuf:"bytes,15,opt,name=shardSelector"`
}

// How a resourceVersion is meant.
type ResourceVersionMatch string

const (
	ResourceVersionMatchNotOlderThan ResourceVersionMatch = "NotOlderThan"
	ResourceVersionMatchExact        ResourceVersionMatch = "Exact"
)

// What a get can ask for.
type GetOptions struct {
	TypeMeta `json:""`
	// Which state of the store is good enough.
	// +optional
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,1,opt,name=resourceVersion"`
}

// What a deletion can ask for.
type DeleteOptions struct {
	TypeMeta `json:""`
	// How long the object has to end by itself; 0 is at once.
	// +optional
	GracePeriodSeconds *int64 `json:"gracePeriodSeconds,omitempty" protobuf:"varint,1,opt,name=gracePeriodSeconds"`
	// What must hold for the deletion.
	// +optional
	Preconditions *Preconditions `json:"preconditions,omitempty" protobuf:"bytes,2,opt,name=preconditions"`
	// Deprecated: whether objects that belong to it stay. propagationPolicy says more.
	// +optional
	OrphanDependents *bool `json:"orphanDependents,omitempty" protobuf:"varint,3,opt,name=orphanDependents"`
	// What becomes of objects that belong to it.
	// +optional
	PropagationPolicy *DeletionPropagation `json:"propagationPolicy,omitempty" protobuf:"varint,4,opt,name=propagationPolicy"`
	// Set to All when nothing is to be stored.
	// +optional
	// +listType=atomic
	DryRun []string `json:"dryRun,omitempty" protobuf:"bytes,5,rep,name=dryRun"`
	// Whether an object that cannot be read is deleted without any check.
	// +optional
	IgnoreStoreReadErrorWithClusterBreakingPotential *bool `json:"ignoreStoreReadErrorWithClusterBreakingPotential,omitempty" protobuf:"varint,6,opt,name=ignoreStoreReadErrorWithClusterBreakingPotential"`
}

// What becomes of objects that belong to a deleted one.
type DeletionPropagation string

const (
	DeletePropagationOrphan     DeletionPropagation = "Orphan"
	DeletePropagationBackground DeletionPropagation = "Background"
	DeletePropagationForeground DeletionPropagation = "Foreground"
)

// What must hold for a write.
type Preconditions struct {
	// Id the object must have.
	// +optional
	UID *types.UID `json:"uid,omitempty" protobuf:"bytes,1,opt,name=uid,casttype=k8s.io/apimachinery/pkg/types.UID"`
	// State the object must be in.
	// +optional
	ResourceVersion *string `json:"resourceVersion,omitempty" protobuf:"bytes,2,opt,name=resourceVersion"`
}

// What a creation can ask for.
type CreateOptions struct {
	TypeMeta `json:""`
	// Set to All when nothing is to be stored.
	// +optional
	// +listType=atomic
	DryRun []string `json:"dryRun,omitempty" protobuf:"bytes,1,rep,name=dryRun"`
	// Name of who writes.
	// +optional
	FieldManager string `json:"fieldManager,omitempty" protobuf:"bytes,3,name=fieldManager"`
	// What is done about unknown and duplicate fields.
	// +optional
	FieldValidation string `json:"fieldValidation,omitempty" protobuf:"bytes,4,name=fieldValidation"`
}

// What a patch can ask for.
type PatchOptions struct {
	TypeMeta `json:""`
	// Set to All when nothing is to be stored.
	// +optional
	// +listType=atomic
	DryRun []string `json:"dryRun,omitempty" protobuf:"bytes,1,rep,name=dryRun"`
	// Whether fields of other managers are taken over.
	// +optional
	Force *bool `json:"force,omitempty" protobuf:"varint,2,opt,name=force"`
	// Name of who writes.
	// +optional
	FieldManager string `json:"fieldManager,omitempty" protobuf:"bytes,3,name=fieldManager"`
	// What is done about unknown and duplicate fields.
	// +optional
	FieldValidation string `json:"fieldValidation,omitempty" protobuf:"bytes,4,name=fieldValidation"`
}

// What an update can ask for.
type UpdateOptions struct {
	TypeMeta `json:""`
	// Set to All when nothing is to be stored.
	// +optional
	// +listType=atomic
	DryRun []string `json:"dryRun,omitempty" protobuf:"bytes,1,rep,name=dryRun"`
	// Name of who writes.
	// +optional
	FieldManager string `json:"fieldManager,omitempty" protobuf:"bytes,2,name=fieldManager"`
	// What is done about unknown and duplicate fields.
	// +optional
	FieldValidation string `json:"fieldValidation,omitempty" protobuf:"bytes,3,name=fieldValidation"`
}

// What a table can ask for.
type TableOptions struct {
	TypeMeta `json:""`
	// Whether there are no headings.
	NoHeaders bool `json:"-"`
	// How much of each object its row holds.
	IncludeObject IncludeObjectPolicy `json:"includeObject,omitempty" protobuf:"bytes,1,opt,name=includeObject,casttype=IncludeObjectPolicy"`
}

// How much of an object a row holds.
type IncludeObjectPolicy string

const (
	IncludeNone     IncludeObjectPolicy = "None"
	IncludeMetadata IncludeObjectPolicy = "Metadata"
	IncludeObject   IncludeObjectPolicy = "Object"
)
