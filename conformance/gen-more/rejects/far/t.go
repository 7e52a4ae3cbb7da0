// +groupName=far.h.example.org
package v1

import (
	"example.org/gen/far/parts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Far struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Part parts.Part `json:"part"`
}
