// Package v1 declares free-form values of custom resources.
package v1

// JSON is any value.
type JSON struct {
	Raw []byte `json:"-" protobuf:"bytes,1,opt,name=raw"`
}

func (JSON) OpenAPISchemaType() []string  { return nil }
func (JSON) OpenAPISchemaFormat() string  { return "" }
func (JSON) MarshalJSON() ([]byte, error) {}
func (*JSON) UnmarshalJSON([]byte) error  {}
