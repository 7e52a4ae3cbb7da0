package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
)

// refusals checks what client-go's predicates make of errors.
func refusals(ctx context.Context, s *suite) error {
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	_, missing := maps.Get(ctx, "nobody", metav1.GetOptions{})
	_, twice := maps.Create(ctx, configMap("first", nil), metav1.CreateOptions{})
	_, invalid := maps.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
	_, nowhere := s.typed.CoreV1().ConfigMaps("nowhere").Create(ctx, configMap("a", nil), metav1.CreateOptions{})
	wrong := types.UID("another")
	precondition := maps.Delete(ctx, "first", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrong}})
	return first(
		expect("not found", apierrors.IsNotFound(missing), true),
		expect("its message", missing, `configmaps "nobody" not found`),
		expect("already exists", apierrors.IsAlreadyExists(twice), true),
		expect("invalid", apierrors.IsInvalid(invalid), true),
		expect("a missing namespace", apierrors.IsNotFound(nowhere), true),
		expect("a failed precondition", apierrors.IsConflict(precondition), true),
	)
}

// pages reads a list in pieces, of one state.
func pages(ctx context.Context, s *suite) error {
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	const count = 25
	for number := range count {
		paged := configMap(fmt.Sprintf("page-%02d", number), nil)
		paged.Labels["paged"] = strconv.FormatBool(number%2 == 0)
		if _, err := maps.Create(ctx, paged, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	names, calls := []string{}, 0
	reader := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		calls++
		return maps.List(ctx, options)
	})
	reader.PageSize, reader.PageBufferSize = 4, 0
	err := reader.EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		names = append(names, object.(*corev1.ConfigMap).Name)
		return nil
	})
	if err != nil {
		return err
	}
	page, err := maps.List(ctx, metav1.ListOptions{Limit: 4})
	if err != nil {
		return err
	}
	even, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "paged=true,by in (clients)"})
	if err != nil {
		return err
	}
	one, err := maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=page-03"})
	if err != nil {
		return err
	}
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "paged"}); err != nil {
		return err
	}
	left, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "paged"})
	if err != nil {
		return err
	}
	return first(
		expect("the number of names", len(names), count+1),
		expect("the number of calls", calls, 7),
		expect("what remains", *page.RemainingItemCount, count+1-4),
		expect("what a selector finds", len(even.Items), 13),
		expect("what a field selector finds", len(one.Items), 1),
		expect("what is left", len(left.Items), 0),
	)
}

// patches sends each type of patch, and an apply.
func patches(ctx context.Context, s *suite) error {
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	if _, err := maps.Create(ctx, configMap("patched", map[string]string{"a": "1", "b": "1"}), metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, patch := range []struct {
		kind types.PatchType
		body string
		want string
	}{
		{types.JSONPatchType, `[{"op":"test","path":"/data/a","value":"1"},{"op":"replace","path":"/data/a","value":"2"}]`, `map[a:2 b:1]`},
		{types.MergePatchType, `{"data":{"b":null,"c":"3"}}`, `map[a:2 c:3]`},
		{types.StrategicMergePatchType, `{"data":{"$patch":"replace","d":"4"}}`, `map[d:4]`},
	} {
		patched, err := maps.Patch(ctx, "patched", patch.kind, []byte(patch.body), metav1.PatchOptions{})
		if err != nil {
			return fmt.Errorf("%s: %w", patch.kind, err)
		}
		if err := expect(string(patch.kind), patched.Data, patch.want); err != nil {
			return err
		}
	}
	wanted := applycorev1.ConfigMap("patched", namespace).WithData(map[string]string{"d": "5"})
	_, conflict := maps.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "applier"})
	if !apierrors.IsConflict(conflict) {
		return fmt.Errorf("applying another's field: %v", conflict)
	}
	applied, err := maps.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "applier", Force: true})
	if err != nil {
		return err
	}
	extracted, err := applycorev1.ExtractConfigMap(applied, "applier")
	if err != nil {
		return err
	}
	return first(expect("what was applied", applied.Data, "map[d:5]"), expect("what is ours", extracted.Data, "map[d:5]"))
}

// watches follows changes from the revision of a list.
func watches(ctx context.Context, s *suite) error {
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	watcher, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, AllowWatchBookmarks: true})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	if _, err := maps.Create(ctx, configMap("watched", nil), metav1.CreateOptions{}); err != nil {
		return err
	}
	body, _ := json.Marshal(map[string]any{"data": map[string]string{"x": "y"}})
	if _, err := maps.Patch(ctx, "watched", types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event, err := next(ctx, watcher)
		if err != nil {
			return err
		}
		object, ok := event.Object.(*corev1.ConfigMap)
		if !ok || event.Type != want || object.Name != "watched" {
			return fmt.Errorf("%s was expected, %s of %T came", want, event.Type, event.Object)
		}
	}
	return nil
}

// next returns the next event that is not a bookmark.
func next(ctx context.Context, watcher watch.Interface) (watch.Event, error) {
	for {
		select {
		case event, ok := <-watcher.ResultChan():
			if !ok {
				return event, fmt.Errorf("the watch ended")
			}
			if event.Type != watch.Bookmark {
				return event, nil
			}
		case <-ctx.Done():
			return watch.Event{}, ctx.Err()
		}
	}
}

// access asks who may do what, and becomes somebody else.
func access(ctx context.Context, s *suite) error {
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list", "watch"}}},
	}
	if _, err := s.typed.RbacV1().Roles(namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		Subjects:   []rbacv1.Subject{{Kind: "User", APIGroup: rbacv1.GroupName, Name: "jane"}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"},
	}
	if _, err := s.typed.RbacV1().RoleBindings(namespace).Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		return err
	}
	config := rest.CopyConfig(s.config)
	config.Impersonate.UserName = "jane"
	jane, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if _, err := jane.CoreV1().ConfigMaps(namespace).Get(ctx, "two", metav1.GetOptions{}); err != nil {
		return err
	}
	forbidden := jane.CoreV1().ConfigMaps(namespace).Delete(ctx, "two", metav1.DeleteOptions{})
	allowed := map[string]bool{}
	for _, verb := range []string{"get", "delete"} {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Resource: "configmaps"},
		}}
		answer, err := jane.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		allowed[verb] = answer.Status.Allowed
	}
	return first(
		expect("forbidden", apierrors.IsForbidden(forbidden), true),
		expect("what jane may", allowed, "map[delete:false get:true]"),
	)
}
