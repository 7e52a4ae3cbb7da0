package v1

// Thing is a thing.
type Thing struct {
	Value *rune `json:"value,omitempty"`
}
