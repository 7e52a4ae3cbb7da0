// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:defaulter-gen=TypeMeta
// +k8s:openapi-gen=true
// +groupName=garden.example.org

// Package v1 is a small API that uses most kinds of tags.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bed is a piece of garden.
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Sun",type=string,JSONPath=`.spec.sun`
// +k8s:supportsSubresource="/status"
type Bed struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BedSpec `json:"spec"`
	// +optional
	Status BedStatus `json:"status,omitempty"`
}

// BedSpec says what grows where.
type BedSpec struct {
	// Name on the sign.
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// Rows of plants.
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=64
	// +default=3
	Rows *int32 `json:"rows,omitempty"`

	// Sun the bed gets. It cannot be moved.
	// +optional
	// +k8s:optional
	// +k8s:immutable
	// +default="Half"
	Sun Sun `json:"sun,omitempty"`

	// Plants by name.
	// +optional
	// +k8s:optional
	// +listType=map
	// +listMapKey=name
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=100
	Plants []Plant `json:"plants,omitempty"`

	// Water comes from exactly one place.
	Water Water `json:"water"`
}

// Sun is how much light a bed gets.
// +enum
// +k8s:enum
type Sun string

const (
	SunFull  Sun = "Full"
	SunHalf  Sun = "Half"
	SunShade Sun = "Shade"
)

// Plant is one kind of plant in a bed.
type Plant struct {
	// +required
	// +k8s:required
	// +k8s:maxLength=63
	Name string `json:"name"`

	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	// +default=1
	Count *int32 `json:"count,omitempty"`
}

// Water is where a bed gets its water from.
type Water struct {
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Rain *Rain `json:"rain,omitempty"`

	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Hose *Hose `json:"hose,omitempty"`
}

// Rain needs nothing.
type Rain struct{}

// Hose is laid to a bed.
type Hose struct {
	// +required
	// +k8s:required
	// +k8s:minimum=1
	LitersPerDay int32 `json:"litersPerDay"`
}

// BedStatus is what was seen last.
type BedStatus struct {
	// +optional
	// +k8s:optional
	// +k8s:alpha=+k8s:monotonic
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
