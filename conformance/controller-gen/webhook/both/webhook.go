package both

// +kubebuilder:webhook:path=/mutate-b,mutating=true,failurePolicy=fail,sideEffects=None,groups=b.example.org,resources=bees,verbs=create;update,versions=v1,name=mb.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/mutate-a,mutating=true,failurePolicy=IGNORE,sideEffects=noneondryrun,groups=core;apps,resources=pods;deployments,verbs=CREATE;delete;Connect;*;odd,versions=v1;v1beta1,name=ma.example.org,admissionReviewVersions={v1,v1beta1},matchPolicy=exact,timeoutSeconds=30,reinvocationPolicy=ifneeded
// +kubebuilder:webhook:verbs=create;update,path=/validate-a,mutating=false,failurePolicy=odd,matchPolicy=Equivalent,groups="",resources=*,versions=*,name=va.example.org,sideEffects=None,webhookVersions=v1,admissionReviewVersions=v1;v1beta1,reinvocationPolicy=IfNeeded

func f() {}
