// Package slicealias: another name of an unnamed list.
//
// +groupName=park.example.org
// +versionName=v1
package slicealias

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	List List `json:"list"`
}

type List = []string
