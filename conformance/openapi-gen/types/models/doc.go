// Package models has names of its own.
//
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=org.example.models
package models
