// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.apps.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=apps

// Package v1 declares kinds of the group apps.
package v1
