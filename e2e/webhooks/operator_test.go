package operator

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	v1 "kindsmith.dev/e2e/webhooks/api/v1"
	v2 "kindsmith.dev/e2e/webhooks/api/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// patience is for a busy machine; nothing here waits this long for a server that works.
const patience = time.Minute

// warnings collects what the server warns about.
type warnings struct {
	sync.Mutex
	texts []string
}

func (w *warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.Lock()
	defer w.Unlock()
	w.texts = append(w.texts, text)
}

// take returns the warnings since the last call.
func (w *warnings) take() string {
	w.Lock()
	defer w.Unlock()
	texts := strings.Join(w.texts, "; ")
	w.texts = nil
	return texts
}

// suite is what every step is given; ctx ends with the test.
type suite struct {
	*testing.T
	ctx     context.Context
	cluster client.WithWatch
	warned  *warnings
}

// steps run in order; each may use what the ones before it left.
var steps = []struct {
	name string
	run  func(*suite)
}{
	{"defaults", defaults},
	{"refusals", refusals},
	{"warnings", warned},
	{"reads in the other version", reads},
	{"writes in the other version", writes},
	{"hours that cannot be converted", unconvertible},
	{"apply in the other version", applies},
	{"watch in the other version", watches},
	{"status by the controller", status},
	{"delete", deletes},
}

func TestOperator(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	log.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	must(t, AddToScheme(scheme))
	environment := &envtest.Environment{
		Scheme:                scheme,
		CRDInstallOptions:     envtest.CRDInstallOptions{Scheme: scheme, Paths: []string{"config/crd"}, ErrorIfPathMissing: true},
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"config/webhook"}},
	}
	config, err := environment.Start()
	must(t, err)
	t.Cleanup(func() { must(t, environment.Stop()) })
	start(ctx, t, config, environment)

	warned := &warnings{}
	config = rest.CopyConfig(config)
	config.WarningHandler = warned
	cluster, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	must(t, err)
	for _, step := range steps {
		if !t.Run(step.name, func(t *testing.T) { step.run(&suite{t, ctx, cluster, warned}) }) {
			return
		}
	}
}

// start runs the operator until the test ends.
func start(ctx context.Context, t *testing.T, config *rest.Config, environment *envtest.Environment) {
	serving := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  environment.Scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: serving.LocalServingHost, Port: serving.LocalServingPort, CertDir: serving.LocalServingCertDir,
		}),
	})
	must(t, err)
	must(t, SetUp(manager))
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		must(t, <-ended)
	})
	isUp := manager.GetWebhookServer().StartedChecker()
	for isUp(nil) != nil {
		select {
		case <-ctx.Done():
			t.Fatal("the webhook server does not start")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expect fails unless an error says all of texts.
func (s *suite) expect(err error, texts ...string) {
	s.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			s.Errorf("got %v, not %q", err, text)
		}
	}
}

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: name}
}

func pier(name, opens, closes string, berths int32) *v2.Pier {
	return &v2.Pier{ObjectMeta: meta(name), Spec: v2.PierSpec{Opens: opens, Closes: closes, Berths: berths}}
}

func older(name, hours string) *v1.Pier {
	return &v1.Pier{ObjectMeta: meta(name), Spec: v1.PierSpec{Hours: hours}}
}

func defaults(s *suite) {
	created := pier("north", "08:00", "", 0)
	must(s.T, s.cluster.Create(s.ctx, created))
	if created.Spec.Closes != "18:00" || created.Spec.Berths != 1 {
		s.Errorf("the webhook and the schema default to %+v", created.Spec)
	}
}

func refusals(s *suite) {
	err := s.cluster.Create(s.ctx, pier("late", "19:00", "", 0))
	s.expect(err, `admission webhook "validate.harbor.example.org" denied the request: closes at 18:00, but opens at 19:00`)
	if !apierrors.IsForbidden(err) {
		s.Errorf("the reason is %v", apierrors.ReasonForError(err))
	}
	// The schema comes before the validating webhook.
	err = s.cluster.Create(s.ctx, pier("noon", "noon", "", 0))
	s.expect(err, "spec.opens: Invalid value")
	if !apierrors.IsInvalid(err) {
		s.Errorf("the reason is %v", apierrors.ReasonForError(err))
	}
	broad := pier("broad", "08:00", "", 4)
	must(s.T, s.cluster.Create(s.ctx, broad))
	broad.Spec.Berths = 3
	s.expect(s.cluster.Update(s.ctx, broad), "4 berths cannot become 3")
	dry := pier("dry", "20:00", "", 0)
	s.expect(s.cluster.Create(s.ctx, dry, client.DryRunAll), "denied the request")
}

func warned(s *suite) {
	s.warned.take()
	must(s.T, s.cluster.Create(s.ctx, pier("vast", "08:00", "", 11)))
	if got := s.warned.take(); got != "few harbors have more than 10 berths" {
		s.Errorf("warned %q", got)
	}
}

