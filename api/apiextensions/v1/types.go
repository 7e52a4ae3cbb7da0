// Definitions of custom resources.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A resource that the API server is to serve.
// +genclient
// +genclient:nonNamespaced
type CustomResourceDefinition struct {
	metav1.TypeMeta `json:""`
	// Name, labels and the like.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// Names, versions and schemas of the resource.
	Spec CustomResourceDefinitionSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	// Whether it is served.
	// +optional
	Status CustomResourceDefinitionStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// What a resource is called and looks like.
type CustomResourceDefinitionSpec struct {
	// Group of the resource.
	Group string `json:"group" protobuf:"bytes,1,opt,name=group"`
	// Names of the resource.
	Names CustomResourceDefinitionNames `json:"names" protobuf:"bytes,3,opt,name=names"`
	// Whether objects are in namespaces.
	Scope ResourceScope `json:"scope" protobuf:"bytes,4,opt,name=scope,casttype=ResourceScope"`
	// Versions of the resource.
	// +listType=atomic
	Versions []CustomResourceDefinitionVersion `json:"versions" protobuf:"bytes,7,rep,name=versions"`
	// How objects are converted between versions.
	// +optional
	// +default={"strategy":"None"}
	Conversion *CustomResourceConversion `json:"conversion,omitempty" protobuf:"bytes,9,opt,name=conversion"`
	// Must be false: unknown fields are dropped unless a schema keeps them.
	// +optional
	PreserveUnknownFields bool `json:"preserveUnknownFields,omitempty" protobuf:"varint,10,opt,name=preserveUnknownFields"`
}

// How objects are converted between versions.
type CustomResourceConversion struct {
	// None changes only apiVersion; Webhook asks a webhook.
	Strategy ConversionStrategyType `json:"strategy" protobuf:"bytes,1,name=strategy"`
	// The webhook, for that strategy.
	// +optional
	Webhook *WebhookConversion `json:"webhook,omitempty" protobuf:"bytes,2,opt,name=webhook"`
}

// A webhook that converts objects.
type WebhookConversion struct {
	// How it is reached.
	// +optional
	ClientConfig *WebhookClientConfig `json:"clientConfig,omitempty" protobuf:"bytes,2,name=clientConfig"`
	// Versions of the review that it understands, best first.
	// +listType=atomic
	ConversionReviewVersions []string `json:"conversionReviewVersions" protobuf:"bytes,3,rep,name=conversionReviewVersions"`
}

// How a webhook is reached: by url or by service.
type WebhookClientConfig struct {
	// Where it is, beginning with https.
	// +optional
	URL *string `json:"url,omitempty" protobuf:"bytes,3,opt,name=url"`
	// Service in the cluster.
	// +optional
	Service *ServiceReference `json:"service,omitempty" protobuf:"bytes,1,opt,name=service"`
	// Certificates as PEM that its own must lead to.
	// +optional
	CABundle []byte `json:"caBundle,omitempty" protobuf:"bytes,2,opt,name=caBundle"`
}

// A service in the cluster.
type ServiceReference struct {
	// Its namespace.
	Namespace string `json:"namespace" protobuf:"bytes,1,opt,name=namespace"`
	// Its name.
	Name string `json:"name" protobuf:"bytes,2,opt,name=name"`
	// Path of the requests.
	// +optional
	Path *string `json:"path,omitempty" protobuf:"bytes,3,opt,name=path"`
	// Its port.
	// +optional
	// +default=443
	Port *int32 `json:"port,omitempty" protobuf:"varint,4,opt,name=port"`
}

// One version of a resource.
type CustomResourceDefinitionVersion struct {
	// Its name, such as v1beta1.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Whether requests for it are answered.
	Served bool `json:"served" protobuf:"varint,2,opt,name=served"`
	// Whether objects are stored in it; true for exactly one.
	Storage bool `json:"storage" protobuf:"varint,3,opt,name=storage"`
	// Whether requests for it get a warning.
	// +optional
	Deprecated bool `json:"deprecated,omitempty" protobuf:"varint,7,opt,name=deprecated"`
	// The warning, if not the usual one.
	// +optional
	DeprecationWarning *string `json:"deprecationWarning,omitempty" protobuf:"bytes,8,opt,name=deprecationWarning"`
	// What objects look like.
	// +optional
	Schema *CustomResourceValidation `json:"schema,omitempty" protobuf:"bytes,4,opt,name=schema"`
	// Subresources of the objects.
	// +optional
	Subresources *CustomResourceSubresources `json:"subresources,omitempty" protobuf:"bytes,5,opt,name=subresources"`
	// Columns of tables besides the name.
	// +optional
	// +listType=atomic
	AdditionalPrinterColumns []CustomResourceColumnDefinition `json:"additionalPrinterColumns,omitempty" protobuf:"bytes,6,rep,name=additionalPrinterColumns"`
	// Fields that field selectors may use.
	// +optional
	// +listType=atomic
	SelectableFields []SelectableField `json:"selectableFields,omitempty" protobuf:"bytes,9,rep,name=selectableFields"`
}

// A field that field selectors may use.
type SelectableField struct {
	// Path of the field, such as .spec.color.
	JSONPath string `json:"jsonPath" protobuf:"bytes,1,opt,name=jsonPath"`
}

// A column of a table.
type CustomResourceColumnDefinition struct {
	// Heading.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Type of the cells.
	Type string `json:"type" protobuf:"bytes,2,opt,name=type"`
	// Format of the cells.
	// +optional
	Format string `json:"format,omitempty" protobuf:"bytes,3,opt,name=format"`
	// What the column shows.
	// +optional
	Description string `json:"description,omitempty" protobuf:"bytes,4,opt,name=description"`
	// Columns above 0 are shown only when there is room.
	// +optional
	Priority int32 `json:"priority,omitempty" protobuf:"bytes,5,opt,name=priority"`
	// Path of the value.
	JSONPath string `json:"jsonPath" protobuf:"bytes,6,opt,name=jsonPath"`
}

// Names of a resource.
type CustomResourceDefinitionNames struct {
	// Name in paths; all lower case.
	Plural string `json:"plural" protobuf:"bytes,1,opt,name=plural"`
	// Name of one; the kind in lower case unless set.
	// +optional
	Singular string `json:"singular,omitempty" protobuf:"bytes,2,opt,name=singular"`
	// Shorter names.
	// +optional
	// +listType=atomic
	ShortNames []string `json:"shortNames,omitempty" protobuf:"bytes,3,opt,name=shortNames"`
	// The kind.
	Kind string `json:"kind" protobuf:"bytes,4,opt,name=kind"`
	// Kind of lists; the kind with List unless set.
	// +optional
	ListKind string `json:"listKind,omitempty" protobuf:"bytes,5,opt,name=listKind"`
	// Groups of resources it belongs to, such as all.
	// +optional
	// +listType=atomic
	Categories []string `json:"categories,omitempty" protobuf:"bytes,6,rep,name=categories"`
}

// Whether objects are in namespaces.
type ResourceScope string

const (
	ClusterScoped   ResourceScope = "Cluster"
	NamespaceScoped ResourceScope = "Namespaced"
)

// A way to convert objects.
type ConversionStrategyType string

const (
	NoneConverter    ConversionStrategyType = "None"
	WebhookConverter ConversionStrategyType = "Webhook"
)

// Whether a condition holds.
type ConditionStatus string

const (
	ConditionTrue    ConditionStatus = "True"
	ConditionFalse   ConditionStatus = "False"
	ConditionUnknown ConditionStatus = "Unknown"
)

// What a condition of a definition is about.
type CustomResourceDefinitionConditionType string

const (
	Established                           CustomResourceDefinitionConditionType = "Established"
	NamesAccepted                         CustomResourceDefinitionConditionType = "NamesAccepted"
	NonStructuralSchema                   CustomResourceDefinitionConditionType = "NonStructuralSchema"
	Terminating                           CustomResourceDefinitionConditionType = "Terminating"
	KubernetesAPIApprovalPolicyConformant CustomResourceDefinitionConditionType = "KubernetesAPIApprovalPolicyConformant"
	StorageMigrating                      CustomResourceDefinitionConditionType = "StorageMigrating"
)

// One thing that is known about a definition.
type CustomResourceDefinitionCondition struct {
	// What it is about.
	Type CustomResourceDefinitionConditionType `json:"type" protobuf:"bytes,1,opt,name=type,casttype=CustomResourceDefinitionConditionType"`
	// Whether it holds.
	Status ConditionStatus `json:"status" protobuf:"bytes,2,opt,name=status,casttype=ConditionStatus"`
	// When status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty" protobuf:"bytes,3,opt,name=lastTransitionTime"`
	// Why, in one CamelCase word for programs.
	// +optional
	Reason string `json:"reason,omitempty" protobuf:"bytes,4,opt,name=reason"`
	// Why, for people.
	// +optional
	Message string `json:"message,omitempty" protobuf:"bytes,5,opt,name=message"`
	// The generation it is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty" protobuf:"varint,6,opt,name=observedGeneration"`
}

// What is known about a definition.
type CustomResourceDefinitionStatus struct {
	// Whether names were accepted and the resource is served.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []CustomResourceDefinitionCondition `json:"conditions" protobuf:"bytes,1,opt,name=conditions"`
	// Names it is served under.
	// +optional
	AcceptedNames CustomResourceDefinitionNames `json:"acceptedNames" protobuf:"bytes,2,opt,name=acceptedNames"`
	// Versions in which objects may be stored.
	// +optional
	// +listType=atomic
	StoredVersions []string `json:"storedVersions" protobuf:"bytes,3,rep,name=storedVersions"`
	// The generation this is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty" protobuf:"varint,4,opt,name=observedGeneration"`
}

// Many definitions.
type CustomResourceDefinitionList struct {
	metav1.TypeMeta `json:""`
	// What is known about the list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	// The items, in the order of their names.
	Items []CustomResourceDefinition `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// What objects look like.
type CustomResourceValidation struct {
	// The schema.
	// +optional
	OpenAPIV3Schema *JSONSchemaProps `json:"openAPIV3Schema,omitempty" protobuf:"bytes,1,opt,name=openAPIV3Schema"`
}

// Subresources of objects.
type CustomResourceSubresources struct {
	// Set when there is a status subresource.
	// +optional
	Status *CustomResourceSubresourceStatus `json:"status,omitempty" protobuf:"bytes,1,opt,name=status"`
	// Set when there is a scale subresource.
	// +optional
	Scale *CustomResourceSubresourceScale `json:"scale,omitempty" protobuf:"bytes,2,opt,name=scale"`
}

// The status subresource has no settings.
type CustomResourceSubresourceStatus struct{}

// Where the scale subresource finds its numbers.
type CustomResourceSubresourceScale struct {
	// Path of the number wanted, below .spec.
	SpecReplicasPath string `json:"specReplicasPath" protobuf:"bytes,1,name=specReplicasPath"`
	// Path of the number there is, below .status.
	StatusReplicasPath string `json:"statusReplicasPath" protobuf:"bytes,2,opt,name=statusReplicasPath"`
	// Path of the selector as text, below .status or .spec.
	// +optional
	LabelSelectorPath *string `json:"labelSelectorPath,omitempty" protobuf:"bytes,3,opt,name=labelSelectorPath"`
}
