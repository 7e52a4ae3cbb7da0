// Package ifmodesubfieldtype is refused: a subfield on the type of a struct whose member has a mode.
package ifmodesubfieldtype

// Thing is the root object.
// +k8s:validation-gen=true
// +k8s:subfield("value")=+k8s:maxLength=3
type Thing struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`
	// +k8s:alpha=+k8s:ifMode("a")=+k8s:required
	Value string `json:"value"`
}
