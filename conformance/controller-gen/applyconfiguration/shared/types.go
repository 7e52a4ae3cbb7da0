// Package shared has types of no group.
package shared

// Address is where something is.
type Address struct {
	Street string `json:"street"`
	// +listType=set
	Lines []string `json:"lines,omitempty"`
}

// Level is a number.
type Level int32
