// +groupName=demo.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A Gate can be scaled and has a status of its own.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GateSpec   `json:"spec"`
	Status            GateStatus `json:"status,omitempty"`
}

type GateSpec struct {
	// +k8s:optional
	// +k8s:maximum=5
	Replicas *int32 `json:"replicas,omitempty"`
	// +k8s:optional
	// +k8s:ifEnabled(Tall)=+k8s:minimum=10
	Height int32 `json:"height,omitempty"`
	// +k8s:optional
	// +k8s:beta(since: "1.0")=+k8s:maxLength=3
	Sign *string `json:"sign,omitempty"`
	// +default="x"
	Text string `json:"text,omitempty"`
	// +optional
	Notes []string `json:"notes,omitempty"`
}

type GateStatus struct {
	// +k8s:optional
	// +k8s:maxLength=3
	Phase string `json:"phase,omitempty"`
	// +k8s:optional
	Replicas int32 `json:"replicas,omitempty"`
	// +k8s:optional
	Selector string `json:"selector,omitempty"`
}

// A Barrier keeps its numbers in unusual places, and has no status subresource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:scale:specpath=.spec.size.posts,statuspath=.status.size.posts,selectorpath=.status.labels
type Barrier struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BarrierSpec   `json:"spec"`
	Status            BarrierStatus `json:"status,omitempty"`
}

type BarrierSpec struct {
	Size BarrierSize `json:"size"`
}

type BarrierSize struct {
	// +k8s:optional
	// +k8s:maximum=5
	Posts int32 `json:"posts,omitempty"`
}

type BarrierStatus struct {
	Size BarrierSize `json:"size"`
	// +k8s:optional
	Labels string `json:"labels,omitempty"`
}
