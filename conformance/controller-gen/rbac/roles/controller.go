package roles

// +kubebuilder:rbac:groups=apps,namespace=zoo,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,namespace=park,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,namespace=park,roleName=keeper,resources=jobs,verbs=get
// +kubebuilder:rbac:groups=apps,roleName=visitor,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,resources=jobs,verbs=

var x int
