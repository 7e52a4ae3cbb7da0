// +groupName=twice.h.example.org
// +versionName=v7
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +groupName=late.h.example.org
// +versionName=v8

// Says all twice.
type Twice struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +groupName=last.h.example.org
