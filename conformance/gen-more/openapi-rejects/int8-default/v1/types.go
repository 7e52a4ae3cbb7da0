package v1

// Thing is a thing.
type Thing struct {
	// +default=0
	Value int8 `json:"value"`
}
