// Package twice: list types on a field and on its type.
//
// +groupName=park.example.org
// +versionName=v1
package twice

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +listType=atomic
	Names Names `json:"names"`
	// +listType=map
	// +listMapKey=name
	Parts Parts `json:"parts"`
	Plain Parts `json:"plain"`
}

// +listType=set
type Names []string

// +listType=map
// +listMapKey=name
// +listMapKey=kind
type Parts []Part

type Part struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}
