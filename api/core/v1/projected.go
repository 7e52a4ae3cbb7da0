// Volumes made of other objects.

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The keys of a secret as files.
type SecretVolumeSource struct {
	// Name of the secret.
	// +optional
	SecretName string `json:"secretName,omitempty" protobuf:"bytes,1,opt,name=secretName"`
	// Keys to show and where; all of them unless set.
	// +optional
	// +listType=atomic
	Items []KeyToPath `json:"items,omitempty" protobuf:"bytes,2,rep,name=items"`
	// Permissions of files without their own.
	// +optional
	// +default=420
	DefaultMode *int32 `json:"defaultMode,omitempty" protobuf:"bytes,3,opt,name=defaultMode"`
	// Whether secret and keys may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,4,opt,name=optional"`
	// Owner of files without their own.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	DefaultUser *int64 `json:"defaultUser,omitempty" protobuf:"varint,5,opt,name=defaultUser"`
}

// The keys of a secret among other sources.
type SecretProjection struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// Keys to show and where; all of them unless set.
	// +optional
	// +listType=atomic
	Items []KeyToPath `json:"items,omitempty" protobuf:"bytes,2,rep,name=items"`
	// Whether secret and keys may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,4,opt,name=optional"`
}

// The keys of a config map as files.
type ConfigMapVolumeSource struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// Keys to show and where; all of them unless set.
	// +optional
	// +listType=atomic
	Items []KeyToPath `json:"items,omitempty" protobuf:"bytes,2,rep,name=items"`
	// Permissions of files without their own.
	// +optional
	// +default=420
	DefaultMode *int32 `json:"defaultMode,omitempty" protobuf:"varint,3,opt,name=defaultMode"`
	// Whether config map and keys may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,4,opt,name=optional"`
	// Owner of files without their own.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	DefaultUser *int64 `json:"defaultUser,omitempty" protobuf:"varint,5,opt,name=defaultUser"`
}

// The keys of a config map among other sources.
type ConfigMapProjection struct {
	// Which one.
	LocalObjectReference `json:"" protobuf:"bytes,1,opt,name=localObjectReference"`
	// Keys to show and where; all of them unless set.
	// +optional
	// +listType=atomic
	Items []KeyToPath `json:"items,omitempty" protobuf:"bytes,2,rep,name=items"`
	// Whether config map and keys may be missing.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,4,opt,name=optional"`
}

// A key and the file it is shown in.
type KeyToPath struct {
	// The key.
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// Path of the file in the volume.
	Path string `json:"path" protobuf:"bytes,2,opt,name=path"`
	// Permissions of the file.
	// +optional
	Mode *int32 `json:"mode,omitempty" protobuf:"varint,3,opt,name=mode"`
	// Owner of the file.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	User *int64 `json:"user,omitempty" protobuf:"varint,4,opt,name=user"`
}

// Fields of the pod as files.
type DownwardAPIVolumeSource struct {
	// The files.
	// +optional
	// +listType=atomic
	Items []DownwardAPIVolumeFile `json:"items,omitempty" protobuf:"bytes,1,rep,name=items"`
	// Permissions of files without their own.
	// +optional
	// +default=420
	DefaultMode *int32 `json:"defaultMode,omitempty" protobuf:"varint,2,opt,name=defaultMode"`
	// Owner of files without their own.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	DefaultUser *int64 `json:"defaultUser,omitempty" protobuf:"varint,3,opt,name=defaultUser"`
}

// A file that shows a field of the pod.
type DownwardAPIVolumeFile struct {
	// Path of the file in the volume.
	Path string `json:"path" protobuf:"bytes,1,opt,name=path"`
	// A field of the pod.
	// +optional
	FieldRef *ObjectFieldSelector `json:"fieldRef,omitempty" protobuf:"bytes,2,opt,name=fieldRef"`
	// A resource of a container.
	// +optional
	ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty" protobuf:"bytes,3,opt,name=resourceFieldRef"`
	// Permissions of the file.
	// +optional
	Mode *int32 `json:"mode,omitempty" protobuf:"varint,4,opt,name=mode"`
	// Owner of the file.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	User *int64 `json:"user,omitempty" protobuf:"varint,5,opt,name=user"`
}

// Fields of the pod among other sources.
type DownwardAPIProjection struct {
	// The files.
	// +optional
	// +listType=atomic
	Items []DownwardAPIVolumeFile `json:"items,omitempty" protobuf:"bytes,1,rep,name=items"`
}

