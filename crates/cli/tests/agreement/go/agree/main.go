// Command agree fills in defaults of objects and validates them with generated functions, and compares that with the
// answers of the engine.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type write struct {
	Kind    string          `json:"kind"`
	Type    string          `json:"type"`
	Options map[string]bool `json:"options"`
	New     json.RawMessage `json:"new"`
	Old     json.RawMessage `json:"old"`
	Filled  any             `json:"filled"`
	Errors  []string        `json:"errors"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, register := range packages {
		if err := register(scheme); err != nil {
			panic(err)
		}
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	count, wrong := 0, 0
	for lines.Scan() {
		count++
		if difference := compare(scheme, lines.Bytes()); difference != "" {
			wrong++
			if wrong <= 6 {
				fmt.Println(difference)
			}
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	fmt.Printf("%d writes, %d differ\n", count, wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}

func compare(scheme *runtime.Scheme, line []byte) string {
	var one write
	if err := json.Unmarshal(line, &one); err != nil {
		panic(err)
	}
	object := read(scheme, one.Kind, one.New)
	errs, caught := validate(scheme, one, object)
	texts := []string{}
	for _, err := range errs {
		// As a server, which leaves rules of level alpha out.
		if err.ValidationStabilityLevel.String() != "alpha" {
			texts = append(texts, err.Error())
		}
	}
	sort.Strings(texts)
	expected := append([]string{}, one.Errors...)
	difference := ""
	if caught != "" {
		difference = "panic: " + caught
	} else if !reflect.DeepEqual(texts, expected) {
		difference = fmt.Sprintf("Go:     %q\nengine: %q", texts, expected)
	} else if len(expected) == 0 {
		if spec := filled(object); !reflect.DeepEqual(spec, one.Filled) {
			difference = fmt.Sprintf("Go:     %v\nengine: %v", spec, one.Filled)
		}
	}
	if difference != "" {
		return fmt.Sprintf("%s\nnew: %s\nold: %s\n%s", one.Type, one.New, one.Old, difference)
	}
	return ""
}

func validate(scheme *runtime.Scheme, one write, object runtime.Object) (errs field.ErrorList, caught string) {
	defer func() {
		if recovered := recover(); recovered != nil {
			caught = fmt.Sprint(recovered)
		}
	}()
	if len(one.Old) == 0 {
		return scheme.Validate(context.Background(), one.Options, object), ""
	}
	return scheme.ValidateUpdate(context.Background(), one.Options, object, read(scheme, one.Kind, one.Old)), ""
}

// read decodes an object and fills in its defaults.
func read(scheme *runtime.Scheme, kind string, text []byte) runtime.Object {
	object, err := scheme.New(schema.GroupVersionKind{Group: "demo.example.org", Version: "v1", Kind: kind})
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, object); err != nil {
		panic(err)
	}
	scheme.Default(object)
	return object
}

func filled(object runtime.Object) any {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	var read map[string]any
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	return read["spec"]
}
