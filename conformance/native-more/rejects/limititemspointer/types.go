// Package limititemspointer is refused: a limit of items on a pointer.
package limititemspointer

// Thing is the root object.
// +k8s:validation-gen=true
type Thing struct {
	// +k8s:maxItems=3
	Value *string `json:"value"`
}
