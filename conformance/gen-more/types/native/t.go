// Tags of Kubernetes that controller-gen reads too: from all comments it counts, whatever validation-gen says to them.
//
// +groupName=native.h.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Native struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +k8s:immutable

	// Behind an empty line.
	Apart string `json:"apart"`
	//  +k8s:optional
	Blanks string `json:"blanks"`
	// A struct cannot be required to others.
	// +k8s:required
	Whole metav1.GroupVersionKind `json:"whole,omitempty"`
	// +k8s:optional
	Part metav1.GroupVersionKind `json:"part"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Texts []string `json:"texts"`
	Sets  Set      `json:"sets"`
	// +optional
	// +kubebuilder:validation:Required

	// The own marker counts first.
	Both   string `json:"both"`
	Before string `json:"before"` // +optional
	After  string `json:"after"`
}

// +k8s:listType=map
// +k8s:listMapKey=`a`
type Set []int32
