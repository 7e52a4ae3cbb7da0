// Package v1 is about parks.
//
// +groupName=park.example.org
// +kubebuilder:ac:generate=true
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.org/fixtures/applyconfiguration/shared"
)

// SchemeGroupVersion names the group.
var SchemeGroupVersion = schema.GroupVersion{Group: "park.example.org", Version: "v1"}

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster

// Park is a park.
//
//	It has trees:
//	  many
type Park struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Size int64 `json:"size"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=gates

// Gate is a gate.
type Gate struct {
	metav1.TypeMeta `json:",inline"`
	// metadata of the gate
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec says what is wanted.
	//
	// +required
	Spec GateSpec `json:"spec"`
	// Status says what is.
	Status GateStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// GateList is a list.
type GateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Gate `json:"items"`
}

// GateSpec is wanted.
type GateSpec struct {
	Common `json:",inline"`
	*Extra `json:"extra,omitempty"`

	Name     string            `json:"name"`
	Width    *int32            `json:"width,omitempty"`
	Hosts    []string          `json:"hosts,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Color    Color             `json:"color"`
	ColorPtr *Color            `json:"colorPtr,omitempty"`
	// +listType=map
	// +listMapKey=name
	Parts      []Part                `json:"parts,omitempty"`
	PartPtrs   []*Part               `json:"partPtrs,omitempty"`
	PartTable  map[string]Part       `json:"partTable,omitempty"`
	Far        *[]Part               `json:"far,omitempty"`
	Names      Names                 `json:"names,omitempty"`
	Table      Table                 `json:"table,omitempty"`
	Raw        []byte                `json:"raw,omitempty"`
	Nested     [][]string            `json:"nested,omitempty"`
	Time       metav1.Time           `json:"time,omitempty"`
	Stop       *metav1.Time          `json:"stop,omitempty"`
	Wait       metav1.Duration       `json:"wait,omitempty"`
	Selector   *metav1.LabelSelector `json:"selector,omitempty"`
	Quantity   resource.Quantity     `json:"quantity,omitempty"`
	Port       intstr.IntOrString    `json:"port,omitempty"`
	Any        runtime.RawExtension  `json:"any,omitempty"`
	Conditions []metav1.Condition    `json:"conditions,omitempty"`
	Address    shared.Address        `json:"address,omitempty"`
	Addresses  []shared.Address      `json:"addresses,omitempty"`
	Level      shared.Level          `json:"level,omitempty"`
	Hidden     string                `json:"-"`
	ZZZ_Old    string                `json:"old,omitempty"`
	Ratio      float64               `json:"ratio,omitempty"`
	Yes        bool                  `json:"yes,omitempty"`
	// +mapType=atomic
	Atomic map[string]string `json:"atomic,omitempty"`
	// +structType=atomic
	Whole Part `json:"whole,omitempty"`
	// +kubebuilder:default=3
	Count    int32       `json:"count,omitempty"`
	Alias    OtherPart   `json:"alias,omitempty"`
	Derived  DerivedPart `json:"derived,omitempty"`
	Template PodTemplate `json:"template,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Free Part  `json:"free,omitempty"`
	Tree *Tree `json:"tree,omitempty"`
}

// Tree has trees.
type Tree struct {
	Below []Tree `json:"below,omitempty"`
	Left  *Tree  `json:"left,omitempty"`
}

// Common is shared.
type Common struct {
	Owner string `json:"owner,omitempty"`
	Part  Part   `json:"part,omitempty"`
}

// Extra is more.
type Extra struct {
	Note  string            `json:"note,omitempty"`
	Few   []string          `json:"few,omitempty"`
	Pairs map[string]string `json:"pairs,omitempty"`
	Parts []Part            `json:"parts2,omitempty"`
}

// Part is a part.
type Part struct {
	Name string `json:"name"`
	Size int32  `json:"size,omitempty"`
}

// OtherPart is another name.
type OtherPart = Part

// DerivedPart is like one.
type DerivedPart Part

// PodTemplate has metadata.
type PodTemplate struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Part              Part `json:"part"`
}

// Names are names.
//
// +listType=set
type Names []string

// Table is a table.
type Table map[string]string

// Color is a color.
// +kubebuilder:validation:Enum=red;blue
type Color string

// GateStatus is there.
type GateStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Ready      bool               `json:"ready,omitempty"`
}

// Unused is not reachable.
type Unused struct {
	A string `json:"a"`
}
