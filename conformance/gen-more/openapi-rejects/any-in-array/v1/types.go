package v1

// Thing is a thing.
type Thing struct {
	Value [2]any `json:"value,omitempty"`
}
