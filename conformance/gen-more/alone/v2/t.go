// +groupName=alone.h.example.org
package v2

import (
	v1 "example.org/gen/alone/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Axe comes first and leads to the other package.
type Axe struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Head v1.Part `json:"head"`
}

// Bow comes later and has two versions.
//
// +kubebuilder:storageversion
type Bow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Wood string `json:"wood"`
}

// +kubebuilder:storageversion
type Club struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
