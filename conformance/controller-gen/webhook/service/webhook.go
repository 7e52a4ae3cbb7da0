package service

// +kubebuilder:webhook:path=/a,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=as,verbs=create,versions=v1,name=a.example.org,admissionReviewVersions=v1,serviceName=svc,serviceNamespace=ns,servicePort=8443
// +kubebuilder:webhook:url="https://example.org:8443/b?x=1",mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=as/status,verbs=create,versions=v1,name=b.example.org,admissionReviewVersions=v1

func f() {}
