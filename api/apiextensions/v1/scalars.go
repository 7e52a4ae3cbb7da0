// How values of several forms are written.

package v1

func (JSON) OpenAPISchemaType() []string { return nil }
func (JSON) OpenAPISchemaFormat() string { return "" }
func (JSON) MarshalJSON() ([]byte, error)
func (*JSON) UnmarshalJSON([]byte) error

func (JSONSchemaPropsOrArray) OpenAPISchemaType() []string { return nil }
func (JSONSchemaPropsOrArray) OpenAPISchemaFormat() string { return "" }
func (JSONSchemaPropsOrArray) MarshalJSON() ([]byte, error)
func (*JSONSchemaPropsOrArray) UnmarshalJSON([]byte) error

func (JSONSchemaPropsOrBool) OpenAPISchemaType() []string { return nil }
func (JSONSchemaPropsOrBool) OpenAPISchemaFormat() string { return "" }
func (JSONSchemaPropsOrBool) MarshalJSON() ([]byte, error)
func (*JSONSchemaPropsOrBool) UnmarshalJSON([]byte) error

func (JSONSchemaPropsOrStringArray) OpenAPISchemaType() []string { return nil }
func (JSONSchemaPropsOrStringArray) OpenAPISchemaFormat() string { return "" }
func (JSONSchemaPropsOrStringArray) MarshalJSON() ([]byte, error)
func (*JSONSchemaPropsOrStringArray) UnmarshalJSON([]byte) error
