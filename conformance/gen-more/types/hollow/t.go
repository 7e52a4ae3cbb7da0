// Package hollow has members that are not looked behind.
// +groupName=hollow.h.example.org
// +versionName=v1
package hollow

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Unseen would be refused.
type Unseen struct {
	// +kubebuilder:validation:Pattern=a
	Names []string `json:"names"`
}

// Kept is not encoded, and would be refused.
type Kept struct {
	// +kubebuilder:validation:MaxItems=1
	Name string `json:"name"`
}

// Hollow is the kind.
type Hollow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Unseen Unseen `json:"unseen"`
	Kept   *Kept  `json:"-"`
}
