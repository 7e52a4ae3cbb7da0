// Package smoke starts the server through controller-runtime's envtest and uses it as a test suite would.
package smoke

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var gate = schema.GroupVersionKind{Group: "park.example.org", Version: "v1", Kind: "Gate"}

func gates() *apiextensionsv1.CustomResourceDefinition {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	width := apiextensionsv1.JSONSchemaProps{Type: "integer", Minimum: new(float64(1))}
	spec := apiextensionsv1.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"name": text, "width": width},
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gates.park.example.org"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: gate.Group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "gates", Singular: "gate", Kind: "Gate", ListKind: "GateList"},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: gate.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type:       "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec},
				}},
			}},
		},
	}
}

func newGate(name string, width int64) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"width": width}}}
	object.SetGroupVersionKind(gate)
	object.SetNamespace("default")
	object.SetName(name)
	return object
}

func TestEnvironment(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	environment := &envtest.Environment{CRDInstallOptions: envtest.CRDInstallOptions{CRDs: []*apiextensionsv1.CustomResourceDefinition{gates()}}}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	cluster, err := client.NewWithWatch(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}

	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(gate)
	watching, err := cluster.Watch(ctx, list)
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Stop()
	if err := cluster.Create(ctx, newGate("north", 3)); err != nil {
		t.Fatal(err)
	}
	select {
	case event := <-watching.ResultChan():
		if event.Type != "ADDED" {
			t.Errorf("the first event is %v", event.Type)
		}
	case <-ctx.Done():
		t.Fatal("no event")
	}
	if err := cluster.Create(ctx, newGate("narrow", 0)); !apierrors.IsInvalid(err) {
		t.Errorf("a gate without width: %v", err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "m-"}, Data: map[string]string{"a": "b"}}
	if err := cluster.Create(ctx, configMap); err != nil {
		t.Fatal(err)
	}

	// Users of client certificates: the common name is the user, organizations are groups.
	user, err := environment.AddUser(envtest.User{Name: "ann", Groups: []string{"visitors"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	visitor, err := client.New(user.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	if err := visitor.Get(ctx, client.ObjectKeyFromObject(configMap), &corev1.ConfigMap{}); !apierrors.IsForbidden(err) {
		t.Errorf("a visitor reads a ConfigMap: %v", err)
	}
}
