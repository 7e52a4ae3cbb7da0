// Package typetitles: titles of types.
//
// +groupName=park.example.org
// +versionName=v1
package typetitles

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// +kubebuilder:title=Specification
type Spec struct {
	Width int32 `json:"width"`
}
