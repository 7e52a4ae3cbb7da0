// Package library: lists of Go's library that are published as text.
//
// +groupName=park.example.org
// +versionName=v1
package library

import (
	"encoding/json"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Message json.RawMessage `json:"message"`
	Address net.IP          `json:"address"`
}
