// What kube-apiserver does to managedFields, by apimachinery's own field manager over structured-merge-diff.
//
//	merge record < CASES.jsonl           the object after every write of every case
//	merge bench SCHEMA.json LIVE.json PATCH.json   nanoseconds of an apply and of an update, as JSON
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// One kind with its writes.
type testCase struct {
	// The definition's versions, by name, with their schemas.
	Schemas map[string]json.RawMessage `json:"schemas"`
	Steps   []step                     `json:"steps"`
}

type step struct {
	// apply or update.
	Op      string          `json:"op"`
	Manager string          `json:"manager"`
	Version string          `json:"version"`
	Force   bool            `json:"force,omitempty"`
	Object  json.RawMessage `json:"object"`
	// The definition's versions from here on, where they change.
	Schemas map[string]json.RawMessage `json:"schemas,omitempty"`
	// What came of it.
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

const group = "example.com"

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func definition(schemas map[string]json.RawMessage) *v1.CustomResourceDefinition {
	crd := &v1.CustomResourceDefinition{}
	crd.Name = "things." + group
	crd.Spec.Group = group
	crd.Spec.Scope = v1.ClusterScoped
	crd.Spec.Names = v1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"}
	for _, name := range []string{"v1", "v2"} {
		text, ok := schemas[name]
		if !ok {
			continue
		}
		props := &v1.JSONSchemaProps{}
		if err := json.Unmarshal(text, props); err != nil {
			panic(err)
		}
		crd.Spec.Versions = append(crd.Spec.Versions, v1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: name == "v1",
			Schema: &v1.CustomResourceValidation{OpenAPIV3Schema: props},
		})
	}
	return crd
}

// Renames spec.alpha of v1 to spec.beta of v2 and back.
type converter struct{ versions map[string]bool }

func (c converter) Convert(in, out, context interface{}) error { return fmt.Errorf("not asked for") }

func (c converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object := in.(*unstructured.Unstructured)
	gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{object.GroupVersionKind()})
	if !ok || !c.versions[gvk.Version] {
		return nil, runtime.NewNotRegisteredErrForTarget("scheme", nil, target)
	}
	object = object.DeepCopy()
	from := object.GroupVersionKind().Version
	if from != gvk.Version {
		names := map[string]string{"v1": "alpha", "v2": "beta"}
		if spec, ok := object.Object["spec"].(map[string]interface{}); ok {
			if value, ok := spec[names[from]]; ok {
				delete(spec, names[from])
				spec[names[gvk.Version]] = value
			}
		}
	}
	object.SetGroupVersionKind(gvk)
	return object, nil
}

func (c converter) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return "", "", fmt.Errorf("not asked for")
}

type defaulter struct{}

func (defaulter) Default(in runtime.Object) {}

type creater struct{}

func (creater) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{Object: map[string]interface{}{}}
	object.SetGroupVersionKind(gvk)
	return object, nil
}

func managers(crd *v1.CustomResourceDefinition) map[string]*managedfields.FieldManager {
	models := map[string]*spec.Schema{}
	versions := map[string]bool{}
	for _, version := range crd.Spec.Versions {
		document := must(builder.BuildOpenAPIV3(crd, version.Name, builder.Options{}))
		for name, model := range document.Components.Schemas {
			models[name] = model
		}
		versions[version.Name] = true
	}
	types := must(managedfields.NewTypeConverter(models, false))
	found := map[string]*managedfields.FieldManager{}
	for version := range versions {
		gvk := schema.GroupVersionKind{Group: group, Version: version, Kind: "Thing"}
		hub := schema.GroupVersion{Group: group, Version: "v1"}
		found[version] = must(managedfields.NewDefaultCRDFieldManager(types, converter{versions}, defaulter{}, creater{}, gvk, hub, "", nil))
	}
	return found
}

func parse(text []byte) *unstructured.Unstructured {
	object := map[string]interface{}{}
	if err := utiljson.Unmarshal(text, &object); err != nil {
		panic(err)
	}
	return &unstructured.Unstructured{Object: object}
}

func run(test *testCase) {
	fields := managers(definition(test.Schemas))
	versions := map[string]bool{}
	for version := range fields {
		versions[version] = true
	}
	var live runtime.Object
	for i := range test.Steps {
		step := &test.Steps[i]
		if step.Schemas != nil {
			fields = managers(definition(step.Schemas))
		}
		gv := schema.GroupVersion{Group: group, Version: step.Version}
		current := live
		if current == nil {
			current = must(creater{}.New(gv.WithKind("Thing")))
		}
		current = must(converter{versions}.ConvertToVersion(current, gv))
		object := parse(step.Object)
		object.SetGroupVersionKind(gv.WithKind("Thing"))
		var result runtime.Object
		var err error
		if step.Op == "apply" {
			result, err = fields[step.Version].Apply(current, object, step.Manager, step.Force)
		} else {
			if live != nil {
				object.SetUID("u")
			}
			result = fields[step.Version].UpdateNoErrors(current, object, step.Manager)
		}
		if err != nil {
			step.Error = err.Error()
			continue
		}
		after := result.(*unstructured.Unstructured)
		after.SetUID("u")
		step.Result = must(json.Marshal(after.Object))
		live = after
	}
}

func record() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		test := testCase{}
		if err := json.Unmarshal(lines.Bytes(), &test); err != nil {
			panic(err)
		}
		run(&test)
		if err := encoder.Encode(test); err != nil {
			panic(err)
		}
	}
}

func nanos(call func()) float64 {
	const span = 300 * time.Millisecond
	calls := 1
	for {
		start := time.Now()
		for range calls {
			call()
		}
		if taken := time.Since(start); taken > span/4 {
			calls = max(1, int(float64(calls)*float64(span)/float64(taken)))
			break
		}
		calls *= 4
	}
	best := math.Inf(1)
	for range 5 {
		start := time.Now()
		for range calls {
			call()
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/float64(calls))
	}
	return best
}

func bench(files []string) {
	read := func(at int) []byte { return must(os.ReadFile(files[at])) }
	fields := managers(definition(map[string]json.RawMessage{"v1": read(0)}))["v1"]
	gvk := schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Thing"}
	live, patch := parse(read(1)), parse(read(2))
	live.SetGroupVersionKind(gvk)
	patch.SetGroupVersionKind(gvk)
	took := nanos(func() { must(fields.Apply(live, patch, "aa", true)) })
	updated := nanos(func() { must(fields.Update(live, live.DeepCopy(), "bb")) })
	json.NewEncoder(os.Stdout).Encode(map[string]float64{"apply": took, "update": updated})
}

func main() {
	switch os.Args[1] {
	case "record":
		record()
	case "bench":
		bench(os.Args[2:])
	}
}
