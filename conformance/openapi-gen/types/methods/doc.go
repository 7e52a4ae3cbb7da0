// Package methods has types that describe themselves.
//
// +k8s:openapi-gen=true
package methods
