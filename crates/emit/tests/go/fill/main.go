// Command fill reads recorded objects, fills in their defaults with generated functions and compares what comes out
// with what was recorded.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	strict "sigs.k8s.io/json"
)

type recorded struct {
	Type  string          `json:"type"`
	In    json.RawMessage `json:"in"`
	Out   json.RawMessage `json:"out"`
	Error string          `json:"error"`
}

// Arguments are files with cases. Types and their registration stand in a table beside this file.
func main() {
	scheme := runtime.NewScheme()
	for _, register := range registrations {
		if err := register(scheme); err != nil {
			panic(err)
		}
	}
	count, wrong := 0, 0
	for _, name := range os.Args[1:] {
		file, err := os.Open(name)
		if err != nil {
			panic(err)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			count++
			if difference := fill(scheme, lines.Bytes()); difference != "" {
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

func fill(scheme *runtime.Scheme, line []byte) string {
	var one recorded
	if err := json.Unmarshal(line, &one); err != nil {
		panic(err)
	}
	create, found := types[one.Type]
	if !found {
		return "there is no type " + one.Type
	}
	object := create()
	if err := strict.UnmarshalCaseSensitivePreserveInts(one.In, object); err != nil {
		if said := "unmarshal: " + err.Error(); said != one.Error {
			return fmt.Sprintf("%s\n  ours     %s\n  recorded %s", one.Type, said, one.Error)
		}
		return ""
	}
	scheme.Default(object)
	text, err := json.Marshal(object)
	if err != nil {
		return fmt.Sprintf("%s: %v", one.Type, err)
	}
	if !reflect.DeepEqual(exact(text), exact(one.Out)) {
		return fmt.Sprintf("%s\n  in       %s\n  ours     %s\n  recorded %s", one.Type, one.In, text, one.Out)
	}
	return ""
}

// exact decodes without losing digits.
func exact(text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}
