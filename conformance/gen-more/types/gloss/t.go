// +groupName=gloss.h.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Gloss is long, with "quotes" and 'single' and: colons # hash and a very very long line that goes on and on to fold somewhere around eighty columns.
//
// Second paragraph.
//
//
// Third after two blanks.
//   - list one
//   - list two
//
//	code indented
//
// TODO: remove
// TODO(x): remove too
//  TODO indented stays
// more
// ---
// hidden
type Gloss struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	/* block comment */
	A string `json:"a"`
	/*
	   block
	     many
	   +kubebuilder:validation:MaxLength=3
	*/
	B string `json:"b"`
	// line
	/* and block */
	C string `json:"c"`
	// ```
	// TODO in fence
	// ---
	// +kubebuilder:validation:MaxLength=1
	// ```
	// after
	D string `json:"d"`
	E string `json:"e"` // trailing
	F string `json:"f"`
	// detached

	// attached
	G string `json:"g"`

	// detached only
	// +kubebuilder:validation:MaxLength=9

	H string `json:"h"`
	//nospace
	I string `json:"i"`
	//go:generate foo
	// text with go
	J string `json:"j"`
	// Deprecated: do not use
	K string `json:"k"`
	// ends in space 
	// second	with tab
	L string `json:"l"`
	//  two leading spaces
	// more
	M string `json:"m"`
	// über ünïcode ✓ 漢字
	N string `json:"n"`
	// +optional
	// text after marker
	// +kubebuilder:validation:MinLength=1
	O string `json:"o"`
	// a: b
	P string `json:"p"`
	// - dash
	Q string `json:"q"`
	// true
	R string `json:"r"`
	// 12
	S string `json:"s"`
	// trailing colon:
	T string `json:"t"`
	// @at
	U string `json:"u"`
	// %percent `back`
	V string `json:"v"`
	// [bracket] {brace}
	W string `json:"w"`
	// A very long text without any newline, which has a colon: inside so that it must be quoted, and which should be folded by the writer at some place.
	X string `json:"x"`
	// ~~~
	// TODO x
	// ~~~
	Y Typed `json:"y"`
	Z Typed `json:"z"`
	// first, second
	AA, BB string `json:"aa"`
	// hello\nworld \t tab
	CC string `json:"cc"`
	// "quoted"
	DD string `json:"dd"`
	// # hash
	EE string `json:"ee"`
	// 2026-01-01
	FF string `json:"ff"`
	// null
	GG string `json:"gg"`
	// ~
	HH string `json:"hh"`
	// a #b
	II string `json:"ii"`
	//
	// leading blank
	JJ string `json:"jj"`
	// line one  
	//   indented
	//
	//  end
	KK string `json:"kk"`
	// +
	// plus alone
	LL string `json:"ll"`
	// + item
	MM string `json:"mm"`
	//	tabbed
	NN string `json:"nn"`
	//   indented first
	// next
	OO string `json:"oo"`
	// =
	PP string `json:"pp"`
	// <<
	QQ string `json:"qq"`
	// y
	RR string `json:"rr"`
	// 0x1F
	SS string `json:"ss"`
	// 1:20
	TT string `json:"tt"`
	// emoji 😀 text
	UU string `json:"uu"`
	// a non-breaking space and zero​width
	VV string `json:"vv"`
}

// Typed has type text.
// +kubebuilder:validation:Enum=a;b
type Typed string
type (
	// Grouped doc
	Grouped string
	NoDoc   int
)
