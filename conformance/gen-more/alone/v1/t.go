// Not asked for.
//
// +groupName=alone.h.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Axe struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Head Part `json:"head"`
}

// Bow is older here.
//
// +kubebuilder:deprecatedversion
type Bow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Limbs []Part `json:"limbs"`
}

// Club is no kind, but has the name of one.
type Club struct {
	// +kubebuilder:validation:MinLength=1
	Wood string `json:"wood"`
}

type Part struct {
	Name string `json:"name"`
}
