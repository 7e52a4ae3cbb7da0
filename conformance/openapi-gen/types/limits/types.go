// Package limits has rules.
package limits

// Plot has limits of every kind.
// +k8s:openapi-gen=true
// +k8s:validation:maxProperties=10
// +k8s:validation:minProperties=1
// +k8s:validation:cel[0]:rule="self.low <= self.high"
// +k8s:validation:cel[0]:message="low is \"low\""
// +k8s:validation:cel[1]:rule="true"
// +k8s:validation:cel[1]:messageExpression="'a' + 'b'"
// +k8s:validation:cel[1]:fieldPath=".low"
// +k8s:validation:cel[1]:reason="FieldValueInvalid"
// +k8s:validation:cel[1]:optionalOldSelf=true
type Plot struct {
	// +k8s:validation:minimum=1
	// +k8s:validation:maximum=1000000
	// +k8s:validation:exclusiveMinimum
	// +k8s:validation:exclusiveMaximum=true
	// +k8s:validation:multipleOf=0.5
	Low float64 `json:"low"`
	// +k8s:validation:minimum=-2.5
	High int32 `json:"high,omitempty"`
	// +k8s:validation:minLength=1
	// +k8s:validation:maxLength=63
	// +k8s:validation:pattern="^<[a-z]+>&\\d$"
	// +k8s:validation:format="uuid"
	// +default="x"
	Name string `json:"name,omitempty"`
	// +k8s:validation:minItems=1
	// +k8s:validation:maxItems=100000
	// +k8s:validation:uniqueItems
	// +k8s:validation:items:minLength=2
	// +k8s:validation:items:cel[0]:rule="self != ''"
	// +k8s:validation:items:cel[0]:message="not empty"
	// +listType=atomic
	Rows []string `json:"rows,omitempty"`
	// +k8s:validation:additionalProperties:maxLength=5
	// +k8s:validation:maxProperties=3
	Notes map[string]string `json:"notes,omitempty"`
	// +k8s:validation:properties:size:minimum=2
	// +k8s:validation:properties:name:pattern="^a"
	// +k8s:validation:cel[0]:rule="self.size > 1"
	// +k8s:validation:cel[0]:message="large"
	Part Part `json:"part"`
	// +k8s:validation:items:properties:size:maximum=9
	// +listType=atomic
	Parts []Part `json:"parts,omitempty"`
	// +k8s:validation:items:format="uuid"
	// +listType=atomic
	Ids []string `json:"ids,omitempty"`
	// +k8s:validation:enum=["a","b"]
	// +k8s:validation:nullable
	Letter *string `json:"letter,omitempty"`
}

// Part is referred to.
// +k8s:openapi-gen=true
type Part struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}
