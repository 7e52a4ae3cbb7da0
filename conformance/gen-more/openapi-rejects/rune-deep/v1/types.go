package v1

// Thing is a thing.
type Thing struct {
	Value map[string][2]rune `json:"value,omitempty"`
}
