// Package api has one small kind.
package api

// Thing is small.
type Thing struct {
	Kind string `json:"kind,omitempty"`
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:ifEnabled(Big)=+k8s:minimum=10
	// +default=3
	Size int32 `json:"size,omitempty"`
	// +k8s:immutable
	Color string `json:"color,omitempty"`
}
