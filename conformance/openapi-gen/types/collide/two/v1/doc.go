// Package v1 is imported.
//
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=org.example.two
package v1
