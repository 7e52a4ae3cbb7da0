// Package v1 is imported.
//
// +k8s:openapi-gen=true
package v1
