// Command clients does with a server what controllers written in Go do, by the published client libraries: typed clients
// (which speak protobuf), informers, leader election, event recorders, dynamic, metadata and scale clients. It ends by
// itself, with status 0 if everything was as it is with kube-apiserver.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

// patience is for a busy machine; nothing here waits this long for a server that works.
const patience = 90 * time.Second

// namespace is where everything happens.
const namespace = "clients"

// suite is what every step is given.
type suite struct {
	config *rest.Config
	typed  kubernetes.Interface
	wire   *wire
}

// steps run in order; each may use what the ones before it left.
var steps = []struct {
	name string
	run  func(context.Context, *suite) error
}{
	{"a namespace and objects in it", objects},
	{"errors have their reasons", refusals},
	{"pages of a list", pages},
	{"patches of each type", patches},
	{"a watch from a revision", watches},
	{"an informer", informer},
	{"leader election", election},
	{"events", events},
	{"discovery", discovery},
	{"a custom resource", custom},
	{"an informer of a custom resource", customInformer},
	{"metadata and scale", scaled},
	{"reviews of access", access},
	{"typed clients speak protobuf", protobuf},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}

func run() error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	suite := &suite{config: config, wire: &wire{}}
	config.QPS, config.Burst = -1, -1
	config.UserAgent = "clients"
	config.Wrap(suite.wire.wrap)
	if suite.typed, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	for _, step := range steps {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := step.run(ctx, suite)
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Println("ok", step.name)
	}
	fmt.Printf("all %d steps done\n", len(steps))
	return nil
}

// wire counts what goes over it.
type wire struct {
	sent, received atomic.Int64
}

func (w *wire) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		const protobuf = "application/vnd.kubernetes.protobuf"
		if strings.HasPrefix(request.Header.Get("Content-Type"), protobuf) {
			w.sent.Add(1)
		}
		response, err := next.RoundTrip(request)
		if err == nil && strings.HasPrefix(response.Header.Get("Content-Type"), protobuf) {
			w.received.Add(1)
		}
		return response, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// WrappedRoundTripper lets client-go cancel requests below.
func (r roundTripper) WrappedRoundTripper() http.RoundTripper { return nil }

func protobuf(_ context.Context, s *suite) error {
	if sent, received := s.wire.sent.Load(), s.wire.received.Load(); sent == 0 || received == 0 {
		return fmt.Errorf("%d bodies were sent and %d received in protobuf", sent, received)
	}
	return nil
}

// expect fails unless two values are printed alike.
func expect(what string, got, want any) error {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%s is %v, not %v", what, got, want)
	}
	return nil
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"by": "clients"}}, Data: data}
}

func objects(ctx context.Context, s *suite) error {
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	created, err := s.typed.CoreV1().Namespaces().Create(ctx, wanted, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	maps := s.typed.CoreV1().ConfigMaps(namespace)
	made, err := maps.Create(ctx, configMap("first", map[string]string{"a": "1"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.BinaryData = map[string][]byte{"b": {0, 1, 255}}
	updated, err := maps.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	stale := made.DeepCopy()
	stale.Data["a"] = "2"
	_, conflict := maps.Update(ctx, stale, metav1.UpdateOptions{})
	if conflict == nil {
		return fmt.Errorf("an update of an old version was taken")
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current, err := maps.Get(ctx, "first", metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Data["a"] = "2"
		_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	read, err := maps.Get(ctx, "first", metav1.GetOptions{})
	if err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}, StringData: map[string]string{"k": "v"}}
	stored, err := s.typed.CoreV1().Secrets(namespace).Create(ctx, secret, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return first(
		expect("the namespace's phase", created.Status.Phase, corev1.NamespaceActive),
		expect("the updated binary data", updated.BinaryData, map[string][]byte{"b": {0, 1, 255}}),
		expect("the data", read.Data, map[string]string{"a": "2"}),
		expect("the uid", read.UID, made.UID),
		expect("the manager", read.ManagedFields[0].Manager, "clients"),
		expect("the secret", string(stored.Data["k"]), "v"),
		expect("its type", stored.Type, corev1.SecretTypeOpaque),
		expect("its name begins", strings.HasPrefix(stored.Name, "s-") && len(stored.Name) == 7, true),
	)
}
