package v1beta1

// ControllerStatus is what every controller says about an object.
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
