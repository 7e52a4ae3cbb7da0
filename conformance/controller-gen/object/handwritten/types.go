// +kubebuilder:object:generate=true

// Package handwritten has methods that must be respected.
package handwritten

// ByPointer has a DeepCopy on the pointer.
type ByPointer struct {
	Names []string
}

// ByValue has a DeepCopy on the value.
type ByValue struct {
	Names []string
}

// Into has a DeepCopyInto.
type Into struct {
	Names []string
}

// Both has all.
type Both struct {
	Names []string
}

// List has a DeepCopy.
type List []string

// Number is predeclared and has a DeepCopy.
type Number int

// Wrong has methods of another signature.
type Wrong struct {
	Names []string
}

// Embeds gets methods of its own.
type Embeds struct {
	Both
	Names []string
}

// Shape copies itself.
type Shape interface {
	Area() int
	DeepCopy() Shape
}

// Uses uses them all.
type Uses struct {
	ByPointer  ByPointer
	ByPointerP *ByPointer
	ByPointerL []ByPointer
	ByPointerM map[string]ByPointer
	ByPointerQ map[string]*ByPointer
	ByValue    ByValue
	ByValueP   *ByValue
	ByValueL   []ByValue
	ByValueM   map[string]ByValue
	ByValueQ   map[string]*ByValue
	Into       Into
	IntoP      *Into
	IntoL      []Into
	IntoM      map[string]Into
	IntoQ      map[string]*Into
	Both       Both
	BothP      *Both
	List       List
	ListP      *List
	ListL      []List
	ListM      map[string]List
	Number     Number
	NumberP    *Number
	NumberL    []Number
	NumberM    map[string]Number
	Wrong      Wrong
	Embeds     Embeds
	Shape      Shape
}
