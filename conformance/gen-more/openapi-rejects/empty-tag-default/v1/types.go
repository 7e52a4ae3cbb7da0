package v1

// Thing is a thing.
type Thing struct {
	// +default="a"
	Value string `json:""`
}
