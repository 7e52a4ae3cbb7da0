// Package presence: required and optional values.
//
// +groupName=park.example.org
// +versionName=v1
package presence

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

type Spec struct {
	// +k8s:required
	Name string `json:"name,omitempty"`
	// +k8s:required
	// +kubebuilder:validation:MinLength=3
	Long string `json:"long,omitempty"`
	// +k8s:required
	Hosts []string `json:"hosts,omitempty"`
	// +k8s:required
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:required
	Count int32 `json:"count,omitempty"`
	// +k8s:required
	Part Part `json:"part,omitempty"`
	// +k8s:required
	Near *Part `json:"near,omitempty"`
	// +k8s:required
	Color Color `json:"color,omitempty"`
	// +k8s:required
	Names Names `json:"names,omitempty"`
	// +k8s:required
	Table Table `json:"table,omitempty"`
	// +k8s:required
	Time metav1.Time `json:"time,omitempty"`
	// +k8s:required
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// +k8s:optional
	Rest string `json:"rest"`
}

type Part struct {
	Size int32 `json:"size"`
}

type Color string

type Names []string

type Table map[string]string
