// Package a has the last name.
package a

import _ "example.org/fixtures/calls/deep"

// +kubebuilder:webhook:path=/z,mutating=false,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=z.park.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/m,mutating=false,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=m.park.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/y,mutating=true,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=y.park.example.org,admissionReviewVersions=v1
