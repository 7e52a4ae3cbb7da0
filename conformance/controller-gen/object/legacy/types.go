package legacy

import (
	"k8s.io/apimachinery/pkg/runtime"
)

// Scheme is a name from the runtime package.
var Scheme = runtime.NewScheme()

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:deepcopy-gen:interfaces=example.org/other.Interface

// Root is an object.
type Root struct {
	Names []string
}

// +k8s:deepcopy-gen=false

// Off is excluded.
type Off struct {
	Names []string
}

// +k8s:deepcopy-gen=true

// On is copied.
type On map[string]string
