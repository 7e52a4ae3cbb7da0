package v1

// Thing is a thing.
type Thing struct {
	Value []Shape `json:"value,omitempty"`
}

// Shape is an interface.
type Shape interface{ Area() int }
