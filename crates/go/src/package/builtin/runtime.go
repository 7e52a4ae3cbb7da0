// Package runtime declares objects of kinds not known in advance.
package runtime

// RawExtension holds an object as it was sent.
type RawExtension struct {
	Raw    []byte `json:"-" protobuf:"bytes,1,opt,name=raw"`
	Object Object `json:"-"`
}

func (RawExtension) MarshalJSON() ([]byte, error) {}
func (*RawExtension) UnmarshalJSON([]byte) error  {}

// Object is any kind of object.
type Object interface {
	DeepCopyObject() Object
}

// TypeMeta names the kind of an object.
type TypeMeta struct {
	// +optional
	APIVersion string `json:"apiVersion,omitempty" yaml:"apiVersion,omitempty" protobuf:"bytes,1,opt,name=apiVersion"`
	// +optional
	Kind string `json:"kind,omitempty" yaml:"kind,omitempty" protobuf:"bytes,2,opt,name=kind"`
}
