// Package v1 is recorded.
//
// +k8s:openapi-gen=true
package v1
