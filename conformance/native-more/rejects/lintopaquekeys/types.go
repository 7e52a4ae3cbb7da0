// Package lintopaquekeys is refused: opaque values of a map whose keys have rules.
package lintopaquekeys

// Thing is the root object.
// +k8s:validation-gen=true
type Thing struct {
	// +k8s:eachVal=+k8s:opaqueType
	Values map[Key]Part `json:"values"`
}

// Key is short.
// +k8s:maxLength=8
type Key string

// Part is a small struct.
type Part struct {
	// +k8s:required
	Name string `json:"name"`
}
