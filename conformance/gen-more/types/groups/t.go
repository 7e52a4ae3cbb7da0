// +groupName=groups.h.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Comments above a group of types belong to none of them.
// +kubebuilder:validation:MinProperties=1
type (
	// In parentheses.
	Inner struct {
		A string `json:"a,omitempty"`
	}
	// +kubebuilder:validation:MaxProperties=2

	// Second of its group.
	Other struct{}
)

// +kubebuilder:validation:ExactlyOneOf=a;b
type (
	// Of a group.
	Choice struct {
		A string `json:"a"`
		B string `json:"b"`
	}
)

// +k8s:enum
type Word string

const (
	Plain      Word = "plain"
	Parens     Word = ("parens")
	Joined     Word = "jo" + "ined"
	One, Other2 Word = "one", "other"
)

// +kubebuilder:validation:Type=string
type Odd []string

// MarshalJSON is none of Go's.
func (Odd) MarshalJSON() []byte { return nil }

type Group struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Inner  Inner  `json:"inner"`
	Other  Other  `json:"other"`
	Choice Choice `json:"choice"`
	Word   Word   `json:"word"`
	Odd    Odd    `json:"odd"`
}
