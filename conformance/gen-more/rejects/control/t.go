// +groupName=control.h.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Control struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:title="\x7f"
	Text string `json:"text"`
}
