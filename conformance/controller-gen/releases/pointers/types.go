// Package pointers: pointers to lists, maps and other names of types.
// +kubebuilder:object:generate=true
package pointers

import "example.org/fixtures/pointers/shared"

// Names is a list.
type Names []string

// Index is a map.
type Index map[string]Names

// Parts is a list of structs.
type Parts []Part

// Part is a struct.
type Part struct {
	Names Names `json:"names"`
}

// Gate points to all.
type Gate struct {
	Names      *Names                       `json:"names"`
	Index      *Index                       `json:"index"`
	Parts      *Parts                       `json:"parts"`
	Other      *shared.OtherPoint           `json:"other"`
	OtherNames *shared.OtherNames           `json:"otherNames"`
	DirectList shared.OtherNames            `json:"directList"`
	Items      []shared.OtherPoint          `json:"items"`
	Pointers   []*shared.OtherPoint         `json:"pointers"`
	Lists      []shared.OtherNames          `json:"lists"`
	ListsP     []*Names                     `json:"listsP"`
	ByName     map[string]shared.OtherNames `json:"byName"`
	ByNameP    map[string]*Names            `json:"byNameP"`
	Plain      *[]string                    `json:"plain"`
	PlainMap   *map[string]Part             `json:"plainMap"`
}
