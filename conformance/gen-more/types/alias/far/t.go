package far

// Far is far.
// +kubebuilder:validation:MinLength=2
type Far string

// FarStruct doc.
type FarStruct struct {
	// X doc
	X string `json:"x"`
}

// AliasHere is alias in other package.
type AliasHere = Far

// AliasStruct doc here.
type AliasStruct = FarStruct
