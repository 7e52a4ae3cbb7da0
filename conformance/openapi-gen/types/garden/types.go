package garden

import (
	"time"

	"example.org/fixtures/types/collide/one/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Bed is a kind.
// It has two lines, a "quoted" word and a \ backslash.
//
// And a paragraph:
//   - with a list
//   - of two
//
// TODO: not published
// +k8s:openapi-gen=x-kubernetes-garden:north
// +genclient
type Bed struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// Spec is wanted.
	Spec BedSpec `json:"spec"`
	// +optional
	Status *BedStatus `json:"status,omitempty"`
}

// Size is a named number.
type Size int32

// Names is a named list.
type Names []string

// Labels is a named map.
type Labels map[string]string

// Sun is an enumeration.
// +enum
type Sun string

const (
	// SunFull is a whole day of light.
	SunFull Sun = "Full"
	// SunHalf is half
	//   a day.
	SunHalf Sun = "Half"
	SunNone Sun = ""
)

// Dark has no values.
// +enum
type Dark string

const (
	// DefaultName is what a bed is called.
	DefaultName = "north"
	// DefaultRows is how many rows there are.
	DefaultRows = 3
)

// BedSpec has a field of every kind.
type BedSpec struct {
	Bool             bool                          `json:"bool"`
	Str              string                        `json:"str,omitempty"`
	Int              int                           `json:"int"`
	Int8             int8                          `json:"int8"`
	Int16            int16                         `json:"int16"`
	Int32            int32                         `json:"int32"`
	Int64            int64                         `json:"int64,omitempty"`
	Uint             uint                          `json:"uint,omitempty"`
	Uint8            uint8                         `json:"uint8,omitempty"`
	Uint16           uint16                        `json:"uint16,omitempty"`
	Uint32           uint32                        `json:"uint32,omitempty"`
	Uint64           uint64                        `json:"uint64,omitempty"`
	Byte             byte                          `json:"byte"`
	F32              float32                       `json:"f32"`
	F64              float64                       `json:"f64,omitempty"`
	AsText           int64                         `json:"asText,string"`
	Bytes            []byte                        `json:"bytes"`
	ByteList         []uint8                       `json:"byteList"`
	Pointer          *string                       `json:"pointer"`
	PointerToPointer **int32                       `json:"pointerToPointer,omitempty"`
	Any              interface{}                   `json:"any"`
	Size             Size                          `json:"size"`
	Sizes            []Size                        `json:"sizes"`
	Names            Names                         `json:"names"`
	Labels           Labels                        `json:"labels"`
	Matrix           [][]string                    `json:"matrix,omitempty"`
	Array            [3]int32                      `json:"array,omitempty"`
	Nested           map[string][]map[string]int64 `json:"nested,omitempty"`
	Structs          []Tool                        `json:"structs,omitempty"`
	Pointers         []*Tool                       `json:"pointers,omitempty"`
	ByName           map[string]Tool               `json:"byName,omitempty"`
	ByNamePointer    map[Sun]*Tool                 `json:"byNamePointer,omitempty"`
	Tool             Tool                          `json:"tool"`
	OptionalTool     *Tool                         `json:"optionalTool,omitempty"`
	Empty            struct{}                      `json:"empty"`
	Far              v1.Far                        `json:"far"`
	Time             metav1.Time                   `json:"time"`
	OptionalTime     *metav1.Time                  `json:"optionalTime,omitempty"`
	MicroTime        metav1.MicroTime              `json:"microTime"`
	Duration         metav1.Duration               `json:"duration"`
	GoTime           time.Time                     `json:"goTime"`
	GoDuration       time.Duration                 `json:"goDuration"`
	Quantity         resource.Quantity             `json:"quantity"`
	Port             intstr.IntOrString            `json:"port"`
	Raw              runtime.RawExtension          `json:"raw"`
	Selector         *metav1.LabelSelector         `json:"selector,omitempty"`

	// Sun is one of few.
	Sun Sun `json:"sun"`
	// +optional
	Suns        []Sun          `json:"suns,omitempty"`
	SunByName   map[string]Sun `json:"sunByName,omitempty"`
	OptionalSun *Sun           `json:"optionalSun,omitempty"`
	Dark        Dark           `json:"dark"`

	// Hidden is not published.
	// +k8s:openapi-gen=false
	Hidden     string `json:"hidden"`
	Skipped    string `json:"-"`
	NoTag      string
	unexported string

	// Keys is a list map.
	// +listType=map
	// +listMapKey=name
	// +listMapKey=kind
	// +patchMergeKey=name
	// +patchStrategy=merge
	Keys []Tool `json:"keys,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	// +listType=set
	// +k8s:openapi-gen=x-kubernetes-zebra:last
	// +k8s:openapi-gen=x-kubernetes-aardvark:first
	Set []string `json:"set,omitempty"`
	// +listType=atomic
	Atomic []string `json:"atomic,omitempty"`
	// +mapType=granular
	Granular map[string]string `json:"granular,omitempty"`
	// +structType=atomic
	AtomicStruct Tool `json:"atomicStruct,omitempty"`

	// +default="a \"word\""
	DefaultText string `json:"defaultText,omitempty"`
	// +default=1000000
	DefaultNumber int64 `json:"defaultNumber,omitempty"`
	// +default=0.25
	DefaultFraction float64 `json:"defaultFraction,omitempty"`
	// +default=true
	DefaultTruth *bool `json:"defaultTruth,omitempty"`
	// +default={"name": "spade", "sizes": [1, 2, null], "a": {"b": false}}
	DefaultTool *Tool `json:"defaultTool,omitempty"`
	// +default=["a", "b"]
	DefaultList []string `json:"defaultList,omitempty"`
	// +default=ref(DefaultName)
	DefaultSymbol string `json:"defaultSymbol,omitempty"`
	// +default=ref(example.org/fixtures/types/collide/two/v1.Distance)
	DefaultFarSymbol int32 `json:"defaultFarSymbol,omitempty"`

	Embedded      `json:",inline"`
	*Other        `json:",inline"`
	NamedEmbedded `json:"namedEmbedded"`
	Untagged
}

// Embedded is inlined.
type Embedded struct {
	FromEmbedded string `json:"fromEmbedded"`
}

// Other is inlined through a pointer.
type Other struct {
	// FromOther has a price in $ and an & < > sign.
	FromOther string `json:"fromOther,omitempty"`
}

// NamedEmbedded has a name.
type NamedEmbedded struct {
	Deep string `json:"deep"`
}

// Untagged has no tag.
type Untagged struct {
	Flat string `json:"flat"`
}

// Tool is used in many places.
// ---
// Notes for authors.
type Tool struct {
	// +required
	Name string `json:"name,omitempty"`
	// +optional
	Kind string `json:"kind"`
	Self *Tool  `json:"self,omitempty"`
}

// Wrapper only embeds a time.
type Wrapper struct {
	metav1.Time `json:",inline"`
}

// Nothing has no members.
type Nothing struct{}

//	Code comes first,
//	on two lines.
//
// Then text.
type Code struct {
	//	indented
	A string `json:"a"`
}

// private gets a function, but no entry.
type private struct {
	A string `json:"a"`
}

// Excluded is not published.
// +k8s:openapi-gen=false
type Excluded struct {
	A string `json:"a"`
}

// BedStatus has a union.
// +union
type BedStatus struct {
	// +unionDiscriminator
	// +optional
	Type string `json:"type,omitempty"`
	// +optional
	Wet *Tool `json:"wet,omitempty"`
	// +optional
	Dry *Tool `json:"dry,omitempty"`
}

// OldUnion marks its members.
type OldUnion struct {
	// +unionDiscriminator
	// +optional
	Kind string `json:"kind,omitempty"`
	// +unionDeprecated
	// +optional
	One *string `json:"one,omitempty"`
	// +unionDeprecated
	// +optional
	Two       *string `json:"two,omitempty"`
	BedStatus `json:",inline"`
}

// Copy is a struct by another name.
type Copy Tool

// Same is an alias.
type Same = Tool

// BedList is a list.
type BedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bed `json:"items"`
}
