// +groupName=empty.example.org
// +kubebuilder:ac:generate=true
package v1

// Thing is nothing.
type Thing struct {
	A string `json:"a"`
}
