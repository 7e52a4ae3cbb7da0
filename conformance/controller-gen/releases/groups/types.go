// Package groups: groups of fields.
//
// +groupName=park.example.org
// +versionName=v1
package groups

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// +kubebuilder:validation:AtMostOneOf=wood;steel
// +kubebuilder:validation:ExactlyOneOf=left;right
// +kubebuilder:validation:AtLeastOneOf=day;night
type Spec struct {
	Wood  string `json:"wood,omitempty"`
	Steel string `json:"steel,omitempty"`
	Left  string `json:"left,omitempty"`
	Right string `json:"right,omitempty"`
	Day   string `json:"day,omitempty"`
	Night string `json:"night,omitempty"`
}
