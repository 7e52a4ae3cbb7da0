// Package features declares the gates of the types beside it.
package features

import "k8s.io/component-base/featuregate"

const (
	// Tall gates have a minimal height.
	Tall featuregate.Feature = "Tall"
	// Quiet gates decide something in code.
	Quiet featuregate.Feature = "Quiet"
)

var defaultFeatureGates = map[featuregate.Feature]featuregate.FeatureSpec{
	Tall:  {Default: false, PreRelease: featuregate.Alpha},
	Quiet: {Default: false, PreRelease: featuregate.Alpha},
}
