// Package v2 is the version in which piers are stored: opening hours in two fields.
// +kubebuilder:object:generate=true
// +groupName=harbor.example.org
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion is the group and version of this package.
var GroupVersion = schema.GroupVersion{Group: "harbor.example.org", Version: "v2"}

// AddToScheme makes the types of this package known.
var AddToScheme = (&scheme.Builder{GroupVersion: GroupVersion}).Register(&Pier{}, &PierList{}).AddToScheme

// PierSpec says when ships may land, and how many.
type PierSpec struct {
	// Opens is the time of the first landing.
	// +kubebuilder:validation:Pattern=`^\d\d:\d\d$`
	Opens string `json:"opens"`
	// Closes is the time of the last landing.
	// +optional
	Closes string `json:"closes,omitempty"`
	// Berths is how many ships fit.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +optional
	Berths int32 `json:"berths,omitempty"`
}

// PierStatus is written by the controller.
type PierStatus struct {
	// Free is how many ships may still land.
	// +optional
	Free int32 `json:"free,omitempty"`
}

// Pier is where ships land.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
type Pier struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PierSpec   `json:"spec"`
	Status PierStatus `json:"status,omitempty"`
}

// Hub marks the version that all others are converted to.
func (*Pier) Hub() {}

// PierList is a list of piers.
// +kubebuilder:object:root=true
type PierList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Pier `json:"items"`
}
