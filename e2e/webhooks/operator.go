// Package operator is a small operator as kubebuilder lays them out: a controller, and webhooks for defaults, validation
// and conversion of one kind.
package operator

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	v1 "kindsmith.dev/e2e/webhooks/api/v1"
	v2 "kindsmith.dev/e2e/webhooks/api/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// ProtectedLabel marks piers that must not be deleted.
const ProtectedLabel = "harbor.example.org/protected"

// AddToScheme makes all versions known.
func AddToScheme(scheme *runtime.Scheme) error {
	if err := v1.AddToScheme(scheme); err != nil {
		return err
	}
	return v2.AddToScheme(scheme)
}

// SetUp adds the controller and the webhooks to a manager.
func SetUp(manager ctrl.Manager) error {
	err := ctrl.NewWebhookManagedBy(manager, &v2.Pier{}).WithDefaulter(rules{}).WithValidator(rules{}).Complete()
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(manager).For(&v2.Pier{}).Complete(&reconciler{manager.GetClient()})
}

// reconciler keeps the status.
type reconciler struct{ client client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pier := &v2.Pier{}
	if err := r.client.Get(ctx, request.NamespacedName, pier); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pier.Status.Free == pier.Spec.Berths {
		return ctrl.Result{}, nil
	}
	pier.Status.Free = pier.Spec.Berths
	return ctrl.Result{}, r.client.Status().Update(ctx, pier)
}

// +kubebuilder:webhook:path=/mutate-harbor-example-org-v2-pier,mutating=true,failurePolicy=fail,sideEffects=None,groups=harbor.example.org,resources=piers,verbs=create;update,versions=v2,name=default.harbor.example.org,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate-harbor-example-org-v2-pier,mutating=false,failurePolicy=fail,sideEffects=None,groups=harbor.example.org,resources=piers,verbs=create;update;delete,versions=v2,name=validate.harbor.example.org,admissionReviewVersions=v1

// rules are the defaults and the validation of piers, of every version: the server converts first.
type rules struct{}

// Default closes piers in the evening.
func (rules) Default(_ context.Context, pier *v2.Pier) error {
	if pier.Spec.Closes == "" {
		pier.Spec.Closes = "18:00"
	}
	return nil
}

func (rules) ValidateCreate(_ context.Context, pier *v2.Pier) (admission.Warnings, error) {
	if pier.Spec.Opens >= pier.Spec.Closes {
		return nil, fmt.Errorf("closes at %s, but opens at %s", pier.Spec.Closes, pier.Spec.Opens)
	}
	if pier.Spec.Berths > 10 {
		return admission.Warnings{"few harbors have more than 10 berths"}, nil
	}
	return nil, nil
}

func (r rules) ValidateUpdate(ctx context.Context, old, pier *v2.Pier) (admission.Warnings, error) {
	if pier.Spec.Berths < old.Spec.Berths {
		return nil, fmt.Errorf("%d berths cannot become %d", old.Spec.Berths, pier.Spec.Berths)
	}
	return r.ValidateCreate(ctx, pier)
}

func (rules) ValidateDelete(_ context.Context, pier *v2.Pier) (admission.Warnings, error) {
	if _, isProtected := pier.Labels[ProtectedLabel]; isProtected {
		return nil, fmt.Errorf("%s is protected", pier.Name)
	}
	return nil, nil
}
