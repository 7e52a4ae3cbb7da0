// +k8s:deepcopy-gen=package,register

// Package legacy has the markers of deepcopy-gen.
package legacy
