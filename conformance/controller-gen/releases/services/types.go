// Package services: where webhooks are called.
package services

// +kubebuilder:webhook:path=/z,mutating=false,failurePolicy=fail,sideEffects=None,groups=park.example.org,resources=gates,verbs=create,versions=v1,name=z.park.example.org,admissionReviewVersions=v1,serviceName=booth,serviceNamespace=park,servicePort=8443
