// Package titles: titles of fields.
//
// +groupName=park.example.org
// +versionName=v1
package titles

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +kubebuilder:title="Width of the gate"
	Width int32 `json:"width"`
}
