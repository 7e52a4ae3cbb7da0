// Package customchained is refused: a custom check behind a condition without its function.
package customchained

// Thing is the root object.
// +k8s:validation-gen=true
type Thing struct {
	// +k8s:ifEnabled("Gate")=+k8s:customValidation
	Value string `json:"value"`
}
