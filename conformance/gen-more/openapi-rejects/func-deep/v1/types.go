package v1

// Thing is a thing.
type Thing struct {
	Value []map[string]func() `json:"value,omitempty"`
}
