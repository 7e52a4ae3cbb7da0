// Package lists: list types in both spellings.
//
// +groupName=park.example.org
// +versionName=v1
package lists

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +listType=map
	// +listMapKey=name
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Both []Part `json:"both"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	New []Part `json:"new"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=name
	Twice []Part `json:"twice"`
	// +listType=set
	Set []string `json:"set"`
}

type Part struct {
	Name string `json:"name"`
}
