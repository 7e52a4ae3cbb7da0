package merging

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=statefulsets;daemonsets,verbs=watch;get;list
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create
// +kubebuilder:rbac:groups=batch;apps;batch,resources=jobs,verbs=get
// +kubebuilder:rbac:groups=other,resources=jobs,verbs=get
// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list
// +kubebuilder:rbac:groups=core,resources=services,verbs=list;get
//+kubebuilder:rbac:groups=core,resources=secrets,resourceNames=b;a,verbs=get
// +kubebuilder:rbac:groups=core,resources=configmaps,resourceNames={a,b},verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/healthz;/livez,verbs=get
// +kubebuilder:rbac:urls=/debug,verbs=post
// +kubebuilder:rbac:groups=any.example.org,resources=*,verbs=*;get
// +kubebuilder:rbac:groups=*,resources=things,verbs="*"

// Reconcile reconciles.
func Reconcile() {}
