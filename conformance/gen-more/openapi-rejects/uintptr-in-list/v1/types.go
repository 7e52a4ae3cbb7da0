package v1

// Thing is a thing.
type Thing struct {
	Value []uintptr `json:"value,omitempty"`
}
