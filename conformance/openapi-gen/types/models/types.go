package models

import (
	onev1 "example.org/fixtures/types/collide/one/v1"
	twov1 "example.org/fixtures/types/collide/two/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Model is named by its package.
type Model struct {
	Other Other `json:"other"`
	// +optional
	Self *Model     `json:"self,omitempty"`
	One  onev1.Far  `json:"one"`
	Two  twov1.Near `json:"two"`
	Hand Hand       `json:"hand"`
	// +optional
	Meta metav1.ObjectMeta `json:"meta,omitempty"`
}

// Other is named by itself.
// +k8s:openapi-model-package=org.example.other
type Other struct {
	A string `json:"a"`
}

// Hand has the method already.
type Hand struct {
	A string `json:"a"`
}

func (Hand) OpenAPIModelName() string { return "hand" }

type small struct {
	A string `json:"a"`
}

// Number is not a struct.
type Number int

// Copied is a struct too.
type Copied Other
