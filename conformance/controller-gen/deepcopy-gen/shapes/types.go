package shapes

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Zone comes before all others in the file and after them by name.
type Zone struct {
	ID     types.UID
	Limits map[string]resource.Quantity
}

// Window is another name.
type Window = metav1.OwnerReference

// House is a kind.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type House struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Rooms   []Room
	Keys    map[string][]string
	Doors   map[string][]Door
	Best    *Room
	Windows []Window
	First   *Window
	Zones   map[string]*Zone
	Names   Names
	Flat    Flat
	Flats   []Flat
	Deep    map[string]map[string]Room
	Bytes   []byte
	Twice   **int
}

// Room holds a pointer.
type Room struct {
	Width *int32
	Built metav1.Time
}

// Door holds nothing that must be copied deeply.
type Door struct {
	Open bool
}

// Flat holds plain values.
type Flat struct {
	Size int
	Name string
}

// Names is a list with a name.
type Names []string

// Rooms is a map with a name.
type Rooms map[string]Room

// Left is not copied.
//
// +k8s:deepcopy-gen=false
type Left struct {
	Any func()
}
