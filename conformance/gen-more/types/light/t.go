// +groupName=light.h.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Light doc
// +kubebuilder:validation:XValidation:rule="self.a != self.b",message="a and b: differ",reason="FieldValueForbidden",fieldPath=".a"
// +kubebuilder:validation:XValidation:rule="has(self.a)",messageExpression="'x' + self.a",optionalOldSelf=true
// +kubebuilder:validation:AtLeastOneOf=c;d
// +kubebuilder:validation:ExactlyOneOf=c;d
// +kubebuilder:validation:AtMostOneOf=c;d
// +kubebuilder:validation:AtMostOneOf=e;f
type Light struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	A string `json:"a"`
	B string `json:"b"`
	C *string `json:"c,omitempty"`
	D *string `json:"d,omitempty"`
	// +optional
	E *string `json:"e"`
	F *string `json:"f,omitzero"`
	// +kubebuilder:validation:XValidation:rule="self.all(x, x > 1)"
	// +kubebuilder:validation:items:XValidation:rule="self > 2"
	// +kubebuilder:validation:items:Minimum=3
	// +kubebuilder:validation:items:Enum=4;5
	G []int32 `json:"g,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.size() > 1"
	H Ruled `json:"h,omitempty"`
	Emb `json:",inline"`
	I Emb `json:"i"`
}

// +kubebuilder:validation:XValidation:rule="self.startsWith('a')",message=`must start with "a"`
type Ruled string

// +kubebuilder:validation:XValidation:rule="self.x == 1"
// +kubebuilder:validation:ExactlyOneOf=x;y
type Emb struct {
	X int `json:"x,omitempty"`
	Y int `json:"y,omitempty"`
}
