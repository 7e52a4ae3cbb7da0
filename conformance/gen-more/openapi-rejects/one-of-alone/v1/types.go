package v1

// Thing is a thing.
type Thing struct {
	Value string `json:"value,omitempty"`
}

// OpenAPIV3OneOfTypes says what a thing may be.
func (Thing) OpenAPIV3OneOfTypes() []string { return []string{"integer", "string"} }
