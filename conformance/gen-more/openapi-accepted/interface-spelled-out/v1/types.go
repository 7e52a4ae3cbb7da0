package v1

// Thing is a thing.
type Thing struct {
	List  []interface{}          `json:"list,omitempty"`
	Map   map[string]interface{} `json:"map,omitempty"`
	Any   any                    `json:"any,omitempty"`
	Bytes [][]byte               `json:"bytes,omitempty"`
}
