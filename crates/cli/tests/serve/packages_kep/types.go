package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A Turnstile has rules for its scale alone.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
type Turnstile struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TurnstileSpec   `json:"spec"`
	Status            TurnstileStatus `json:"status,omitempty"`
}

type TurnstileSpec struct {
	// +k8s:optional
	// +k8s:ifSubresource("/scale")=+k8s:maximum=3
	// +k8s:ifNotSubresource("/scale")=+k8s:immutable
	Replicas *int32 `json:"replicas,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=3
	Label *string `json:"label,omitempty"`
	// +k8s:optional
	Colors []Color `json:"colors,omitempty"`
	// +k8s:optional
	ByPlace map[string]Color `json:"byPlace,omitempty"`
	// +k8s:declarativeValidationNative
	// +k8s:optional
	// +k8s:maxLength=3
	Key *string `json:"key,omitempty"`
}

// +default="red"
type Color string

type TurnstileStatus struct {
	// +k8s:optional
	Replicas int32 `json:"replicas,omitempty"`
	// +k8s:optional
	Selector string `json:"selector,omitempty"`
}
