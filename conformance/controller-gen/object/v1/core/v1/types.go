// Package v1 is imported.
package v1

import "example.org/fixtures/object/roots"

// Part is a part.
type Part struct {
	Names []string
}

// Tree is a map of types that its importer does not import.
type Tree map[string]roots.Wanted
