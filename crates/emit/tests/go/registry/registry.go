// Package registry collects validation functions by type, as a scheme does.
package registry

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Func validates an object.
type Func func(ctx context.Context, op operation.Operation, obj, oldObj any) field.ErrorList

// Scheme holds functions by the type they are for.
type Scheme struct {
	functions map[reflect.Type]Func
}

// All is where the packages under test register.
var All = &Scheme{functions: map[reflect.Type]Func{}}

// Register calls a package's registration.
func (s *Scheme) Register(register func(*Scheme) error) {
	if err := register(s); err != nil {
		panic(err)
	}
}

// AddValidationFunc adds a function; only the type of the first argument counts.
func (s *Scheme) AddValidationFunc(typed any, function func(ctx context.Context, op operation.Operation, obj, oldObj any) field.ErrorList) {
	s.functions[reflect.TypeOf(typed)] = function
}

// Find returns the registered type of a package, and its function.
func (s *Scheme) Find(path, name string) (reflect.Type, Func) {
	for registered, function := range s.functions {
		named := registered
		if named.Kind() == reflect.Pointer {
			named = named.Elem()
		}
		if named.PkgPath() == path && named.Name() == name {
			return registered, function
		}
	}
	return nil, nil
}
