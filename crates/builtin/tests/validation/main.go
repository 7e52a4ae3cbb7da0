// Pods as JSON in, one on a line; what Kubernetes' published strategy says to their creation out, as a JSON string: empty for
// a valid one, null for one that Go cannot decode.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

func main() {
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		said, err := json.Marshal(answer(in.Bytes()))
		check(err)
		fmt.Fprintln(out, string(said))
	}
	check(in.Err())
}

func answer(text []byte) any {
	sent := &v1.Pod{}
	if json.Unmarshal(text, sent) != nil {
		return nil
	}
	legacyscheme.Scheme.Default(sent)
	object := &core.Pod{}
	if legacyscheme.Scheme.Convert(sent, object, nil) != nil {
		return nil
	}
	object.Namespace = "n"
	if object.Name == "" && object.GenerateName != "" {
		object.Name = object.GenerateName + "abcde"
	}
	// The admission plugin ServiceAccount does this.
	if object.Spec.ServiceAccountName == "" {
		object.Spec.ServiceAccountName = "default"
		object.Spec.DeprecatedServiceAccount = "default"
	}
	rest.FillObjectMetaSystemFields(object)
	ctx := request.WithNamespace(request.NewContext(), "n")
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{APIVersion: "v1", Resource: "pods", Verb: "create"})
	if err := rest.BeforeCreate(pod.Strategy, ctx, object); err != nil {
		return err.Error()
	}
	return ""
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
