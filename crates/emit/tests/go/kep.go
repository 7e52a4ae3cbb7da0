// +k8s:validation-gen=*
// +k8s:validation-gen-nolint
// +k8s:validation-gen-scheme-registry=example.com/native/registry.Scheme

// Package kep has what KEP-5073 describes and validation-gen never built.
package kep

import "example.com/native/registry"

var localSchemeBuilder = registry.All

// +k8s:validation-gen=true
type Bounds struct {
	// +k8s:minimum(constraint: low)
	// +k8s:maximum(constraint: limits.high)
	Value int32  `json:"value"`
	Low   int64  `json:"low"`
	Near  *int32 `json:"near,omitempty"`
	// +k8s:eachVal=+k8s:maximum(constraint: near)
	Steps  []int32 `json:"steps,omitempty"`
	Limits *Limits `json:"limits,omitempty"`
	// +k8s:optional
	// +k8s:exclusiveMinimum=3
	Above int32 `json:"above,omitempty"`
	// +k8s:optional
	// +k8s:exclusiveMaximum=9
	Below *int32 `json:"below,omitempty"`
}

type Limits struct {
	High int32 `json:"high"`
}

// +k8s:validation-gen=true
// +k8s:supportsSubresource="/resize"
type Changes struct {
	// +k8s:optional
	// +k8s:immutable
	Once string `json:"once,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	OncePointer *int32 `json:"oncePointer,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Items []Item `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:update=NoModify,NoRemoveItem
	// +k8s:item(name: "b")=+k8s:update=NoSet
	Parts []Item `json:"parts,omitempty"`
	// +k8s:optional
	// +k8s:ifNotSubresource("/resize")=+k8s:immutable
	Size int32 `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:maxLength=1
	Words []string `json:"words,omitempty"`
}

type Item struct {
	Name  string `json:"name"`
	Value int32  `json:"value,omitempty"`
}

// +k8s:validation-gen=true
// +k8s:union(union: target)
type Groups struct {
	Left *Side `json:"left,omitempty"`
	// +k8s:memberOf(group: target)
	Plain string `json:"plain,omitempty"`
	Sides []Side `json:"sides,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapItem(name: "a")=+k8s:memberOf(group: target)
	Items []Item `json:"items,omitempty"`
}

type Side struct {
	// +k8s:memberOf(group: target)
	Name *string `json:"name,omitempty"`
}

// +k8s:validation-gen=true
type Frozen struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:immutable
	Items []Item `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:update=NoAddItem,NoRemoveItem
	Words []string `json:"words,omitempty"`
	// +k8s:optional
	// +k8s:update=NoAddItem
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:optional
	// +k8s:format=dns-label
	Label string `json:"label,omitempty"`
	// +k8s:optional
	// +k8s:format=ip
	Address string `json:"address,omitempty"`
}

type Base struct {
	Floor int32 `json:"floor"`
}

// +k8s:validation-gen=true
type Deeper struct {
	Base `json:",inline"`
	Top  int32 `json:"top"`
	// +k8s:minimum(constraint: floor)
	Value int32 `json:"value"`
	// +k8s:subfield(value)=+k8s:maximum(constraint: top)
	Part *Item `json:"part,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:subfield(value)=+k8s:maximum(constraint: top)
	Items []Item `json:"items,omitempty"`
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:subfield(value)=+k8s:minimum(constraint: floor)
	All []Item `json:"all,omitempty"`
}

// +k8s:validation-gen=true
// +k8s:minimum(target: current, constraint: minValue)
// +k8s:maximum(target: current, constraint: limits.high)
// +k8s:exclusiveMaximum(target: side.value, constraint: current)
type Targets struct {
	MinValue int32   `json:"minValue"`
	Current  int32   `json:"current"`
	Limits   *Limits `json:"limits,omitempty"`
	Side     *Item   `json:"side,omitempty"`
}
