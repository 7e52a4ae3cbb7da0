// Package bytes: named lists that are published as text.
//
// +groupName=park.example.org
// +versionName=v1
package bytes

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Raw Raw `json:"raw"`
}

type Raw []byte
