// Package v1 is an API.
// +groupName=example.com
package v1 // tail

import (
	"m/other"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	. "strings"
	_ "embed"
)

// +k8s:validation-gen=*

// Foo is a thing.
// +k8s:immutable
type Foo[K comparable, V ~int | ~string] struct {
	metav1.TypeMeta `json:",inline"` // trailing
	*other.T "json:\"t\""
	/* block
	+k8s:required */
	A, B *pkg.Bar[K] `json:"a"`
	C map[string][N + 1]struct{ D interface{} }
	E func(a, b int, c ...string) (x error)
	F <-chan (int)
}
type Alias = other.T
