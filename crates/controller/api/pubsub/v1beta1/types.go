package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PubSubTopic is a topic of Pub/Sub.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=pubsubtopics,shortName=gcppubsubtopic;gcppubsubtopics,categories=gcp
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="Status",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].reason"
// +kubebuilder:printcolumn:name="Status Age",type="date",JSONPath=".status.conditions[?(@.type=='Ready')].lastTransitionTime"
type PubSubTopic struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Spec PubSubTopicSpec `json:"spec,omitempty"`
	// +optional
	Status PubSubTopicStatus `json:"status,omitempty"`
}

// PubSubTopicSpec says what the topic should be. Fields that are absent are left to the service.
type PubSubTopicSpec struct {
	// Name of the topic; the object's own name if absent. Cannot be changed.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="resourceID cannot be changed"
	ResourceID *string `json:"resourceID,omitempty"`
	// The key that messages are encrypted with. Cannot be changed.
	// +optional
	KmsKeyRef *ResourceRef `json:"kmsKeyRef,omitempty"`
	// How long messages are kept after they were published, such as 86400s.
	// +optional
	// +kubebuilder:validation:Format=duration
	MessageRetentionDuration *string `json:"messageRetentionDuration,omitempty"`
	// Where messages may be stored.
	// +optional
	MessageStoragePolicy *MessageStoragePolicy `json:"messageStoragePolicy,omitempty"`
	// What messages must be like.
	// +optional
	SchemaSettings *SchemaSettings `json:"schemaSettings,omitempty"`
}

// ResourceRef names another resource: an object of the cluster, or anything by its name in the service.
// +structType=atomic
type ResourceRef struct {
	// Name of the object.
	// +optional
	Name *string `json:"name,omitempty"`
	// Namespace of the object; the referring object's own if absent.
	// +optional
	Namespace *string `json:"namespace,omitempty"`
	// Name of the resource in the service.
	// +optional
	External *string `json:"external,omitempty"`
}

// MessageStoragePolicy says where messages may be stored.
type MessageStoragePolicy struct {
	// Regions.
	// +optional
	// +listType=set
	AllowedPersistenceRegions []string `json:"allowedPersistenceRegions,omitempty"`
	// Whether messages in transit stay there too.
	// +optional
	EnforceInTransit *bool `json:"enforceInTransit,omitempty"`
}

// SchemaSettings say what messages must be like.
type SchemaSettings struct {
	// JSON or BINARY.
	// +optional
	Encoding *string `json:"encoding,omitempty"`
	// The schema of messages.
	// +optional
	SchemaRef *ResourceRef `json:"schemaRef,omitempty"`
}

// PubSubTopicStatus is what is known about the topic.
type PubSubTopicStatus struct {
	ControllerStatus `json:",inline"`

	// What the topic does.
	// +optional
	State *string `json:"state,omitempty"`
}
