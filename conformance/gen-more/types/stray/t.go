// Package stray names no group.
package stray

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Stray looks like a kind.
// +kubebuilder:resource:scope=Cluster,shortName=st
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:subresource:status
type Stray struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Minimum=1
	Size int32 `json:"size"`
}
