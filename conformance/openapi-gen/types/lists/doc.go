// Package lists breaks conventions.
//
// +k8s:openapi-gen=true
package lists