func reads(s *suite) {
	read := &v1.Pier{}
	must(s.T, s.cluster.Get(s.ctx, client.ObjectKeyFromObject(pier("broad", "", "", 0)), read))
	if read.Spec.Hours != "08:00-18:00" || read.Annotations[v1.BerthsAnnotation] != "4" {
		s.Errorf("read %q with %v", read.Spec.Hours, read.Annotations)
	}
	list := &v1.PierList{}
	must(s.T, s.cluster.List(s.ctx, list))
	if len(list.Items) != 3 {
		s.Errorf("listed %d", len(list.Items))
	}
}

func writes(s *suite) {
	// The webhooks' rules name v2 only: the server converts for them.
	s.expect(s.cluster.Create(s.ctx, older("night", "22:00-06:00")), "closes at 06:00, but opens at 22:00")
	created := older("south", "09:00-")
	must(s.T, s.cluster.Create(s.ctx, created))
	if created.Spec.Hours != "09:00-18:00" || created.Annotations[v1.BerthsAnnotation] != "1" {
		s.Errorf("created %q with %v", created.Spec.Hours, created.Annotations)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"hours":"10:00-16:00"}}`))
	must(s.T, s.cluster.Patch(s.ctx, older("broad", ""), patch))
	read := &v2.Pier{}
	must(s.T, s.cluster.Get(s.ctx, client.ObjectKeyFromObject(pier("broad", "", "", 0)), read))
	if read.Spec != (v2.PierSpec{Opens: "10:00", Closes: "16:00", Berths: 4}) || len(read.Annotations) != 0 {
		s.Errorf("stored %+v with %v", read.Spec, read.Annotations)
	}
}

func unconvertible(s *suite) {
	s.expect(s.cluster.Create(s.ctx, older("always", "always")),
		"conversion webhook for harbor.example.org/v1, Kind=Pier failed", `hours "always" are not OPENS-CLOSES`)
}

func applies(s *suite) {
	for range 2 {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": v1.GroupVersion.String(), "kind": "Pier",
			"metadata": map[string]any{"namespace": "default", "name": "west"},
			"spec":     map[string]any{"hours": "07:00-12:00"},
		}}
		must(s.T, s.cluster.Apply(s.ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("harbormaster")))
	}
	read := &v2.Pier{}
	must(s.T, s.cluster.Get(s.ctx, client.ObjectKeyFromObject(pier("west", "", "", 0)), read))
	if read.Spec != (v2.PierSpec{Opens: "07:00", Closes: "12:00", Berths: 1}) {
		s.Errorf("applied %+v", read.Spec)
	}
}

func watches(s *suite) {
	watching, err := s.cluster.Watch(s.ctx, &v1.PierList{}, client.InNamespace("default"))
	must(s.T, err)
	defer watching.Stop()
	must(s.T, s.cluster.Create(s.ctx, pier("east", "05:00", "06:00", 0)))
	for {
		select {
		case event := <-watching.ResultChan():
			seen, isPier := event.Object.(*v1.Pier)
			if !isPier {
				s.Fatalf("got %v %v", event.Type, event.Object)
			}
			if seen.Name == "east" {
				if seen.Spec.Hours != "05:00-06:00" {
					s.Errorf("watched %q", seen.Spec.Hours)
				}
				return
			}
		case <-s.ctx.Done():
			s.Fatal("no event")
		}
	}
}

func status(s *suite) {
	for {
		read := &v2.Pier{}
		must(s.T, s.cluster.Get(s.ctx, client.ObjectKeyFromObject(pier("vast", "", "", 0)), read))
		if read.Status.Free == 11 {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-s.ctx.Done():
			s.Fatalf("the status is %+v", read.Status)
		}
	}
}

func deletes(s *suite) {
	protected := pier("kept", "08:00", "", 0)
	protected.Labels = map[string]string{ProtectedLabel: ""}
	must(s.T, s.cluster.Create(s.ctx, protected))
	s.expect(s.cluster.Delete(s.ctx, protected), "kept is protected")
	// Another version is deleted by the same rules.
	s.expect(s.cluster.Delete(s.ctx, older("kept", "")), "kept is protected")
	must(s.T, s.cluster.Delete(s.ctx, older("north", "")))
	s.expect(s.cluster.DeleteAllOf(s.ctx, &v2.Pier{}, client.InNamespace("default")), "kept is protected")
	remove := client.RawPatch("application/json-patch+json", []byte(`[{"op":"remove","path":"/metadata/labels"}]`))
	must(s.T, s.cluster.Patch(s.ctx, protected, remove))
	must(s.T, s.cluster.DeleteAllOf(s.ctx, &v2.Pier{}, client.InNamespace("default")))
}
