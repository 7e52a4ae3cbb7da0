package v1

// Thing is a thing.
type Thing struct {
	Value Letter `json:"value,omitempty"`
}

// Letter is a letter.
type Letter rune
