// Command published prints what the generated functions of published packages do to random objects. Run with their own
// generated files and with others in their place it must print the same.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"sort"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/operation"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/randfill"
)

const objects = 40

var scheme = runtime.NewScheme()

func filler(seed int64) *randfill.Filler {
	functions := fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs)
	random := fuzzer.FuzzerFor(functions, rand.NewSource(seed), serializer.NewCodecFactory(scheme))
	random.Funcs(func(raw *runtime.RawExtension, _ randfill.Continue) { raw.Raw = []byte("{}") })
	// Schemas contain schemas.
	return random.NilChance(0.5).NumElements(0, 2).MaxDepth(7)
}

// fill defaults random objects of a type with a registered function.
func fill(name string, create func() runtime.Object) {
	random := filler(1)
	for i := range objects {
		object := create()
		if i > 0 {
			random.Fill(object)
		}
		scheme.Default(object)
		fmt.Println(name, text(object))
	}
}

type validation[T any] func(ctx context.Context, op operation.Operation, path *field.Path, obj, oldObj T) field.ErrorList

// check validates random values: alone, against themselves, and against another.
func check[T any](name string, validate validation[*T]) {
	random := filler(2)
	var before *T
	for i := range objects {
		value := new(T)
		if i > 0 {
			random.Fill(value)
		}
		show(name, validate, operation.Create, value, nil)
		show(name, validate, operation.Update, value, value)
		if before != nil {
			show(name, validate, operation.Update, value, before)
		}
		before = value
	}
}

// checkValue does the same for lists and maps.
func checkValue[T any](name string, validate validation[T]) {
	check(name, func(ctx context.Context, op operation.Operation, path *field.Path, obj, oldObj *T) field.ErrorList {
		var old T
		if oldObj != nil {
			old = *oldObj
		}
		return validate(ctx, op, path, *obj, old)
	})
}

func show[T any](name string, validate validation[*T], kind operation.Type, value, old *T) {
	defer func() {
		if caught := recover(); caught != nil {
			fmt.Println(name, "panic", caught)
		}
	}()
	errs := validate(context.Background(), operation.Operation{Type: kind}, field.NewPath("x"), value, old)
	lines := make([]string, 0, len(errs))
	for _, err := range errs {
		lines = append(lines, fmt.Sprintf("%s %q %t %s", err.Error(), err.Origin, err.ShortCircuit, err.ValidationStabilityLevel))
	}
	sort.Strings(lines)
	fmt.Printf("%s %d %q\n", name, kind, lines)
}

func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}

func main() {
	for _, register := range registrations {
		if err := register(scheme); err != nil {
			panic(err)
		}
	}
	all()
}
