package v1

// Thing is a thing.
type Thing struct {
	Value []map[int]string `json:"value,omitempty"`
}
