// Runs rules over an object with cel-go and prints nanoseconds per rule, with and without cost tracking.
//
//	cel RULES.json OBJECT.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

const (
	span   = 200 * time.Millisecond
	rounds = 5
)

// sizes answers no question of the cost tracker, so that it counts by its own rules.
type sizes struct{}

func (sizes) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 { return nil }

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func read(path string, into any) {
	must(0, json.Unmarshal(must(os.ReadFile(path)), into))
}

// whole turns numbers without fraction into integers, as Kubernetes decodes them.
func whole(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = whole(member)
		}
	case []any:
		for index, item := range value {
			value[index] = whole(item)
		}
	case float64:
		if value == math.Trunc(value) {
			return int64(value)
		}
	}
	return value
}

func nanos(program cel.Program, input any) float64 {
	call := func() {
		if out, _, err := program.Eval(input); err != nil || out.Value() != true {
			fmt.Fprintln(os.Stderr, "the rule does not hold:", out, err)
			os.Exit(1)
		}
	}
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
	var rules []string
	var object any
	read(os.Args[1], &rules)
	read(os.Args[2], &object)
	env := must(cel.NewEnv(cel.Variable("self", cel.MapType(cel.StringType, cel.DynType))))
	adapted := env.CELTypeAdapter().NativeToValue(whole(object))
	input := must(interpreter.NewActivation(map[string]any{"self": adapted}))
	type figures struct{ Plain, Tracked float64 }
	var out []figures
	for _, rule := range rules {
		ast, issues := env.Compile(rule)
		must(0, issues.Err())
		plain := must(env.Program(ast, cel.EvalOptions(cel.OptOptimize)))
		tracked := must(env.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CostTracking(sizes{})))
		out = append(out, figures{nanos(plain, input), nanos(tracked, input)})
	}
	must(0, json.NewEncoder(os.Stdout).Encode(out))
}
