package v1beta1

// ControllerStatus is what every controller says, and remembers, about an object.
type ControllerStatus struct {
	// Whether the resource is as the object says.
	// +optional
	// +listType=atomic
	Conditions []Condition `json:"conditions,omitempty"`
	// Generation of the object that the status is about.
	// +optional
	ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
	// Name of the resource in the service.
	// +optional
	ExternalRef *string `json:"externalRef,omitempty"`
	// Fields whose live value holds because the spec does not set them.
	// +optional
	// +listType=atomic
	PreservedFields []PreservedField `json:"preservedFields,omitempty"`
	// Paths and values that have no effect.
	// +optional
	// +listType=atomic
	IgnoredFields []IgnoredField `json:"ignoredFields,omitempty"`
	// Fields that were set from the object.
	// +optional
	// +listType=atomic
	AppliedFields []string `json:"appliedFields,omitempty"`
	// Hashes of secrets that were sent.
	// +optional
	SecretHashes map[string]string `json:"secretHashes,omitempty"`
	// The operation that is under way.
	// +optional
	Operation *Operation `json:"operation,omitempty"`
	// The last change that was sent.
	// +optional
	LastWrite *LastWrite `json:"lastWrite,omitempty"`
	// Annotations with fields to keep, as they were seen.
	// +optional
	ObservedListing *string `json:"observedListing,omitempty"`
}

// Condition says whether the resource is as the object says.
type Condition struct {
	// Ready.
	Type string `json:"type"`
	// True or False.
	Status string `json:"status"`
	// One word for machines.
	// +optional
	Reason string `json:"reason,omitempty"`
	// For people.
	// +optional
	Message string `json:"message,omitempty"`
	// When the status changed.
	// +optional
	LastTransitionTime string `json:"lastTransitionTime,omitempty"`
}

// PreservedField is a field with its live value.
type PreservedField struct {
	// The field.
	Path string `json:"path"`
	// Its value in JSON.
	Value string `json:"value"`
}

// IgnoredField is a path or value without effect.
type IgnoredField struct {
	// The field as it was written.
	Path string `json:"path"`
	// Why.
	Reason string `json:"reason"`
}

// Operation is something the service does.
type Operation struct {
	// Name in the service.
	Name string `json:"name"`
	// Whether it removes the resource.
	// +optional
	Deletes bool `json:"deletes,omitempty"`
}

// LastWrite is a change that was sent.
type LastWrite struct {
	// Hash of the change.
	Digest string `json:"digest"`
	// Generation of the object it was sent for.
	Generation int64 `json:"generation"`
	// Times that it was sent, one after the other.
	Times int64 `json:"times"`
}
