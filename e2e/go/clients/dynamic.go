package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	client "k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

var (
	everything = labels.Everything()
	boats      = schema.GroupVersionResource{Group: "sea.example.com", Version: "v1", Resource: "boats"}
)

// definition is a kind with a default, a rule, a status and a scale.
func definition() *apiextensionsv1.CustomResourceDefinition {
	object := func(properties map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	most := float64(9)
	spec := object(map[string]apiextensionsv1.JSONSchemaProps{
		"sails": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("2")}, Maximum: &most},
		"name":  {Type: "string"},
	})
	spec.XValidations = apiextensionsv1.ValidationRules{{Rule: "!has(self.name) || self.name != 'Titanic'", Message: "choose another name"}}
	status := object(map[string]apiextensionsv1.JSONSchemaProps{"sails": {Type: "integer"}})
	root := object(map[string]apiextensionsv1.JSONSchemaProps{"spec": spec, "status": status})
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "boats.sea.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: boats.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "boats", Singular: "boat", Kind: "Boat", ShortNames: []string{"bt"}},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: boats.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
					Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.sails", StatusReplicasPath: ".status.sails"},
				},
			}},
		},
	}
}

func boat(name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": boats.GroupVersion().String(), "kind": "Boat",
		"metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

// discovery asks what there is.
func discovery(_ context.Context, s *suite) error {
	groups, resources, err := s.typed.Discovery().ServerGroupsAndResources()
	if err != nil {
		return err
	}
	version, err := s.typed.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	named := slices.ContainsFunc(groups, func(group *metav1.APIGroup) bool { return group.Name == "coordination.k8s.io" })
	listable := client.FilteredBy(client.SupportsAllVerbs{Verbs: []string{"list", "watch", "create"}}, resources)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.typed.Discovery()))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Kind: "ConfigMap"})
	if err != nil {
		return err
	}
	return first(
		expect("the group of leases is there", named, true),
		expect("there are groups one can list", len(listable) > 4, true),
		expect("the major version", version.Major, "1"),
		expect("the resource of ConfigMap", mapping.Resource.String(), "/v1, Resource=configmaps"),
		expect("its scope", mapping.Scope.Name(), meta.RESTScopeNameNamespace),
	)
}

// custom defines a kind and uses it.
func custom(ctx context.Context, s *suite) error {
	extensions, err := clientset.NewForConfig(s.config)
	if err != nil {
		return err
	}
	definitions := extensions.ApiextensionsV1().CustomResourceDefinitions()
	if _, err := definitions.Create(ctx, definition(), metav1.CreateOptions{}); err != nil {
		return err
	}
	err = wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		current, err := definitions.Get(ctx, "boats.sea.example.com", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(current.Status.Conditions, func(condition apiextensionsv1.CustomResourceDefinitionCondition) bool {
			return condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue
		}), nil
	})
	if err != nil {
		return err
	}
	anything, err := dynamic.NewForConfig(s.config)
	if err != nil {
		return err
	}
	fleet := anything.Resource(boats).Namespace(namespace)
	// A definition is established a moment before it is served.
	var made *unstructured.Unstructured
	err = wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		made, err = fleet.Create(ctx, boat("ferry", map[string]any{"name": "Elbe"}), metav1.CreateOptions{})
		return err == nil, ignoreNotFound(err)
	})
	if err != nil {
		return err
	}
	_, tooMany := fleet.Create(ctx, boat("big", map[string]any{"sails": int64(10)}), metav1.CreateOptions{})
	_, sunk := fleet.Create(ctx, boat("liner", map[string]any{"name": "Titanic"}), metav1.CreateOptions{})
	_, strict := fleet.Create(ctx, boat("odd", map[string]any{"oars": int64(1)}), metav1.CreateOptions{FieldValidation: "Strict"})
	_ = unstructured.SetNestedField(made.Object, int64(2), "status", "sails")
	updated, err := fleet.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	applied, err := fleet.Apply(ctx, "yacht", boat("yacht", map[string]any{"sails": int64(4)}), metav1.ApplyOptions{FieldManager: "yard"})
	if err != nil {
		return err
	}
	patched, err := fleet.Patch(ctx, "yacht", types.MergePatchType, []byte(`{"spec":{"sails":null}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	value := func(object *unstructured.Unstructured, fields ...string) any {
		found, _, _ := unstructured.NestedFieldNoCopy(object.Object, fields...)
		return found
	}
	return first(
		expect("the default", value(made, "spec", "sails"), 2),
		expect("the status", value(updated, "status", "sails"), 2),
		expect("the generation", updated.GetGeneration(), 1),
		expect("what was applied", value(applied, "spec", "sails"), 4),
		expect("the default again", value(patched, "spec", "sails"), 2),
		expect("a bound", apierrors.IsInvalid(tooMany), true),
		expect("a rule", sunk, `Boat.sea.example.com "liner" is invalid: spec: Invalid value: choose another name`),
		expect("an unknown field", apierrors.IsBadRequest(strict), true),
	)
}

// customInformer follows a kind it has no Go type for.
func customInformer(ctx context.Context, s *suite) error {
	anything, err := dynamic.NewForConfig(s.config)
	if err != nil {
		return err
	}
	fleet := anything.Resource(boats).Namespace(namespace)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(anything, 0, namespace, nil)
	shared, told := factory.ForResource(boats), &seen{}
	if _, err := shared.Informer().AddEventHandler(told.handler()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory.Start(ctx.Done())
	if synced := factory.WaitForCacheSync(ctx.Done()); !synced[boats] {
		return fmt.Errorf("it was never in sync")
	}
	if _, err := told.wait(ctx, 2); err != nil {
		return err
	}
	if _, err := fleet.Patch(ctx, "ferry", types.MergePatchType, []byte(`{"spec":{"sails":3}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := fleet.Delete(ctx, "yacht", metav1.DeleteOptions{}); err != nil {
		return err
	}
	lines, err := told.wait(ctx, 4)
	if err != nil {
		return err
	}
	return expect("what was told", lines[2:], "[~clients/ferry -clients/yacht]")
}

// scaled uses the clients that know only a part of an object.
func scaled(ctx context.Context, s *suite) error {
	names, err := metadata.NewForConfig(s.config)
	if err != nil {
		return err
	}
	partial, err := names.Resource(boats).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	natives, err := names.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.typed.Discovery()))
	kinds := scale.NewDiscoveryScaleKindResolver(s.typed.Discovery())
	scales, err := scale.NewForConfig(s.config, mapper, dynamic.LegacyAPIPathResolverFunc, kinds)
	if err != nil {
		return err
	}
	current, err := scales.Scales(namespace).Get(ctx, boats.GroupResource(), "ferry", metav1.GetOptions{})
	if err != nil {
		return err
	}
	current.Spec.Replicas = 7
	changed, err := scales.Scales(namespace).Update(ctx, boats.GroupResource(), current, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("the boats", len(partial.Items), 1),
		expect("there are native objects", len(natives.Items) > 0, true),
		expect("the scale", changed.Spec.Replicas, 7),
		expect("its status", changed.Status.Replicas, 2),
	)
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
