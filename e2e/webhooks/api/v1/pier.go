// Package v1 is the first version of piers: opening hours in one field.
// +kubebuilder:object:generate=true
// +groupName=harbor.example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion is the group and version of this package.
var GroupVersion = schema.GroupVersion{Group: "harbor.example.org", Version: "v1"}

// AddToScheme makes the types of this package known.
var AddToScheme = (&scheme.Builder{GroupVersion: GroupVersion}).Register(&Pier{}, &PierList{}).AddToScheme

// PierSpec says when ships may land.
type PierSpec struct {
	// Hours are the times of the first and the last landing, such as 08:00-17:30.
	Hours string `json:"hours"`
}

// Pier is where ships land.
// +kubebuilder:object:root=true
type Pier struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PierSpec `json:"spec"`
}

// PierList is a list of piers.
// +kubebuilder:object:root=true
type PierList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Pier `json:"items"`
}
