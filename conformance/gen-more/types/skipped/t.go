// +groupName=skipped.h.example.org
// +versionName=v1
package skipped

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Ghost is left out.
// +kubebuilder:skipversion
type Ghost struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int32 `json:"size"`
}
