// Package numbers: bounds that are no numbers.
//
// +groupName=park.example.org
// +versionName=v1
package numbers

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +kubebuilder:validation:Maximum=wide
	Width int32 `json:"width"`
	// +kubebuilder:validation:Minimum=1e1
	High int32 `json:"high"`
	// +kubebuilder:validation:MaxItems=few
	Hosts []string `json:"hosts"`
}
