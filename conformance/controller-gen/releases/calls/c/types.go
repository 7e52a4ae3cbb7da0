// Package c is imported by the one that a imports, so it comes before a.
package c

// +kubebuilder:webhook:path=/o,mutating=false,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=o.park.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/x,mutating=true,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=x.park.example.org,admissionReviewVersions=v1
