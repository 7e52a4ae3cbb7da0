// Package v1beta1 has topics of Pub/Sub.
// +kubebuilder:object:generate=true
// +groupName=pubsub.cnrm.cloud.google.com
package v1beta1
