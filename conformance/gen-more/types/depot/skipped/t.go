// +groupName=depot.h.example.org
// +kubebuilder:skip
package skipped

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Gone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
