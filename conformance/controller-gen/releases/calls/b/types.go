// Package b has the first name.
package b

// +kubebuilder:webhook:path=/b,mutating=false,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=b.park.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/c,mutating=true,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=c.park.example.org,admissionReviewVersions=v1
