// Package cutting: descriptions that are too long. Kind and apiVersion begin alike in metav1 and in what stands in for it.
//
// +groupName=park.example.org
// +versionName=v1
package cutting

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// Gate opens. It also closes, sooner or later.
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Go. Or stay.
	Spec Spec `json:"spec"`
}

type Spec struct {
	// Short
	Short string `json:"short"`
	// Llanfairpwllgwyngyll
	Word string `json:"word"`
	// A long way
	Words string `json:"words"`
}
