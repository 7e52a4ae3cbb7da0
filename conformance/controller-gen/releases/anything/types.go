// Package anything: values of any kind.
//
// +groupName=park.example.org
// +versionName=v1
package anything

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	Any  any                    `json:"any"`
	Map  map[string]interface{} `json:"map"`
	Face interface{}            `json:"face"`
}
