// Package scalars: markers on fields of named scalars.
//
// +groupName=park.example.org
// +versionName=v1
package scalars

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +kubebuilder:validation:Minimum=3
	Width Width `json:"width"`
	// +kubebuilder:validation:MaxLength=5
	Color *Color `json:"color"`
}

type Width int32

// +kubebuilder:validation:Pattern=a+
type Color string
