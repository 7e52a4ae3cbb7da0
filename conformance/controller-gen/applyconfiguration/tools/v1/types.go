// +groupName=tools.example.org
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package=../configurations
package v1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.org/fixtures/applyconfiguration/shared"
)

// Notes about tools.

// +kubebuilder:ac:generate=true

// Tool is a “tool”.
//
// # Overview
//
// It has a handle.
type Tool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Where it is.
	Address *shared.Address `json:"address,omitempty"`
	// +optional
	Age time.Duration `json:"age,omitempty"`
	//nolint:lll
	Parts  []*Part           `json:"parts,omitempty"`
	Texts  []*string         `json:"texts,omitempty"`
	Any    map[string][]Part `json:"any,omitempty"`
	Status string            `json:"status,omitempty"`
}

// +kubebuilder:resource
// +kubebuilder:ac:generate=false

// Old is an old tool.
type Old struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus

// Client is applied by clients.
type Client struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status string `json:"status,omitempty"`
}

// Part is a part.
type Part struct {
	/* A block
	   comment. */
	Name  string            `json:"name"`
	Meta  metav1.ObjectMeta `json:"meta,omitempty"`
	Kinds []metav1.TypeMeta `json:"kinds,omitempty"`
	Fixed [2]string         `json:"fixed,omitempty"`
	Level shared.Level      `json:"level,omitempty"`
}
