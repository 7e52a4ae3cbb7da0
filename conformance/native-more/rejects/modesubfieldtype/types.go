// Package modesubfieldtype is refused: a subfield on the type of a struct whose member is a discriminator that nothing uses.
package modesubfieldtype

// Thing is the root object.
// +k8s:validation-gen=true
// +k8s:subfield("mode")=+k8s:maxLength=3
type Thing struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`
}
