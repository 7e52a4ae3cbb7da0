// Package v1 is imported, too.
package v1

// Part is a part.
type Part struct {
	Names []string
}

