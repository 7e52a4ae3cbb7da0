// Package doc.

// +groupName=misc.h.example.org

// +kubebuilder:validation:Optional
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Misc doc
type Misc struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec Spec `json:"spec"`
	Tree *Node `json:"tree"`
	Own metav1.OwnerReference `json:"own"`
	Conds []metav1.Condition `json:"conds"`
	Sel *metav1.LabelSelector `json:"sel"`
	UID types.UID `json:"uid"`
	Gvk metav1.GroupVersionKind `json:"gvk"`
	Raw corev1.RawExtension `json:"raw"`
	Lm metav1.ListMeta `json:"lm"`
	Fs metav1.FieldsV1 `json:"fs"`
	Mf metav1.ManagedFieldsEntry `json:"mf"`
	Status Status `json:"status,omitempty"`
}

// Node is recursive
type Node struct {
	// Kids doc
	Kids []Node `json:"kids"`
	// Peer doc
	// +kubebuilder:validation:Required
	Peer *Peer `json:"peer"`
	By map[string]*Node `json:"by"`
}

type Peer struct {
	// N doc
	N *Node `json:"n"`
}

type Spec struct {
	// +k8s:immutable
	A string `json:"a"`
	// +k8s:immutable
	// +required
	B string `json:"b"`
	// +structType=atomic
	C Inner `json:"c"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	D Inner `json:"d"`
	Inner `json:",inline"`
	E E `json:"e"`
	// +kubebuilder:title="T: x"
	// +kubebuilder:externalDocs:url="https://x.org",description=d
	F [3]byte `json:"f"`
	G []uint8 `json:"g"`
	H []byte `json:"h"`
	I rune `json:"i"`
	J []E `json:"j"`
	K map[E]Inner `json:"k"`
}

// Inner doc
type Inner struct {
	// Z doc
	Z string `json:"z"`
	// A shadow
	// +kubebuilder:validation:MinLength=2
	A string `json:"a"`
}

// E doc
// +k8s:enum
// +enum
type E string

const (
	E1 E = "one"
	E2 E = "a<b"
	E3 = E("conv")
)

type Status struct {
	X int `json:"x"`
}
