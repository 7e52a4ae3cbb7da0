package methods

import (
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Whole returns its definition.
type Whole struct{ A string }

func (Whole) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}}}}
}

// Third returns one for version 3.
type Third struct{ A string }

func (Third) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"integer"}}}}
}

// Both returns two.
type Both struct{ A string }

func (Both) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}}}}
}

func (Both) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"integer"}}}}
}

// Formatted says its type and format.
// +k8s:openapi-gen=x-kubernetes-color:red
// +k8s:validation:maxLength=4
type Formatted struct{ A string }

func (Formatted) OpenAPISchemaType() []string { return []string{"string"} }

func (Formatted) OpenAPISchemaFormat() string { return "color" }

// Either has several types.
// +mapType=atomic
type Either struct{ A string }

func (Either) OpenAPISchemaType() []string { return []string{"string"} }

func (Either) OpenAPISchemaFormat() string { return "int-or-string" }

func (Either) OpenAPIV3OneOfTypes() []string { return []string{"integer", "string"} }

// Mixed has type, format, and a definition for version 3.
type Mixed struct{ A string }

func (Mixed) OpenAPISchemaType() []string { return []string{"string"} }

func (Mixed) OpenAPISchemaFormat() string { return "" }

func (Mixed) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"integer"}}}}
}

// User has fields of them.
type User struct {
	Whole Whole `json:"whole"`
	Both  *Both `json:"both,omitempty"`
	// +listType=atomic
	Either    []Either             `json:"either,omitempty"`
	Formatted map[string]Formatted `json:"formatted,omitempty"`
	Decoded   Decoded              `json:"decoded"`
}

// Decoded decodes itself.
type Decoded struct {
	A string `json:"a"`
}

func (d *Decoded) UnmarshalJSON(data []byte) error { return nil }
