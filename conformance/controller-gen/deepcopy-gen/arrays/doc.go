// Package arrays has fields of array types.
//
// +k8s:deepcopy-gen=package
package arrays
