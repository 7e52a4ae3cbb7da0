// Package roles: all verbs, and others beside them.
package roles

// +kubebuilder:rbac:groups=park.example.org,resources=gates,verbs=*;get
// +kubebuilder:rbac:groups=park.example.org,resources=fences,verbs=get;list
// +kubebuilder:rbac:groups=park.example.org,resources=fences,verbs=*
// +kubebuilder:rbac:groups=park.example.org,resources=paths,verbs=*
