package v1

import one "example.org/fixtures/types/collide/one/v1"

// Distance is a number.
const Distance = 4

// Near is elsewhere, too.
type Near struct {
	Far one.Far `json:"far"`
	// +default=ref(Distance)
	Meters int32 `json:"meters,omitempty"`
	// +k8s:validation:minimum=1
	Miles int32 `json:"miles,omitempty"`
}
