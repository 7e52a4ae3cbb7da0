package header

// Small is copied behind a license.
//
// +kubebuilder:object:generate=true
type Small struct {
	Names []string
}
