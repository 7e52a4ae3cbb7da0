package v1

// Thing is a thing.
type Thing struct {
	// +k8s:validation:maximum=3
	// +patchStrategy=merge
	// +default="a"
	// +optional
	// +required
	Inner `json:",inline"`
	// +k8s:validation:maximum=3
	Hidden string `json:"-"`
	// +k8s:openapi-gen=false
	// +default="a"
	Secret string `json:"secret"`
}

// Inner is embedded.
type Inner struct {
	Name string `json:"name"`
}
