// Package constants: enums, immutable fields and links.
//
// +groupName=park.example.org
// +versionName=v1
package constants

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// +kubebuilder:externalDocs:url="https://park.example.org/gates",description=Gates
type Spec struct {
	Color Color `json:"color"`
	// +k8s:immutable
	Width int32 `json:"width"`
	// +k8s:immutable
	High int32 `json:"high,omitempty"`
	// +kubebuilder:externalDocs:url="https://park.example.org/posts"
	Posts int32 `json:"posts"`
}

// +k8s:enum
type Color string

const (
	Red  Color = "red"
	Blue Color = "blue"
)
