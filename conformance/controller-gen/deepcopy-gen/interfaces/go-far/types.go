// Package far is imported.
package far

// Far is an interface.
type Far interface {
	DeepCopyFar() Far
}
