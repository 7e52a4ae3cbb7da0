package interfaces

import (
	"example.org/fixtures/deepcopy-gen/interfaces/go-far"
	"k8s.io/apimachinery/pkg/runtime"
)

// Plant is an interface with a copy of its own.
type Plant interface {
	DeepCopyPlant() Plant
}

// Herb is one more.
type Herb interface {
	DeepCopyHerb() Herb
}

// Weed is another name of an interface.
type Weed Plant

// Grass is the same interface.
type Grass = Plant

// Root is copied as an object and as two interfaces.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:deepcopy-gen:interfaces=example.org/fixtures/deepcopy-gen/interfaces.Plant,example.org/fixtures/deepcopy-gen/interfaces.Herb
type Root struct {
	Name string
}

// Flower is copied by value.
// +k8s:deepcopy-gen:interfaces=example.org/fixtures/deepcopy-gen/interfaces/go-far.Far
// +k8s:deepcopy-gen:nonpointer-interfaces=true
type Flower struct {
	Name string
}

// Shadow has DeepCopy already.
// +k8s:deepcopy-gen:interfaces=example.org/fixtures/deepcopy-gen/interfaces.Plant
type Shadow struct {
	List []string
}

// DeepCopy is written by hand.
func (s *Shadow) DeepCopy() *Shadow { return s }

// Bed has fields of interface types.
type Bed struct {
	Plant  Plant
	Weed   Weed
	Grass  Grass
	Far    far.Far
	Object runtime.Object
	Plants []Plant
	ByName map[string]Plant
	Fars   map[string][]far.Far
	Nested [][]runtime.Object
}

// Plants is a list.
type Plants []Plant

// PlantMap is a map.
type PlantMap map[string]Herb
