package v1

// Far is elsewhere.
type Far struct {
	// A is a letter.
	A string `json:"a"`
}
