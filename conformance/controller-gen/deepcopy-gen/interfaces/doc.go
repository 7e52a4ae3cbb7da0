// Package interfaces has fields of interface types, and types that implement interfaces.
//
// +k8s:deepcopy-gen=package
package interfaces
