// +groupName=spelled.h.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Defaults in spellings that not all tools read.
type Spelled struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +default()="no"
	Parens string `json:"parens,omitempty"`
	// +default:="yes"
	Colon string `json:"colon,omitempty"`
	// +default="first"
	// +default=null
	First string `json:"first,omitempty"`
	// +default="known"
	// +default=ref(Somewhere)
	Ref string `json:"ref,omitempty"`
	// +default="apart"

	// Apart.
	Apart string `json:"apart,omitempty"`
	// +kubebuilder:default={}
	Bytes []byte `json:"bytes,omitempty"`
	// +kubebuilder:default={}
	Pointer *[]string `json:"pointer,omitempty"`
	// +kubebuilder:default={}
	Named Names `json:"named,omitempty"`
	// +kubebuilder:default={}
	// +kubebuilder:validation:Type=array
	Typed Names `json:"typed,omitempty"`
	// +kubebuilder:default={}
	Map map[string]string `json:"map,omitempty"`
}

type Names []string
