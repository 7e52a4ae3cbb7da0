// +groupName=alias.h.example.org
package v1

import (
	"example.org/gen/alias/parts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Manner = parts.Mode

type Alias struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Mode Manner `json:"mode"`
}
