package v1

// Thing is a thing.
type Thing struct {
	Value []any `json:"value,omitempty"`
}
