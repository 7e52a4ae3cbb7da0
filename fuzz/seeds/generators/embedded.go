package v1

// +kubebuilder:object:root=true
type A struct {
	*B `json:",inline"`
	*A `json:",inline"`
	One string `json:"one"`
}

type B struct {
	*A `json:",inline"`
	*B `json:",inline"`
	Two string `json:"two"`
}
