// Not asked for, but read.
package parts

type Part struct {
	// +kubebuilder:validation:MaxLength=3
	Count int32 `json:"count"`
}

// No resource leads here.
type Other struct {
	// +kubebuilder:validation:MaxItems=3
	Count int32 `json:"count"`
}
