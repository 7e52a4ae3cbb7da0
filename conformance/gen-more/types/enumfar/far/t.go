// Package far declares an enumeration.
package far

// Mode is one of a few.
// +k8s:enum
type Mode string

const (
	// ModeOn is on.
	ModeOn  Mode = "on"
	ModeOff Mode = "off"
)
