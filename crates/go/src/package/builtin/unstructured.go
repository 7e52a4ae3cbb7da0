// Package unstructured declares objects without a type.
package unstructured

// Unstructured is an object as a tree of values.
type Unstructured struct {
	Object map[string]interface{}
}

func (*Unstructured) MarshalJSON() ([]byte, error) {}
func (*Unstructured) UnmarshalJSON([]byte) error   {}
func (in *Unstructured) DeepCopy() *Unstructured   {}
