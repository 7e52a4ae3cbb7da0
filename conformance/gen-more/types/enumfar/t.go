// Package enumfar adds a value to an enumeration of another package.
// +groupName=enumfar.h.example.org
// +versionName=v1
package enumfar

import (
	"example.org/gen/enumfar/far"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ModeAuto is of the other package's type.
const ModeAuto far.Mode = "auto"

// Own has no value of its own.
type Own far.Mode

// Far is the kind.
type Far struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Mode              far.Mode            `json:"mode"`
	Own               *Own                `json:"own,omitempty"`
	Modes             map[string]far.Mode `json:"modes,omitempty"`
}
