package patch

// +kubebuilder:webhook:path=/a,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=as,verbs=create,versions=v1,name=a.example.org,admissionReviewVersions=v1,timeoutSeconds=5,patch=`{"namespaceSelector":{"matchLabels":{"on":"true"},"matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]}]},"timeoutSeconds":25}`
// +kubebuilder:webhook:path=/b,mutating=false,failurePolicy=fail,sideEffects=None,groups=a,resources=as,verbs=create,versions=v1,name=b.example.org,admissionReviewVersions=v1,timeoutSeconds=5,patch=`{"timeoutSeconds":null,"objectSelector":{"matchLabels":{"x":"y"}},"matchConditions":[{"name":"n","expression":"true"},{"name":"m","expression":"!false"}],"rules":[{"apiGroups":["z"],"apiVersions":["*"],"operations":["*"],"resources":["*"],"scope":"Cluster"}],"clientConfig":{"service":{"port":9443},"caBundle":"aGk="}}`

func f() {}
