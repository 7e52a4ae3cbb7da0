// Package aliases: other names of types.
//
// +groupName=park.example.org
// +versionName=v1
package aliases

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Other Other `json:"other"`
	Third Third `json:"third"`
	List  List  `json:"list"`
}

type Part struct {
	Size int32 `json:"size"`
}

type Names []string

type Other = Part

type Second = Names

type Third = Second

type List = Names
