// Package json declares numbers as they are written.
package json

// A Number represents a JSON number literal.
type Number string
