// Package types declares names of objects.
package types

// UID tells objects apart that had the same name at different times.
type UID string

// NamespacedName names an object in a namespace.
type NamespacedName struct {
	Namespace string
	Name      string
}

// NodeName is the name of a node.
type NodeName string
