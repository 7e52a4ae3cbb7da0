// Objects as JSON in, one on a line; each with the defaults of the published scheme out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	admissionregistration "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	apps "k8s.io/kubernetes/pkg/apis/apps/v1"
	authentication "k8s.io/kubernetes/pkg/apis/authentication/v1"
	authorization "k8s.io/kubernetes/pkg/apis/authorization/v1"
	autoscaling "k8s.io/kubernetes/pkg/apis/autoscaling/v1"
	autoscalingv2 "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	batch "k8s.io/kubernetes/pkg/apis/batch/v1"
	certificates "k8s.io/kubernetes/pkg/apis/certificates/v1"
	coordination "k8s.io/kubernetes/pkg/apis/coordination/v1"
	core "k8s.io/kubernetes/pkg/apis/core/v1"
	discovery "k8s.io/kubernetes/pkg/apis/discovery/v1"
	events "k8s.io/kubernetes/pkg/apis/events/v1"
	flowcontrol "k8s.io/kubernetes/pkg/apis/flowcontrol/v1"
	networking "k8s.io/kubernetes/pkg/apis/networking/v1"
	node "k8s.io/kubernetes/pkg/apis/node/v1"
	policy "k8s.io/kubernetes/pkg/apis/policy/v1"
	rbac "k8s.io/kubernetes/pkg/apis/rbac/v1"
	resource "k8s.io/kubernetes/pkg/apis/resource/v1"
	scheduling "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	storage "k8s.io/kubernetes/pkg/apis/storage/v1"
	storagemigration "k8s.io/kubernetes/pkg/apis/storagemigration/v1"
)

type sample struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistration.AddToScheme, apiregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme, authorization.AddToScheme,
		autoscaling.AddToScheme, autoscalingv2.AddToScheme, batch.AddToScheme, certificates.AddToScheme,
		coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme, flowcontrol.AddToScheme,
		networking.AddToScheme, node.AddToScheme, policy.AddToScheme, rbac.AddToScheme, resource.AddToScheme,
		scheduling.AddToScheme, storage.AddToScheme, storagemigration.AddToScheme,
	} {
		check(add(scheme))
	}
	types := map[string]reflect.Type{}
	for _, t := range scheme.AllKnownTypes() {
		types[t.PkgPath()+"."+t.Name()] = t
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		var one sample
		check(json.Unmarshal(in.Bytes(), &one))
		t, known := types[one.Type]
		if !known {
			fmt.Fprintln(out, "unknown")
			continue
		}
		fmt.Fprintln(out, defaulted(scheme, t, one.Object))
	}
	check(in.Err())
}

// The object with its defaults; a panic or an error is told instead.
func defaulted(scheme *runtime.Scheme, t reflect.Type, text []byte) (answer string) {
	defer func() {
		if reason := recover(); reason != nil {
			answer = fmt.Sprintf("error: %v", reason)
		}
	}()
	object := reflect.New(t).Interface().(runtime.Object)
	if err := json.Unmarshal(text, object); err != nil {
		return fmt.Sprintf("error: %v", err)
	}
	scheme.Default(object)
	done, err := json.Marshal(object)
	check(err)
	return string(done)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
