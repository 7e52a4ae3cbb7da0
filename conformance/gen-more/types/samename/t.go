// +groupName=samename.h.example.org
package v1

import (
	"example.org/gen/samename/parts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Mode = parts.Mode

type Same struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Mode Mode `json:"mode"`
}
