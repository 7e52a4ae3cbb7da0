// Package asked: lists and maps that are published as something else.
//
// +groupName=park.example.org
// +versionName=v1
package asked

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Names Names `json:"names"`
	Table Table `json:"table"`
}

// +kubebuilder:validation:Type=string
type Names []string

// +kubebuilder:validation:Type=string
type Table map[string]string

func (n Names) MarshalJSON() ([]byte, error) { return nil, nil }

func (t Table) MarshalJSON() ([]byte, error) { return nil, nil }
