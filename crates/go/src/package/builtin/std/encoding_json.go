// Package json declares values as they are written.
package json

// Number is a number as JSON writes it.
type Number string

// RawMessage is JSON that is kept as text.
// A program reads it later with [Unmarshaler],
// or has written it before with [Marshaler].
type RawMessage []byte
