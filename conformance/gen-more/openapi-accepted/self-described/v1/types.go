package v1

// Thing is a thing.
type Thing struct {
	// +default="a"
	Value string `json:"value"`
	// +k8s:validation:maximum=3
	Name  string `json:"name"`
	Other func() `json:"name"`
}

// OpenAPISchemaType says what a thing is.
func (Thing) OpenAPISchemaType() []string { return []string{"string"} }

// OpenAPISchemaFormat says how a thing looks.
func (Thing) OpenAPISchemaFormat() string { return "thing" }
