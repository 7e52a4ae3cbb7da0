// Package garden has a field of every kind.
//
// +k8s:openapi-gen=true
package garden
