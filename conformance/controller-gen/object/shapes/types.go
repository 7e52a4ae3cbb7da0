// Package shapes has a type of every shape.
// +kubebuilder:object:generate=true
package shapes

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Word is text.
type Word string

// Words is a list.
type Words []Word

// Lines is a list of lists.
type Lines []Words

// Index maps words to lines.
type Index map[Word]Lines

// Pages is a list of structs.
type Pages []Page

// Leaves is a list of pointers.
type Leaves []*Page

// Shelf maps text to structs.
type Shelf map[string]Page

// Empty has no fields.
type Empty struct{}

// Page is flat.
type Page struct {
	Number int32
	Title  Word
	Empty  Empty
}

// Chapter is not flat.
type Chapter struct {
	Page  `json:",inline"`
	Notes []string
}

// Other is another name.
type Other = Page

// OtherWords is another name of a list.
type OtherWords = Words

// Rune is predeclared, so it needs no methods.
type Rune rune

// Ref is a pointer, so it needs no methods.
type Ref *Page

// Copied is a struct by another name.
type Copied Chapter

// Book has everything.
type Book struct {
	Text     string
	Byte     byte
	Float    float64
	Bool     *bool
	Text2    **string
	Word     Word
	WordP    *Word
	Words    Words
	WordsP   *Words
	Lines    Lines
	Index    Index
	IndexP   *Index
	Raw      []byte
	Strings  []string
	StringsP *[]string
	Pointers []*string
	Matrix   [][]int
	Maps     []map[string]string
	Map      map[string]string
	MapP     *map[string]string
	MapMap   map[string]map[string]int
	MapList  map[string][]string
	MapPtr   map[string]*string
	MapBytes map[string][]byte
	MapWords map[string]Words
	MapPage  map[Word]Page
	MapPageP map[string]*Page
	MapChap  map[string]Chapter
	MapChapP map[string]*Chapter
	Page     Page
	PageP    *Page
	Pages    []Page
	PagesN   Pages
	Leaves   Leaves
	Shelf    Shelf
	Chapter  Chapter
	ChapterP *Chapter
	Chapters []Chapter
	ChapPs   []*Chapter
	Copied   Copied
	Empty    Empty
	Rune     Rune
	RuneP    *Rune
	Ref      Ref
	Other    Other
	OtherP   *Other
	Others   []Other
	OtherWs  OtherWords
	OtherWsP *OtherWords
	OtherWsL []OtherWords
	small    string
	hidden   []string
	Inline   struct{ A int }

	Duration  time.Duration
	DurationP *time.Duration
	Durations []time.Duration

	Meta       metav1.ObjectMeta
	Time       metav1.Time
	TimeP      *metav1.Time
	Times      []metav1.Time
	TimeMap    map[string]metav1.Time
	TimeMapP   map[string]*metav1.Time
	Micro      metav1.MicroTime
	MicroP     *metav1.MicroTime
	MDuration  metav1.Duration
	MDurationP *metav1.Duration
	Selector   *metav1.LabelSelector
	Conditions []metav1.Condition
	Quantity   resource.Quantity
	QuantityP  *resource.Quantity
	Quantities []resource.Quantity
	QMap       map[string]resource.Quantity
	QMapP      map[string]*resource.Quantity
	Port       intstr.IntOrString
	PortP      *intstr.IntOrString
	Ports      []intstr.IntOrString
	Ext        runtime.RawExtension
	ExtP       *runtime.RawExtension
	Exts       []runtime.RawExtension
	JSON       apiextensionsv1.JSON
	JSONP      *apiextensionsv1.JSON
	JSONMap    map[string]apiextensionsv1.JSON
}

// Off is excluded.
// +kubebuilder:object:generate=false
type Off struct {
	Func func()
}

type unexported struct {
	Names []string
}

type (
	// Grouped is declared with others.
	Grouped struct {
		Names []string
	}

	// GroupedOff is excluded.
	// +kubebuilder:object:generate=false
	GroupedOff struct {
		Names []string
	}
)
