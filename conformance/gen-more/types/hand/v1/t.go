package v1

import (
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/utils/ptr"
)

const kind = "string"

// Old is written out for version 2.
type Old struct{}

func (Old) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Description: "An old " + "one.",
				Type:        []string{kind},
				Format:      "old",
				MaxLength:   ptr.To[int64](5),
				MinLength:   ptr.To(int64(0)),
				Default:     "x",
				Enum:        []any{"x", "yy", nil},
			},
			VendorExtensible: spec.VendorExtensible{
				Extensions: spec.Extensions{
					"x-kubernetes-map-type": "atomic",
					"x-list":                []any{1, 2.5, true, map[string]any{"a": "b"}},
					"other":                 "lost",
				},
			},
		},
		Dependencies: []string{"example.org/gen/hand/v1.Part"},
	}
}

// Young is written out for version 3.
type Young struct{}

func (Young) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				Type:     []string{"object"},
				Required: []string{"b", "a"},
				Properties: map[string]spec.Schema{
					"a": {SchemaProps: spec.SchemaProps{Type: []string{"integer"}, Maximum: ptr.To[float64](10), Minimum: ptr.To(0.5), Nullable: true, ExclusiveMinimum: true}},
					"b": {
						SchemaProps: spec.SchemaProps{
							Type:  []string{"array"},
							Items: &spec.SchemaOrArray{Schema: &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}, Default: ""}}},
						},
					},
					"c": {SchemaProps: spec.SchemaProps{AdditionalProperties: &spec.SchemaOrBool{Allows: true, Schema: &spec.Schema{}}}},
					"d": {SchemaProps: spec.SchemaProps{AdditionalProperties: &spec.SchemaOrBool{Allows: true}}},
					"e": {SchemaProps: spec.SchemaProps{AnyOf: []spec.Schema{{SchemaProps: spec.SchemaProps{Type: []string{"string"}}}, {}}}},
					"f": {SchemaProps: spec.SchemaProps{Type: []string{"string", "number"}, Not: &spec.Schema{SchemaProps: spec.SchemaProps{Pattern: "a"}}}},
				},
			},
		},
	}
}

// Both has one for each.
type Both struct{}

func (Both) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{
		Schema: spec.Schema{
			SchemaProps: spec.SchemaProps{
				OneOf: []spec.Schema{
					{SchemaProps: spec.SchemaProps{Type: []string{"string"}}},
					{SchemaProps: spec.SchemaProps{Type: []string{"integer"}}},
				},
			},
		},
	}
}

func (*Both) other() {}

func (Both) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}}}}
}

// Mixed has a type and a format for version 2.
type Mixed struct{}

func (Mixed) OpenAPIV3Definition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{Schema: spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}}
}

func (Mixed) OpenAPISchemaType() []string { return []string{"number"} }
func (Mixed) OpenAPISchemaFormat() string { return "mixed" }

// Empty says nothing.
type Empty struct{}

func (_ Empty) OpenAPIDefinition() common.OpenAPIDefinition {
	return common.OpenAPIDefinition{}
}

// Part is an ordinary type.
type Part struct {
	Old   Old    `json:"old"`
	Young *Young `json:"young,omitempty"`
	// what it is
	Both  Both             `json:"both,omitempty"`
	Mixed map[string]Mixed `json:"mixed"`
	Empty []Empty          `json:"empty"`
}
