// Package v1 has a name that other packages have too.
// +kubebuilder:object:generate=true
package v1

import (
	gotime "time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.org/fixtures/object/roots"
	other "example.org/fixtures/object/v1/core/v1"
	third "example.org/fixtures/object/v1/more/core/v1"
)

// +kubebuilder:object:root=true

// Thing names types of many packages.
type Thing struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata,omitempty"`
	Third           *third.Part
	Other           *other.Part
	Others          []other.Part
	Selector        []meta.LabelSelector
	Wait            *gotime.Duration
	Names           map[types.NamespacedName]string
	UID             *types.UID
	Spec            []roots.GateSpec
	Deep            map[string]other.Tree
}
