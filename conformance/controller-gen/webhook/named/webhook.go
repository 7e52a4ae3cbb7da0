// +kubebuilder:webhookconfiguration:mutating=true,name=the-mutators
// +kubebuilder:webhookconfiguration:mutating=false
package named

// +kubebuilder:webhook:path=/a,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=as,verbs=create,versions=v1,name=a.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/b,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=as,verbs=create,versions=v1,name=b.example.org,admissionReviewVersions=v1

// T is a type.
type T struct{}
