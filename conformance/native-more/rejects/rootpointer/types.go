// Package rootpointer is refused: a typedef of a pointer that is a root.
package rootpointer

// Part is a small struct.
type Part struct {
	Name string `json:"name"`
}

// Link is a root of its own.
// +k8s:validation-gen=true
type Link *Part
