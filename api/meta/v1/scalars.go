// Values whose text form is not that of their members.

package v1

import "time"

// An instant, in RFC 3339 with seconds.
// +protobuf.options.marshal=false
// +protobuf.as=Timestamp
type Time struct {
	time.Time `protobuf:"-"`
}

func (Time) OpenAPISchemaType() []string { return []string{"string"} }
func (Time) OpenAPISchemaFormat() string { return "date-time" }
func (Time) MarshalJSON() ([]byte, error)
func (*Time) UnmarshalJSON([]byte) error

// An instant, in RFC 3339 with microseconds.
// +protobuf.options.marshal=false
// +protobuf.as=Timestamp
type MicroTime struct {
	time.Time `protobuf:"-"`
}

func (MicroTime) OpenAPISchemaType() []string { return []string{"string"} }
func (MicroTime) OpenAPISchemaFormat() string { return "date-time" }
func (MicroTime) MarshalJSON() ([]byte, error)
func (*MicroTime) UnmarshalJSON([]byte) error

// An instant on the wire of protocol buffers.
type Timestamp struct {
	// Seconds since 1970.
	Seconds int64 `json:"seconds" protobuf:"varint,1,opt,name=seconds"`
	// The rest in nanoseconds.
	Nanos int32 `json:"nanos" protobuf:"varint,2,opt,name=nanos"`
}

// A span of time as Go writes it, such as 1h30m.
type Duration struct {
	time.Duration `protobuf:"varint,1,opt,name=duration,casttype=time.Duration"`
}

func (Duration) OpenAPISchemaType() []string { return []string{"string"} }
func (Duration) OpenAPISchemaFormat() string { return "" }
func (Duration) MarshalJSON() ([]byte, error)
func (*Duration) UnmarshalJSON([]byte) error

// A set of fields: a tree whose keys are f:NAME, k:KEYS, v:VALUE, i:INDEX, or a dot for the node itself.
type FieldsV1 struct {
	// The set as JSON.
	Raw []byte `json:"-" protobuf:"bytes,1,opt,name=Raw"`
}

func (FieldsV1) MarshalJSON() ([]byte, error)
func (*FieldsV1) UnmarshalJSON([]byte) error
