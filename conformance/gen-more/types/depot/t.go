/*
Package v1 has block doc.
+groupName=wrong.example.org
*/
// +groupName=depot.h.example.org
// +versionName=v7
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type hidden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	X string `json:"x"`
}

type Halve struct {
	metav1.TypeMeta   `json:",inline"`
}

type Ptr struct {
	*metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
type NamedF struct {
	T metav1.TypeMeta   `json:",inline"`
	O metav1.ObjectMeta `json:"metadata,omitempty"`
}

type Base struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

type Wrapper struct {
	Base `json:",inline"`
}
type Copy Base
