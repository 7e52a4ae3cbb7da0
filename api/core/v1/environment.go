// Environment variables and the parts of objects they come from.

package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
)

// An environment variable.
type EnvVar struct {
	// Its name.
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Its value; $(NAME) stands for an earlier variable.
	// +optional
	Value string `json:"value,omitempty" protobuf:"bytes,2,opt,name=value"`
	// Where its value comes from, if not from value.
	// +optional
	ValueFrom *EnvVarSource `json:"valueFrom,omitempty" protobuf:"bytes,3,opt,name=valueFrom"`
}

// Where a value comes from; exactly one is set.
type EnvVarSource struct {
	// A field of the pod.
	// +optional
	FieldRef *ObjectFieldSelector `json:"fieldRef,omitempty" protobuf:"bytes,1,opt,name=fieldRef"`
	// A resource of a container.
	// +optional
	ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty" protobuf:"bytes,2,opt,name=resourceFieldRef"`
	// A key of a config map.
	// +optional
	ConfigMapKeyRef *ConfigMapKeySelector `json:"configMapKeyRef,omitempty" protobuf:"bytes,3,opt,name=configMapKeyRef"`
	// A key of a secret.
	// +optional
	SecretKeyRef *SecretKeySelector `json:"secretKeyRef,omitempty" protobuf:"bytes,4,opt,name=secretKeyRef"`
	// A key of a file on a volume.
	// +optional
	FileKeyRef *FileKeySelector `json:"fileKeyRef,omitempty" protobuf:"bytes,5,opt,name=fileKeyRef"`
}

// A key of a file on a volume.
// +structType=atomic
type FileKeySelector struct {
	// Name of the volume.
	// +required
	VolumeName string `json:"volumeName" protobuf:"bytes,1,opt,name=volumeName"`
	// Path of the file on the volume.
	// +required
	Path string `json:"path" protobuf:"bytes,2,opt,name=path"`
	// The key in the file.
	// +required
	Key string `json:"key" protobuf:"bytes,3,opt,name=key"`
	// Whether file and key may be missing.
	// +optional
	// +default=false
	Optional *bool `json:"optional,omitempty" protobuf:"varint,4,opt,name=optional"`
}

// A field of an object.
// +structType=atomic
type ObjectFieldSelector struct {
	// Version the path is written for.
	// +optional
	// +default="v1"
	APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,1,opt,name=apiVersion"`
	// Path of the field.
	FieldPath string `json:"fieldPath" protobuf:"bytes,2,opt,name=fieldPath"`
}

// A resource of a container.
// +structType=atomic
type ResourceFieldSelector struct {
	// The container; needed for volumes, else the own one.
	// +optional
	ContainerName string `json:"containerName,omitempty" protobuf:"bytes,1,opt,name=containerName"`
	// The resource, such as limits.cpu.
	Resource string `json:"resource" protobuf:"bytes,2,opt,name=resource"`
	// Unit the amount is told in; 1 unless set.
	// +optional
	Divisor resource.Quantity `json:"divisor,omitempty" protobuf:"bytes,3,opt,name=divisor"`
}

// A key of a config map.
// +structType=atomic
type ConfigMapKeySelector struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// The key.
	Key string `json:"key" protobuf:"bytes,2,opt,name=key"`
	// Whether config map and key may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,3,opt,name=optional"`
}

// A key of a secret.
// +structType=atomic
type SecretKeySelector struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// The key.
	Key string `json:"key" protobuf:"bytes,2,opt,name=key"`
	// Whether secret and key may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,3,opt,name=optional"`
}

// Where many variables come from.
type EnvFromSource struct {
	// Text put before each name.
	// +optional
	Prefix string `json:"prefix,omitempty" protobuf:"bytes,1,opt,name=prefix"`
	// The keys of a config map.
	// +optional
	ConfigMapRef *ConfigMapEnvSource `json:"configMapRef,omitempty" protobuf:"bytes,2,opt,name=configMapRef"`
	// The keys of a secret.
	// +optional
	SecretRef *SecretEnvSource `json:"secretRef,omitempty" protobuf:"bytes,3,opt,name=secretRef"`
}

// A config map whose keys become variables.
type ConfigMapEnvSource struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// Whether it may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,2,opt,name=optional"`
}

// A secret whose keys become variables.
type SecretEnvSource struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// Whether it may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,2,opt,name=optional"`
}
