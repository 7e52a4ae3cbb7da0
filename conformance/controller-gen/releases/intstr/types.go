// Package intstr: lengths of what may be a number.
//
// +groupName=park.example.org
// +versionName=v1
package intstr

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +kubebuilder:validation:Enum=1;two
	Some intstr.IntOrString `json:"some"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:MaxLength=4
	Short intstr.IntOrString `json:"short"`
}
