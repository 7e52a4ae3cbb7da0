package v1

// Thing is a thing.
type Thing struct {
	Value *func() `json:"value,omitempty"`
}
