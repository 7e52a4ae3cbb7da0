package v1

// Thing is a thing.
type Thing struct {
	Value map[string][]any `json:"value,omitempty"`
}
