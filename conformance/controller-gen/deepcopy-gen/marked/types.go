// Package marked has types that want methods one by one.
package marked

// Yes wants them.
// +k8s:deepcopy-gen=true
type Yes struct {
	List []string
	No   No
}

// No does not.
type No struct {
	List []string
}

// DeepCopyInto is written by hand.
func (in *No) DeepCopyInto(out *No) { *out = *in }

// Other is another generator's.
// +kubebuilder:object:generate=true
type Other struct {
	List []string
}

// Root is another generator's, too.
// +kubebuilder:object:root=true
// +k8s:deepcopy-gen=true
type Root struct {
	List []string
}
