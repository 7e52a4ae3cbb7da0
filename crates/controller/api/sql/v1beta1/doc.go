// Package v1beta1 has database instances of Cloud SQL.
// +kubebuilder:object:generate=true
// +groupName=sql.cnrm.cloud.google.com
package v1beta1
