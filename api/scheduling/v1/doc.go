// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.scheduling.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=scheduling.k8s.io

// Package v1 declares kinds of the group scheduling.k8s.io.
package v1
