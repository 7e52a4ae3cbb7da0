// Takes an object of a CRD through what kube-apiserver does on a create: decode, prune, drop nulls, coerce, default,
// validate. Prints nanoseconds per step as JSON.
//
//	custom CRD.json OBJECT.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

const (
	span   = 300 * time.Millisecond
	rounds = 5
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func nanos(call func()) float64 {
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
	for range rounds {
		start := time.Now()
		for range calls {
			call()
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/float64(calls))
	}
	return best
}

func main() {
	var crd v1.CustomResourceDefinition
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[1])), &crd))
	text := must(os.ReadFile(os.Args[2]))
	var props apiextensions.JSONSchemaProps
	published := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	must(0, v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(published, &props, nil))
	structural := must(schema.NewStructural(&props))
	must(0, defaulting.PruneDefaults(structural))
	validator, _, err := validation.NewSchemaValidator(&props)
	must(0, err)
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)

	decode := func() map[string]any {
		object := map[string]any{}
		must(0, utiljson.Unmarshal(text, &object))
		return object
	}
	settle := func(object map[string]any) {
		meta, _, err := objectmeta.GetObjectMeta(object, false)
		must(0, err)
		pruning.Prune(object, structural, true)
		defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
		if fault := objectmeta.Coerce(nil, object, structural, true, false); fault != nil {
			must(0, fault)
		}
		must(0, objectmeta.SetObjectMeta(object, meta))
		defaulting.Default(object, structural)
	}
	validate := func(object map[string]any) {
		faults := validation.ValidateCustomResource(nil, object, validator)
		faults = append(faults, objectmeta.Validate(context.Background(), nil, object, structural, true)...)
		faults = append(faults, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
		found, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		faults = append(faults, found...)
		must(0, faults.ToAggregate())
	}
	settled := decode()
	settle(settled)
	out := map[string]float64{
		"decode":   nanos(func() { decode() }),
		"settle":   nanos(func() { settle(decode()) }),
		"validate": nanos(func() { validate(settled) }),
		"whole":    nanos(func() { object := decode(); settle(object); validate(object) }),
	}
	out["settle"] -= out["decode"]
	must(0, json.NewEncoder(os.Stdout).Encode(out))
}
