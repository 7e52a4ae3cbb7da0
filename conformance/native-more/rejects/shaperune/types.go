// Package shaperune is refused: a rune.
package shaperune

// Thing is the root object.
// +k8s:validation-gen=true
type Thing struct {
	Letter rune `json:"letter"`
}
