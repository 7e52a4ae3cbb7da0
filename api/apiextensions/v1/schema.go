// The schema of custom resources: a part of JSON Schema and what Kubernetes adds.

package v1

// The schema of a value.
type JSONSchemaProps struct {
	// Must not be set.
	ID string `json:"id,omitempty" protobuf:"bytes,1,opt,name=id"`
	// Must not be set.
	Schema JSONSchemaURL `json:"$schema,omitempty" protobuf:"bytes,2,opt,name=schema"`
	// Must not be set.
	Ref *string `json:"$ref,omitempty" protobuf:"bytes,3,opt,name=ref"`
	// What the value means.
	Description string `json:"description,omitempty" protobuf:"bytes,4,opt,name=description"`
	// Type of the value.
	Type string `json:"type,omitempty" protobuf:"bytes,5,opt,name=type"`
	// Format of the value, such as date-time or int32.
	Format string `json:"format,omitempty" protobuf:"bytes,6,opt,name=format"`
	// Short name for people.
	Title string `json:"title,omitempty" protobuf:"bytes,7,opt,name=title"`
	// Value of a field that is not set.
	Default *JSON `json:"default,omitempty" protobuf:"bytes,8,opt,name=default"`
	// Largest number.
	Maximum *float64 `json:"maximum,omitempty" protobuf:"bytes,9,opt,name=maximum"`
	// Whether the largest number itself is too large.
	ExclusiveMaximum bool `json:"exclusiveMaximum,omitempty" protobuf:"bytes,10,opt,name=exclusiveMaximum"`
	// Smallest number.
	Minimum *float64 `json:"minimum,omitempty" protobuf:"bytes,11,opt,name=minimum"`
	// Whether the smallest number itself is too small.
	ExclusiveMinimum bool `json:"exclusiveMinimum,omitempty" protobuf:"bytes,12,opt,name=exclusiveMinimum"`
	// Most characters.
	MaxLength *int64 `json:"maxLength,omitempty" protobuf:"bytes,13,opt,name=maxLength"`
	// Fewest characters.
	MinLength *int64 `json:"minLength,omitempty" protobuf:"bytes,14,opt,name=minLength"`
	// Regular expression that text must match.
	Pattern string `json:"pattern,omitempty" protobuf:"bytes,15,opt,name=pattern"`
	// Most items.
	MaxItems *int64 `json:"maxItems,omitempty" protobuf:"bytes,16,opt,name=maxItems"`
	// Fewest items.
	MinItems *int64 `json:"minItems,omitempty" protobuf:"bytes,17,opt,name=minItems"`
	// Must not be true.
	UniqueItems bool `json:"uniqueItems,omitempty" protobuf:"bytes,18,opt,name=uniqueItems"`
	// What a number must be a multiple of.
	MultipleOf *float64 `json:"multipleOf,omitempty" protobuf:"bytes,19,opt,name=multipleOf"`
	// All values that are allowed.
	// +listType=atomic
	Enum []JSON `json:"enum,omitempty" protobuf:"bytes,20,rep,name=enum"`
	// Most fields.
	MaxProperties *int64 `json:"maxProperties,omitempty" protobuf:"bytes,21,opt,name=maxProperties"`
	// Fewest fields.
	MinProperties *int64 `json:"minProperties,omitempty" protobuf:"bytes,22,opt,name=minProperties"`
	// Fields that must be set.
	// +listType=atomic
	Required []string `json:"required,omitempty" protobuf:"bytes,23,rep,name=required"`
	// Schema of the items.
	Items *JSONSchemaPropsOrArray `json:"items,omitempty" protobuf:"bytes,24,opt,name=items"`
	// Schemas that must all hold.
	// +listType=atomic
	AllOf []JSONSchemaProps `json:"allOf,omitempty" protobuf:"bytes,25,rep,name=allOf"`
	// Schemas of which exactly one must hold.
	// +listType=atomic
	OneOf []JSONSchemaProps `json:"oneOf,omitempty" protobuf:"bytes,26,rep,name=oneOf"`
	// Schemas of which at least one must hold.
	// +listType=atomic
	AnyOf []JSONSchemaProps `json:"anyOf,omitempty" protobuf:"bytes,27,rep,name=anyOf"`
	// Schema that must not hold.
	Not *JSONSchemaProps `json:"not,omitempty" protobuf:"bytes,28,opt,name=not"`
	// Schemas of fields.
	Properties map[string]JSONSchemaProps `json:"properties,omitempty" protobuf:"bytes,29,rep,name=properties"`
	// Schema of all other fields.
	AdditionalProperties *JSONSchemaPropsOrBool `json:"additionalProperties,omitempty" protobuf:"bytes,30,opt,name=additionalProperties"`
	// Must not be set.
	PatternProperties map[string]JSONSchemaProps `json:"patternProperties,omitempty" protobuf:"bytes,31,rep,name=patternProperties"`
	// Must not be set.
	Dependencies JSONSchemaDependencies `json:"dependencies,omitempty" protobuf:"bytes,32,opt,name=dependencies"`
	// Must not be set.
	AdditionalItems *JSONSchemaPropsOrBool `json:"additionalItems,omitempty" protobuf:"bytes,33,opt,name=additionalItems"`
	// Must not be set.
	Definitions JSONSchemaDefinitions `json:"definitions,omitempty" protobuf:"bytes,34,opt,name=definitions"`
	// Where to read more.
	ExternalDocs *ExternalDocumentation `json:"externalDocs,omitempty" protobuf:"bytes,35,opt,name=externalDocs"`
	// A value that is allowed.
	Example *JSON `json:"example,omitempty" protobuf:"bytes,36,opt,name=example"`
	// Whether null is allowed.
	Nullable bool `json:"nullable,omitempty" protobuf:"bytes,37,opt,name=nullable"`
	// Whether fields without a schema are kept.
	XPreserveUnknownFields *bool `json:"x-kubernetes-preserve-unknown-fields,omitempty" protobuf:"bytes,38,opt,name=xKubernetesPreserveUnknownFields"`
	// Whether the value is an object with apiVersion, kind and metadata.
	XEmbeddedResource bool `json:"x-kubernetes-embedded-resource,omitempty" protobuf:"bytes,39,opt,name=xKubernetesEmbeddedResource"`
	// Whether the value is a number or text.
	XIntOrString bool `json:"x-kubernetes-int-or-string,omitempty" protobuf:"bytes,40,opt,name=xKubernetesIntOrString"`
	// Fields that tell items of a map-like list apart.
	// +optional
	// +listType=atomic
	XListMapKeys []string `json:"x-kubernetes-list-map-keys,omitempty" protobuf:"bytes,41,rep,name=xKubernetesListMapKeys"`
	// How a list is merged: atomic, set or map.
	// +optional
	XListType *string `json:"x-kubernetes-list-type,omitempty" protobuf:"bytes,42,opt,name=xKubernetesListType"`
	// How an object is merged: granular or atomic.
	// +optional
	XMapType *string `json:"x-kubernetes-map-type,omitempty" protobuf:"bytes,43,opt,name=xKubernetesMapType"`
	// CEL rules that must hold.
	// +patchMergeKey=rule
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=rule
	XValidations ValidationRules `json:"x-kubernetes-validations,omitempty" patchStrategy:"merge" patchMergeKey:"rule" protobuf:"bytes,44,rep,name=xKubernetesValidations"`
}

