// Package marshals: types that write themselves as text.
//
// +groupName=park.example.org
// +versionName=v1
package marshals

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Color Color `json:"color"`
	Other Color `json:"other"`
}

type Color struct {
	R int32 `json:"r"`
}

func (c Color) MarshalText() (text []byte, err error) { return nil, nil }
