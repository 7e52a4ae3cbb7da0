// +groupName=beacon.h.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:resource:scope=Cluster,path=fires
type Fire struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=5
	// +kubebuilder:validation:UniqueItems=true
	// +kubebuilder:validation:items:MaxLength=5
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:Pattern=`^a`
	// +kubebuilder:validation:items:Format=ipv4
	A []string `json:"a"`
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=4
	B map[string]string `json:"b"`
	// +kubebuilder:validation:items:MinItems=1
	// +kubebuilder:validation:items:MaxItems=2
	// +kubebuilder:validation:items:UniqueItems=false
	C [][]int `json:"c"`
	// +kubebuilder:validation:items:MinProperties=1
	D []map[string]int `json:"d"`
	// +kubebuilder:validation:items:ExclusiveMinimum=true
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100
	// +kubebuilder:validation:items:MultipleOf=2
	E []int64 `json:"e"`
	// +kubebuilder:validation:items:XIntOrString
	// +kubebuilder:validation:items:Pattern=`^[0-9]+%$`
	F []intstr.IntOrString `json:"f"`
	// +kubebuilder:validation:items:Type=string
	G []Named `json:"g"`
	H Named2 `json:"h"`
	I Map2 `json:"i"`
	// +kubebuilder:validation:items:XEmbeddedResource
	// +kubebuilder:validation:items:XPreserveUnknownFields
	J []Obj `json:"j"`
	// +kubebuilder:validation:Enum={1,2}
	K int `json:"k"`
	// +kubebuilder:validation:Enum="a b";"c"
	L string `json:"l"`
	// +kubebuilder:validation:Maximum=1.0
	// +kubebuilder:validation:Minimum=-5
	// +kubebuilder:validation:MultipleOf=1e2
	M int `json:"m"`
	// +kubebuilder:default={}
	// +kubebuilder:validation:MaxItems=3
	N []string `json:"n,omitempty"`
	// +kubebuilder:default={{a: 1},{a: 2}}
	O []Obj `json:"o,omitempty"`
	// +kubebuilder:default={x: {y, z}, "q": "12", r: 12, s: true}
	// +kubebuilder:example={a;b}
	P map[string]Obj `json:"p,omitempty"`
	// +kubebuilder:default=1.50
	// +kubebuilder:example=1e3
	Q intstr.IntOrString `json:"q,omitempty"`
	// +default={"a":[1,2.5,1e3,null,"x"]}
	// +nullable
	R map[string]Obj `json:"r,omitempty"`
}

type Obj struct {
	A int `json:"a"`
}

// +kubebuilder:validation:items:MaxLength=5
// +kubebuilder:validation:MaxItems=5
// +listType=set
type Named2 []string

// +kubebuilder:validation:MaxProperties=5
// +mapType=atomic
type Map2 map[string]Named

type Named string
