// Package ifmodesubfieldfield is refused: a subfield that reads the modes of a member without their discriminator.
package ifmodesubfieldfield

// Thing is the root object.
// +k8s:validation-gen=true
type Thing struct {
	// +k8s:subfield("value")=+k8s:maxLength=3
	Part Part `json:"part"`
}

// Part has modes.
type Part struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`
	// +k8s:ifMode("a")=+k8s:required
	Value string `json:"value"`
}
