// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.core.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=

// Package v1 declares the kinds of the core group.
package v1
