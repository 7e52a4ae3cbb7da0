// Package shared has other names of types.
package shared

// Names is a list.
type Names []string

// Point is flat.
type Point struct {
	X int32 `json:"x"`
}

// OtherPoint is another name of a struct.
type OtherPoint = Point

// OtherNames is another name of a list.
type OtherNames = Names
