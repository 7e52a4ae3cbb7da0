// Objects as JSON in, one on a line; their protobuf bodies out, and what reading those gives.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	storagemigration "k8s.io/api/storagemigration/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type message interface {
	runtime.Object
	Reset()
	Unmarshal([]byte) error
}

type sample struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme, authorization.AddToScheme,
		autoscaling.AddToScheme, autoscalingv2.AddToScheme, batch.AddToScheme, certificates.AddToScheme,
		coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme, flowcontrol.AddToScheme,
		networking.AddToScheme, node.AddToScheme, policy.AddToScheme, rbac.AddToScheme, resource.AddToScheme,
		scheduling.AddToScheme, storage.AddToScheme, storagemigration.AddToScheme, apiextensions.AddToScheme,
		apiregistration.AddToScheme, meta.AddMetaToScheme,
	} {
		check(add(scheme))
	}
	meta.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	types := map[string]reflect.Type{}
	for _, t := range scheme.AllKnownTypes() {
		types[t.PkgPath()+"."+t.Name()] = t
	}
	serializer := protobuf.NewSerializer(scheme, scheme)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var one sample
		check(json.Unmarshal(in.Bytes(), &one))
		t, known := types[one.Type]
		if !known {
			fmt.Println("unknown")
			continue
		}
		// Twice through JSON: an empty list that is left out there is none afterwards.
		first := reflect.New(t).Interface()
		check(json.Unmarshal(one.Object, first))
		normal, err := json.Marshal(first)
		check(err)
		object := reflect.New(t).Interface().(runtime.Object)
		check(json.Unmarshal(normal, object))
		var body bytes.Buffer
		if err := serializer.Encode(object, &body); err != nil {
			fmt.Println("unknown")
			continue
		}
		var unknown runtime.Unknown
		check(unknown.Unmarshal(body.Bytes()[4:]))
		back := reflect.New(t).Interface().(message)
		check(back.Unmarshal(unknown.Raw))
		text, err := json.Marshal(back)
		check(err)
		fmt.Println(hex.EncodeToString(body.Bytes()), string(text))
	}
	check(in.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
