// What the server answers besides objects: statuses, watch events, tables.

package v1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// What became of a request that has no object for an answer.
type Status struct {
	TypeMeta `json:""`
	// What is known about the list.
	// +optional
	ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Success or Failure.
	// +optional
	Status string `json:"status,omitempty" protobuf:"bytes,2,opt,name=status"`
	// What happened, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,3,opt,name=message"`
	// What happened, in one word for programs.
	// +optional
	Reason StatusReason `json:"reason,omitempty" protobuf:"bytes,4,opt,name=reason,casttype=StatusReason"`
	// More for programs.
	// +optional
	Details *StatusDetails `json:"details,omitempty" protobuf:"bytes,5,opt,name=details"`
	// The HTTP status code.
	// +optional
	Code int32 `json:"code,omitempty" protobuf:"varint,6,opt,name=code"`
}

// More about what became of a request.
type StatusDetails struct {
	// Name of the object.
	// +optional
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	// Group of the resource.
	// +optional
	Group string `json:"group,omitempty" protobuf:"bytes,2,opt,name=group"`
	// The resource, or the kind.
	// +optional
	Kind string `json:"kind,omitempty" protobuf:"bytes,3,opt,name=kind"`
	// Id of the object.
	// +optional
	UID types.UID `json:"uid,omitempty" protobuf:"bytes,6,opt,name=uid,casttype=k8s.io/apimachinery/pkg/types.UID"`
	// Single causes of a failure.
	// +optional
	// +listType=atomic
	Causes []StatusCause `json:"causes,omitempty" protobuf:"bytes,4,rep,name=causes"`
	// How long to wait before asking again.
	// +optional
	RetryAfterSeconds int32 `json:"retryAfterSeconds,omitempty" protobuf:"varint,5,opt,name=retryAfterSeconds"`
}

// What became of a request, in one word.
type StatusReason string

const (
	StatusReasonUnknown               StatusReason = ""
	StatusReasonUnauthorized          StatusReason = "Unauthorized"
	StatusReasonForbidden             StatusReason = "Forbidden"
	StatusReasonNotFound              StatusReason = "NotFound"
	StatusReasonAlreadyExists         StatusReason = "AlreadyExists"
	StatusReasonConflict              StatusReason = "Conflict"
	StatusReasonGone                  StatusReason = "Gone"
	StatusReasonInvalid               StatusReason = "Invalid"
	StatusReasonServerTimeout         StatusReason = "ServerTimeout"
	StatusReasonStoreReadError        StatusReason = "StorageReadError"
	StatusReasonTimeout               StatusReason = "Timeout"
	StatusReasonTooManyRequests       StatusReason = "TooManyRequests"
	StatusReasonBadRequest            StatusReason = "BadRequest"
	StatusReasonMethodNotAllowed      StatusReason = "MethodNotAllowed"
	StatusReasonNotAcceptable         StatusReason = "NotAcceptable"
	StatusReasonRequestEntityTooLarge StatusReason = "RequestEntityTooLarge"
	StatusReasonUnsupportedMediaType  StatusReason = "UnsupportedMediaType"
	StatusReasonInternalError         StatusReason = "InternalError"
	StatusReasonExpired               StatusReason = "Expired"
	StatusReasonServiceUnavailable    StatusReason = "ServiceUnavailable"
)

// One cause of a failure.
type StatusCause struct {
	// The kind of cause.
	// +optional
	Type CauseType `json:"reason,omitempty" protobuf:"bytes,1,opt,name=reason,casttype=CauseType"`
	// The cause, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,2,opt,name=message"`
	// The field it is about, such as items[0].name.
	// +optional
	Field string `json:"field,omitempty" protobuf:"bytes,3,opt,name=field"`
}

// A kind of cause.
type CauseType string

const (
	CauseTypeFieldValueNotFound       CauseType = "FieldValueNotFound"
	CauseTypeFieldValueRequired       CauseType = "FieldValueRequired"
	CauseTypeFieldValueDuplicate      CauseType = "FieldValueDuplicate"
	CauseTypeFieldValueInvalid        CauseType = "FieldValueInvalid"
	CauseTypeFieldValueNotSupported   CauseType = "FieldValueNotSupported"
	CauseTypeForbidden                CauseType = "FieldValueForbidden"
	CauseTypeTooLong                  CauseType = "FieldValueTooLong"
	CauseTypeTooMany                  CauseType = "FieldValueTooMany"
	CauseTypeInternal                 CauseType = "InternalError"
	CauseTypeTypeInvalid              CauseType = "FieldValueTypeInvalid"
	CauseTypeUnexpectedServerResponse CauseType = "UnexpectedServerResponse"
	CauseTypeFieldManagerConflict     CauseType = "FieldManagerConflict"
	CauseTypeResourceVersionTooLarge  CauseType = "ResourceVersionTooLarge"
)

// A change of an object.
// +protobuf=true
type WatchEvent struct {
	// ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.
	Type string `json:"type" protobuf:"bytes,1,opt,name=type"`
	// The object after the change, or before it was deleted; a Status for an error.
	Object runtime.RawExtension `json:"object" protobuf:"bytes,2,opt,name=object"`
}

// Objects as rows of text.
// +protobuf=false
type Table struct {
	TypeMeta `json:""`
	// What is known about the list.
	// +optional
	ListMeta `json:"metadata,omitempty"`
	// The columns.
	// +listType=atomic
	ColumnDefinitions []TableColumnDefinition `json:"columnDefinitions"`
	// The rows.
	// +listType=atomic
	Rows []TableRow `json:"rows"`
}

// A column.
// +protobuf=false
type TableColumnDefinition struct {
	// Heading.
	Name string `json:"name"`
	// Type of the cells.
	Type string `json:"type"`
	// Format of the cells.
	Format string `json:"format"`
	// What the column shows.
	Description string `json:"description"`
	// Columns above 0 are shown only when there is room.
	Priority int32 `json:"priority"`
}

// A row.
// +protobuf=false
type TableRow struct {
	// One value for each column.
	// +listType=atomic
	Cells []interface{} `json:"cells"`
	// What is special about the row.
	// +optional
	// +listType=atomic
	Conditions []TableRowCondition `json:"conditions,omitempty"`
	// The object, or what was asked of it.
	// +optional
	Object runtime.RawExtension `json:"object,omitempty"`
}

// Something special about a row.
// +protobuf=false
type TableRowCondition struct {
	// What it is about.
	Type RowConditionType `json:"type"`
	// Whether it holds.
	Status ConditionStatus `json:"status"`
	// Why, in one word for programs.
	// +optional
	Reason string `json:"reason,omitempty"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty"`
}

// Something special about a row.
type RowConditionType string

const (
	RowCompleted RowConditionType = "Completed"
)
