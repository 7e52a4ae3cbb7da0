// Package http declares headers.
package http

// Header holds the headers of a request or answer by name.
//
// Names are written the way
// [CanonicalHeaderKey] writes them.
type Header map[string][]string
