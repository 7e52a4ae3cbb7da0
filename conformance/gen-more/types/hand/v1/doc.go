// Package v1 has definitions that are written out.
// +k8s:openapi-gen=true
package v1
