// Package v1 is imported.
//
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=org.example.deep
package v1
