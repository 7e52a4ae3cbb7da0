package roots

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Plain is not copied.
type Plain struct {
	Names []string
}

// Wanted is copied by its own marker.
//
// +kubebuilder:object:generate=true
type Wanted struct {
	Names []string
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Gate is an object.
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GateSpec   `json:"spec,omitempty"`
	Status GateStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// GateList is a list of objects.
type GateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Gate `json:"items"`
}

// GateSpec is copied with the object, but has no methods here.
type GateSpec struct {
	Hosts []string
}

// +kubebuilder:object:generate=true

// GateStatus is flat.
type GateStatus struct {
	Ready bool
}

// +kubebuilder:object:root=true

// Gates is an object that is a list.
type Gates []string

// +kubebuilder:object:root=false
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// No is no object.
type No struct{}
