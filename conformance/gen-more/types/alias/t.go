// +groupName=alias.h.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"example.org/gen/alias/far"
	"time"
	"encoding/json"
)

// Agent is it.
type Agent struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	A Str `json:"a"`
	// field doc
	B Str `json:"b"`
	// +kubebuilder:validation:MaxLength=5
	C Str `json:"c"`
	D StructAlias `json:"d"`
	E NamedAlias `json:"e"`
	// +kubebuilder:validation:MaxLength=5
	F NamedAlias `json:"f"`
	G AliasOfAlias `json:"g"`
	H LibAlias `json:"h"`
	I FarAlias `json:"i"`
	J far.AliasHere `json:"j"`
	K far.AliasStruct `json:"k"`
	L Num `json:"l"`
	M []Str `json:"m"`
	N map[string]Str `json:"n"`
	O *Str `json:"o,omitempty"`
	P Q `json:"p"`
	Dur time.Duration `json:"dur"`
	Raw json.RawMessage `json:"raw"`
	// own text
	Dur2 time.Duration `json:"dur2"`
}

// Str is a string.
type Str = string

// Num doc.
// +kubebuilder:validation:Minimum=3
type Num = int32

// Inner doc.
type Inner struct {
	// V doc.
	V int64 `json:"v"`
}

// StructAlias doc.
type StructAlias = Inner

// Named doc.
// +kubebuilder:validation:MinLength=1
type Named string

// NamedAlias doc
type NamedAlias = Named

// AliasOfAlias doc
type AliasOfAlias = NamedAlias

type LibAlias = metav1.Time

type FarAlias = far.FarStruct

// Q quantity
type Q = resource.Quantity
