// +kubebuilder:rbac:groups=package.doc,resources=a,verbs=get

// Package places has markers in many places.
// +kubebuilder:rbac:groups=package.doc2,resources=b,verbs=get
package places

// +kubebuilder:rbac:groups=before.import,resources=a,verbs=get
import "fmt"

// +kubebuilder:rbac:groups=above.type,resources=a,verbs=get

// T is a type.
// +kubebuilder:rbac:groups=doc.of.type,resources=a,verbs=get
type T struct {
	// +kubebuilder:rbac:groups=in.type,resources=a,verbs=get

	A string // +kubebuilder:rbac:groups=behind.field,resources=a,verbs=get
}

// +kubebuilder:rbac:groups=first.of.two,resources=a,verbs=get

// +kubebuilder:rbac:groups=second.of.two,resources=a,verbs=get

// F is a function.
// +kubebuilder:rbac:groups=doc.of.function,resources=a,verbs=get
func F() {
	// +kubebuilder:rbac:groups=in.function,resources=a,verbs=get
	fmt.Println()
}

// +kubebuilder:rbac:groups=above.method,resources=a,verbs=get

func (t *T) M() {
}

/*
+kubebuilder:rbac:groups=in.block,resources=a,verbs=get
*/

// +kubebuilder:rbac:groups=above.const,resources=a,verbs=get

const C = 1 // +kubebuilder:rbac:groups=behind.const,resources=a,verbs=get

// +kubebuilder:rbac:groups=at.end,resources=a,verbs=get
