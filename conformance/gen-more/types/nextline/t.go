// Package nextline has a rare line break in its texts.
// +groupName=nextline.h.example.org
// +versionName=v1
package nextline

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Page has  in its text.
type Page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// onetwo  threefour
	// five
	// +kubebuilder:default="ab"
	// +kubebuilder:validation:Enum="a b";"cd"
	Text string `json:"text,omitempty"`
}
