// +groupName=ferry.h.example.org
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Ferry doc
// +kubebuilder:resource:path=ferrys,shortName=fe;fy,categories={all,boats},scope=Cluster,singular=aferry
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:printcolumn:name=Size,type=integer,JSONPath=`.spec.size`,description="how big: a, b",format=int32,priority=1
// +kubebuilder:selectablefield:JSONPath=`.spec.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.other`
// +kubebuilder:metadata:annotations="a.b/c=d e";"x=y=z",labels="l=m"
// +kubebuilder:metadata:annotations={q=r}
// +kubebuilder:deprecatedversion:warning="do not: use"
type Ferry struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec FerrySpec `json:"spec,omitempty"`
}

type FerrySpec struct {
	Replicas int32 `json:"replicas"`
}

// +kubebuilder:printcolumn:name=N,type=string,JSONPath=.spec.n
// +kubebuilder:deprecatedversion
// +kubebuilder:storageversion
type Lone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kubebuilder:resource
// +kubebuilder:resource:shortName=zz
// +kubebuilder:subresource:scale:specpath=.a,statuspath=.b
type Twice struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// TwiceList contains
type TwiceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items []Twice `json:"items"`
}
