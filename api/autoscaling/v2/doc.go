// +k8s:openapi-gen=true
// +k8s:openapi-model-package=io.k8s.api.autoscaling.v2
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=autoscaling

// Package v2 declares kinds of the group autoscaling.
package v2
