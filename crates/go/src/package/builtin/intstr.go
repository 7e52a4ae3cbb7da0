// Package intstr declares values that are a number or text.
package intstr

// IntOrString is a number or text.
type IntOrString struct {
	Type   Type   `protobuf:"varint,1,opt,name=type,casttype=Type"`
	IntVal int32  `protobuf:"varint,2,opt,name=intVal"`
	StrVal string `protobuf:"bytes,3,opt,name=strVal"`
}

func (IntOrString) OpenAPISchemaType() []string   { return []string{"string"} }
func (IntOrString) OpenAPISchemaFormat() string   { return "int-or-string" }
func (IntOrString) OpenAPIV3OneOfTypes() []string { return []string{"integer", "string"} }
func (IntOrString) MarshalJSON() ([]byte, error)  {}
func (*IntOrString) UnmarshalJSON([]byte) error   {}

// Type says which of the two a value is.
type Type int64

const (
	Int Type = iota
	String
)
