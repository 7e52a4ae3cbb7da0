package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	typedv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

// seen collects what handlers are told.
type seen struct {
	mutex sync.Mutex
	lines []string
}

func (s *seen) add(format string, arguments ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, arguments...))
}

// wait returns when so many lines have come.
func (s *seen) wait(ctx context.Context, count int) ([]string, error) {
	var lines []string
	err := wait.PollUntilContextCancel(ctx, 5*time.Millisecond, true, func(context.Context) (bool, error) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		lines = append(lines[:0], s.lines...)
		return len(lines) >= count, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w; so far %v", err, lines)
	}
	return lines, nil
}

// handler tells of changes by name.
func (s *seen) handler() cache.ResourceEventHandlerFuncs {
	name := func(object any) string {
		key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
		return key
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { s.add("+%s", name(object)) },
		UpdateFunc: func(_, object any) { s.add("~%s", name(object)) },
		DeleteFunc: func(object any) { s.add("-%s", name(object)) },
	}
}

// informer lists and watches as controllers do, by a stream of initial events where the library asks for it.
func informer(ctx context.Context, s *suite) error {
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "by=clients"}); err != nil {
		return err
	}
	labeled := func(options *metav1.ListOptions) { options.LabelSelector = "by=clients" }
	for _, name := range []string{"one", "two"} {
		if _, err := maps.Create(ctx, configMap(name, nil), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	factory := informers.NewSharedInformerFactoryWithOptions(s.typed, 0,
		informers.WithNamespace(namespace), informers.WithTweakListOptions(labeled))
	shared, told := factory.Core().V1().ConfigMaps(), &seen{}
	if _, err := shared.Informer().AddEventHandler(told.handler()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("%v was never in sync", kind)
		}
	}
	if _, err := told.wait(ctx, 2); err != nil {
		return err
	}
	three, err := maps.Create(ctx, configMap("three", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	three.Data = map[string]string{"x": "y"}
	if three, err = maps.Update(ctx, three, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "one", metav1.DeleteOptions{}); err != nil {
		return err
	}
	// It leaves the selection, which is a deletion to this watcher.
	three.Labels = nil
	if _, err := maps.Update(ctx, three, metav1.UpdateOptions{}); err != nil {
		return err
	}
	lines, err := told.wait(ctx, 6)
	if err != nil {
		return err
	}
	cached, err := shared.Lister().ConfigMaps(namespace).List(everything)
	if err != nil {
		return err
	}
	return first(
		expect("what was told", lines[2:], "[+clients/three ~clients/three -clients/one -clients/three]"),
		expect("what is cached", len(cached), 1),
	)
}

// election lets two candidates lead one after the other.
func election(ctx context.Context, s *suite) error {
	told := &seen{}
	for _, name := range []string{"ann", "bob"} {
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader", s.typed.CoreV1(),
			s.typed.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: name})
		if err != nil {
			return err
		}
		term, resign := context.WithCancel(ctx)
		leaderelection.RunOrDie(term, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 100 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { told.add("%s leads", name); resign() },
				OnStoppedLeading: func() { told.add("%s stops", name) },
			},
		})
		resign()
	}
	lines, err := told.wait(ctx, 4)
	if err != nil {
		return err
	}
	lease, err := s.typed.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("the terms", len(lines), 4),
		expect("the last holder", *lease.Spec.HolderIdentity, ""),
		expect("there were transitions", *lease.Spec.LeaseTransitions > 0, true),
	)
}

// events records the same event twice, which is one event that is counted.
func events(ctx context.Context, s *suite) error {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedv1.EventSinkImpl{Interface: s.typed.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "clients"})
	subject, err := s.typed.CoreV1().ConfigMaps(namespace).Get(ctx, "two", metav1.GetOptions{})
	if err != nil {
		return err
	}
	for range 2 {
		recorder.Event(subject, corev1.EventTypeNormal, "Tested", "it works")
	}
	selector := metav1.ListOptions{FieldSelector: "involvedObject.name=two,reason=Tested"}
	return wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		list, err := s.typed.CoreV1().Events(namespace).List(ctx, selector)
		if err != nil || len(list.Items) == 0 {
			return false, err
		}
		event := list.Items[0]
		if event.Message != "it works" || event.Source.Component != "clients" || len(list.Items) > 1 {
			return false, fmt.Errorf("%d events, %+v", len(list.Items), event)
		}
		return event.Count == 2, nil
	})
}
