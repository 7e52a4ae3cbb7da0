// +k8s:validation-gen=*
// +k8s:defaulter-gen=true
package v1

// +k8s:validation-gen-nolint
type T struct {
	// +k8s:unionDiscriminator(union: "u")
	D string `json:"d"`
	// +k8s:unionMember(union: "u", memberName: "A")
	// +k8s:optional
	A *M `json:"a,omitempty"`
	// +k8s:eachVal=+k8s:maxLength=3
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:ifEnabled(Opt)=+k8s:maxItems=2
	S map[string]S `json:"s"`
	// +k8s:listType=map
	// +k8s:listMapKey=k
	// +k8s:item(k: "x")=+k8s:subfield(v)=+k8s:immutable
	// +k8s:customUnique
	L []M `json:"l"`
	// +default={"k":"q","v":[1]}
	// +k8s:update=NoSet
	P **M `json:"p"`
	// +default=ref(C)
	Q S `json:"q"`
}

// +k8s:enum
type S string

// +k8s:enumExclude
// +k8s:ifDisabled(X)=+k8s:enumExclude
const C S = "c"

type M struct {
	K string   `json:"k"`
	V []uint16 `json:"v"`
	R *M
}

func SetDefaults_T(t *T) {}
