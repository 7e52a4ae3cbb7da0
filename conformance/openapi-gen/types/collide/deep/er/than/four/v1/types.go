package v1

import (
	one "example.org/fixtures/types/collide/one/v1"
	two "example.org/fixtures/types/collide/two/v1"
)

// Down has a name of many parts, so that alignment has something to do.
type DownInAVeryDeepPlaceOfTheGardenWhereNamesAreLong struct {
	Near two.Near `json:"near"`
	Far  one.Far  `json:"far"`
}

// D is short.
type D struct {
	Down DownInAVeryDeepPlaceOfTheGardenWhereNamesAreLong `json:"down"`
}
