// Package texts: long descriptions, cut by maxDescLen.
//
// +groupName=park.example.org
// +versionName=v1
package texts

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// Spec says what a gate of the park is. And it says more than that.
type Spec struct {
	// The width of the gate between its two posts in centimeters
	Width int32 `json:"width"`
	// Wide. And high as the tallest of all cars that may come
	High bool `json:"high"`
	// Short
	Low bool `json:"low"`
}
