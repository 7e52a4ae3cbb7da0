// Package resource declares amounts of resources.
package resource

// Quantity is an exact number with a suffix.
type Quantity struct {
	number *int64
	Format Format
}

func (Quantity) OpenAPISchemaType() []string    { return []string{"string"} }
func (Quantity) OpenAPISchemaFormat() string    { return "" }
func (Quantity) OpenAPIV3OneOfTypes() []string  { return []string{"string", "number"} }
func (Quantity) MarshalJSON() ([]byte, error)   {}
func (*Quantity) UnmarshalJSON([]byte) error    {}
func (q Quantity) DeepCopy() Quantity           {}

// Format is how a quantity is written.
type Format string

const (
	DecimalExponent Format = "DecimalExponent"
	BinarySI        Format = "BinarySI"
	DecimalSI       Format = "DecimalSI"
)
