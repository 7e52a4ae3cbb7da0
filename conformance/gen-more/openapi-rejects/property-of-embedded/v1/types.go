package v1

// Thing is a thing.
type Thing struct {
	// +k8s:validation:properties:missing:maxLength=3
	Value Outer `json:"value,omitempty"`
}

// Outer embeds.
type Outer struct {
	Inner `json:",inline"`
}

// Inner is embedded.
type Inner struct {
	Name string `json:"name"`
}
