// Package gate has a kind whose CRD was written by hand.
//
// +groupName=park.example.org
// +versionName=v1
package gate

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Gate lets visitors in.
//
// +kubebuilder:object:root=true
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}

// GateList is a list.
//
// +kubebuilder:object:root=true
type GateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Gate `json:"items"`
}

// Spec says what a gate is like.
type Spec struct {
	// Width in centimeters: "wide" is 300.
	//
	// Never 0.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=120
	Width int32 `json:"width"`
	// +kubebuilder:validation:Enum=on;off;y;"true";"1:30"
	Lamp string `json:"lamp,omitempty"`
	// +listType=map
	// +listMapKey=day
	// +optional
	Hours []Hours `json:"hours,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.all(k, k != 'a')",message="no: a"
	Labels map[string]string `json:"labels,omitempty"`
	Y      bool              `json:"y,omitempty"`
}

// Hours of a day.
type Hours struct {
	Day  string `json:"day"`
	From *int   `json:"from,omitempty"`
}