// CEL rules.
type ValidationRules []ValidationRule

// A CEL rule.
type ValidationRule struct {
	// The expression over self and, for updates, oldSelf.
	Rule string `json:"rule" protobuf:"bytes,1,opt,name=rule"`
	// What is said when it does not hold.
	Message string `json:"message,omitempty" protobuf:"bytes,2,opt,name=message"`
	// Expression for what is said; it beats message.
	// +optional
	MessageExpression string `json:"messageExpression,omitempty" protobuf:"bytes,3,opt,name=messageExpression"`
	// Kind of the error.
	// +optional
	Reason *FieldValueErrorReason `json:"reason,omitempty" protobuf:"bytes,4,opt,name=reason"`
	// The field the error is about.
	// +optional
	FieldPath string `json:"fieldPath,omitempty" protobuf:"bytes,5,opt,name=fieldPath"`
	// Whether the rule is asked without an old value too.
	// +optional
	OptionalOldSelf *bool `json:"optionalOldSelf,omitempty" protobuf:"bytes,6,opt,name=optionalOldSelf"`
}

// Kind of an error.
// +enum
type FieldValueErrorReason string

const (
	FieldValueRequired  FieldValueErrorReason = "FieldValueRequired"
	FieldValueDuplicate FieldValueErrorReason = "FieldValueDuplicate"
	FieldValueInvalid   FieldValueErrorReason = "FieldValueInvalid"
	FieldValueForbidden FieldValueErrorReason = "FieldValueForbidden"
)

// Any value.
type JSON struct {
	Raw []byte `json:"-" protobuf:"bytes,1,opt,name=raw"`
}

// Names a dialect of JSON Schema.
type JSONSchemaURL string

// A schema or many.
type JSONSchemaPropsOrArray struct {
	Schema *JSONSchemaProps `protobuf:"bytes,1,opt,name=schema"`
	// +listType=atomic
	JSONSchemas []JSONSchemaProps `protobuf:"bytes,2,rep,name=jSONSchemas"`
}

// A schema or a truth value.
type JSONSchemaPropsOrBool struct {
	Allows bool             `protobuf:"varint,1,opt,name=allows"`
	Schema *JSONSchemaProps `protobuf:"bytes,2,opt,name=schema"`
}

// A schema or names.
type JSONSchemaPropsOrStringArray struct {
	Schema *JSONSchemaProps `protobuf:"bytes,1,opt,name=schema"`
	// +listType=atomic
	Property []string `protobuf:"bytes,2,rep,name=property"`
}

// What fields ask for when they are set.
type JSONSchemaDependencies map[string]JSONSchemaPropsOrStringArray

// Schemas by name.
type JSONSchemaDefinitions map[string]JSONSchemaProps

// Where to read more.
type ExternalDocumentation struct {
	// What is there.
	Description string `json:"description,omitempty" protobuf:"bytes,1,opt,name=description"`
	// Its address.
	URL string `json:"url,omitempty" protobuf:"bytes,2,opt,name=url"`
}
