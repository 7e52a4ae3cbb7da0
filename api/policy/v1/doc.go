// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.policy.v1
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=policy

// Package v1 declares kinds of the group policy.
package v1
