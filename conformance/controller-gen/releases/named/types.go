// Package named: markers on fields of named lists and maps.
//
// +groupName=park.example.org
// +versionName=v1
package named

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +listType=map
	// +listMapKey=name
	Parts Parts `json:"parts"`
	// +mapType=atomic
	Table Table `json:"table"`
	// +kubebuilder:validation:MaxItems=3
	Names Names `json:"names,omitempty"`
	// +kubebuilder:validation:MinProperties=1
	Near *Table `json:"near"`
}

type Parts []Part

type Table map[string]string

type Names []string

type Part struct {
	Name string `json:"name"`
}
