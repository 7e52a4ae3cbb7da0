// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.batch.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=batch

// Package v1 declares kinds of the group batch.
package v1
