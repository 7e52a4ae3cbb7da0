// Command replay validates recorded objects with generated functions and compares the errors with the recorded ones.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/native/registry"
)

type recorded struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Op           string          `json:"op"`
	Options      map[string]bool `json:"options"`
	Subresources []string        `json:"subresources"`
	Obj          json.RawMessage `json:"obj"`
	Old          json.RawMessage `json:"old"`
	Errors       []shown         `json:"errors"`
	OrderVaries  bool            `json:"orderVaries"`
	Panic        string          `json:"panic"`
}

type shown struct {
	Type         string `json:"type"`
	Field        string `json:"field"`
	Detail       string `json:"detail"`
	Origin       string `json:"origin"`
	BadValue     any    `json:"badValue"`
	Message      string `json:"message"`
	Level        string `json:"level"`
	ShortCircuit bool   `json:"shortCircuit"`
}

// Arguments are pairs: the import path of a package and the file with its cases.
func main() {
	count, wrong := 0, 0
	for i := 1; i+1 < len(os.Args); i += 2 {
		file, err := os.Open(os.Args[i+1])
		if err != nil {
			panic(err)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			count++
			if difference := replay(os.Args[i], lines.Bytes()); difference != "" {
				wrong++
				if wrong <= 10 {
					fmt.Println(difference)
				}
			}
		}
		if err := lines.Err(); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%d cases, %d differ\n", count, wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}

func replay(path string, line []byte) string {
	var one recorded
	exact(line, &one)
	registered, function := registry.All.Find(path, one.Type)
	if function == nil {
		if len(one.Errors) == 0 {
			return ""
		}
		return fmt.Sprintf("%s: nothing is registered for %s", one.ID, one.Type)
	}
	errs, recovered := validate(one, registered, function)
	if recovered != one.Panic {
		return fmt.Sprintf("%s: panic %q, recorded %q", one.ID, recovered, one.Panic)
	}
	ours := make([]shown, 0, len(errs))
	for _, err := range errs {
		ours = append(ours, show(err))
	}
	theirs := append([]shown{}, one.Errors...)
	if one.OrderVaries {
		order(ours)
		order(theirs)
	}
	if !reflect.DeepEqual(ours, theirs) {
		return fmt.Sprintf("%s\n  ours     %+v\n  recorded %+v", one.ID, ours, theirs)
	}
	return ""
}

func validate(one recorded, registered reflect.Type, function registry.Func) (errs field.ErrorList, recovered string) {
	defer func() {
		if caught := recover(); caught != nil {
			recovered = fmt.Sprint(caught)
		}
	}()
	op := operation.Operation{Type: operation.Create, Options: one.Options}
	if one.Op == "UPDATE" {
		op.Type = operation.Update
	}
	op.Request.Subresources = one.Subresources
	var old any
	if len(one.Old) > 0 && string(one.Old) != "null" {
		old = decode(one.Old, registered)
	}
	return function(context.Background(), op, decode(one.Obj, registered), old), ""
}

// decode reads a value of the registered type: a pointer to it, or a list or map itself.
func decode(text []byte, registered reflect.Type) any {
	if registered.Kind() == reflect.Pointer {
		value := reflect.New(registered.Elem())
		if err := json.Unmarshal(text, value.Interface()); err != nil {
			panic(err)
		}
		return value.Interface()
	}
	value := reflect.New(registered)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		panic(err)
	}
	return value.Elem().Interface()
}

func show(err *field.Error) shown {
	text, failure := json.Marshal(err.BadValue)
	if failure != nil {
		text, _ = json.Marshal(fmt.Sprint(err.BadValue))
	}
	var bad any
	exact(text, &bad)
	level := err.ValidationStabilityLevel.String()
	if level == "unknown" {
		level = ""
	}
	return shown{
		Type:         string(err.Type),
		Field:        err.Field,
		Detail:       err.Detail,
		Origin:       err.Origin,
		BadValue:     bad,
		Message:      err.Error(),
		Level:        level,
		ShortCircuit: err.ShortCircuit,
	}
}

func order(list []shown) {
	sort.Slice(list, func(a, b int) bool { return fmt.Sprint(list[a]) < fmt.Sprint(list[b]) })
}

// exact decodes without losing digits.
func exact(text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		panic(err)
	}
}
