// +k8s:openapi-gen=true
// +groupName=x.io
// +versionName=v1beta1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Box holds things.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=bx,categories={all,boxes}
// +kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.status.n
// +kubebuilder:printcolumn:name="N",type=integer,JSONPath=`.spec.n`,priority=1
// +kubebuilder:deprecatedversion:warning="old"
// +kubebuilder:metadata:annotations="a=b"
// +kubebuilder:validation:XValidation:rule="self.spec.n > 0",message="n \"is\" small",reason=FieldValueInvalid,fieldPath=`.spec.n`
type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec"`
}

// +kubebuilder:validation:ExactlyOneOf=a;b
type Spec struct {
	// +kubebuilder:validation:Enum={"x","y: z",3}
	// +kubebuilder:default="x"
	A *string `json:"a,omitempty"`
	// +kubebuilder:validation:Pattern=`^\d+$`
	// +kubebuilder:example={"k": [1, 2.5]}
	B Kind `json:"b,omitempty" protobuf:"bytes,2,opt,name=b"`
	// +listType=map
	// +listMapKey=k
	// +kubebuilder:validation:items:MaxProperties=3
	L []map[string][]byte `json:"l,omitzero"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +structType=atomic
	N int64 `json:"n,string"`
	// Deprecated: do not.
	T metav1.Time `json:"-,"`
	E struct{ F, g bool } `json:"e"`
}

// +enum
type Kind string

const (
	// KindA is it.
	KindA Kind = "a"
	KindB      = Kind("b" + "c")
)
