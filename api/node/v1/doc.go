// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.node.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=node.k8s.io

// Package v1 declares kinds of the group node.k8s.io.
package v1