// Several sources in one directory.
type ProjectedVolumeSource struct {
	// The sources.
	// +optional
	// +listType=atomic
	Sources []VolumeProjection `json:"sources" protobuf:"bytes,1,rep,name=sources"`
	// Permissions of files without their own.
	// +optional
	// +default=420
	DefaultMode *int32 `json:"defaultMode,omitempty" protobuf:"varint,2,opt,name=defaultMode"`
	// Owner of files without their own.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	DefaultUser *int64 `json:"defaultUser,omitempty" protobuf:"varint,3,opt,name=defaultUser"`
}

// One of several sources; exactly one is set.
type VolumeProjection struct {
	// The keys of a secret.
	// +optional
	Secret *SecretProjection `json:"secret,omitempty" protobuf:"bytes,1,opt,name=secret"`
	// Fields of the pod.
	// +optional
	DownwardAPI *DownwardAPIProjection `json:"downwardAPI,omitempty" protobuf:"bytes,2,opt,name=downwardAPI"`
	// The keys of a config map.
	// +optional
	ConfigMap *ConfigMapProjection `json:"configMap,omitempty" protobuf:"bytes,3,opt,name=configMap"`
	// A token of the pod's service account.
	// +optional
	ServiceAccountToken *ServiceAccountTokenProjection `json:"serviceAccountToken,omitempty" protobuf:"bytes,4,opt,name=serviceAccountToken"`
	// Certificates of those who may sign.
	// +optional
	ClusterTrustBundle *ClusterTrustBundleProjection `json:"clusterTrustBundle,omitempty" protobuf:"bytes,5,opt,name=clusterTrustBundle"`
	// A key and certificate of the pod's own.
	// +optional
	PodCertificate *PodCertificateProjection `json:"podCertificate,omitempty" protobuf:"bytes,6,opt,name=podCertificate"`
}

// A token of the pod's service account.
type ServiceAccountTokenProjection struct {
	// Who the token is for; the API server unless set.
	// +optional
	Audience string `json:"audience,omitempty" protobuf:"bytes,1,rep,name=audience"`
	// How long the token is good.
	// +optional
	// +default=3600
	ExpirationSeconds *int64 `json:"expirationSeconds,omitempty" protobuf:"varint,2,opt,name=expirationSeconds"`
	// Path of the file in the volume.
	Path string `json:"path" protobuf:"bytes,3,opt,name=path"`
	// Owner of the file.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	User *int64 `json:"user,omitempty" protobuf:"varint,4,opt,name=user"`
}

// Certificates of those who may sign.
type ClusterTrustBundleProjection struct {
	// Name of one bundle.
	// +optional
	Name *string `json:"name,omitempty" protobuf:"bytes,1,rep,name=name"`
	// Signer whose bundles are meant.
	// +optional
	SignerName *string `json:"signerName,omitempty" protobuf:"bytes,2,rep,name=signerName"`
	// Labels of the signer's bundles that are meant.
	// +optional
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty" protobuf:"bytes,3,rep,name=labelSelector"`
	// Whether there may be none.
	// +optional
	Optional *bool `json:"optional,omitempty" protobuf:"varint,5,opt,name=optional"`
	// Path of the file in the volume.
	Path string `json:"path" protobuf:"bytes,4,rep,name=path"`
	// Owner of the file.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	User *int64 `json:"user,omitempty" protobuf:"varint,6,opt,name=user"`
}

// A key and certificate of the pod's own.
type PodCertificateProjection struct {
	// Who signs the certificate.
	// +required
	SignerName string `json:"signerName,omitempty" protobuf:"bytes,1,rep,name=signerName"`
	// Kind of the key that is made.
	// +required
	KeyType string `json:"keyType,omitempty" protobuf:"bytes,2,rep,name=keyType"`
	// How long the certificate may be good.
	// +optional
	MaxExpirationSeconds *int32 `json:"maxExpirationSeconds,omitempty" protobuf:"varint,3,opt,name=maxExpirationSeconds"`
	// Path of a file with key and certificates.
	// +optional
	CredentialBundlePath string `json:"credentialBundlePath,omitempty" protobuf:"bytes,4,rep,name=credentialBundlePath"`
	// Path of a file with the key alone.
	// +optional
	KeyPath string `json:"keyPath,omitempty" protobuf:"bytes,5,rep,name=keyPath"`
	// Path of a file with the certificates alone.
	// +optional
	CertificateChainPath string `json:"certificateChainPath,omitempty" protobuf:"bytes,6,rep,name=certificateChainPath"`
	// Passed on to the signer.
	UserAnnotations map[string]string `json:"userAnnotations,omitempty" protobuf:"bytes,7,rep,name=userAnnotations"`
	// Owner of the files.
	// +optional
	// +featureGate=AtomicWriteVolumeUserFields
	User *int64 `json:"user,omitempty" protobuf:"varint,8,opt,name=user"`
}
