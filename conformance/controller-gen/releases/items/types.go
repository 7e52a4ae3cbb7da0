// Package items: markers on items of named lists.
//
// +groupName=park.example.org
// +versionName=v1
package items

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +kubebuilder:validation:items:MaxLength=3
	Names Names `json:"names,omitempty"`
}

type Names []string
