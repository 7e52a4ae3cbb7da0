// Sources of persistent volumes that in-tree code once handled.

package v1

// Gluster volume.
type GlusterfsPersistentVolumeSource struct {
	// Endpoints object with the servers' addresses.
	EndpointsName string `json:"endpoints" protobuf:"bytes,1,opt,name=endpoints"`
	// Path of the volume.
	Path string `json:"path" protobuf:"bytes,2,opt,name=path"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// Namespace of the endpoints; that of the claim if unset.
	// +optional
	EndpointsNamespace *string `json:"endpointsNamespace,omitempty" protobuf:"bytes,4,opt,name=endpointsNamespace"`
}

// Ceph block device.
type RBDPersistentVolumeSource struct {
	// Addresses of the monitors.
	// +listType=atomic
	CephMonitors []string `json:"monitors" protobuf:"bytes,1,rep,name=monitors"`
	// Name of the image.
	RBDImage string `json:"image" protobuf:"bytes,2,opt,name=image"`
	// File system to mount.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,3,opt,name=fsType"`
	// Pool of the image.
	// +optional
	// +default="rbd"
	RBDPool string `json:"pool,omitempty" protobuf:"bytes,4,opt,name=pool"`
	// User name at Ceph.
	// +optional
	// +default="admin"
	RadosUser string `json:"user,omitempty" protobuf:"bytes,5,opt,name=user"`
	// Path of the user's keys.
	// +optional
	// +default="/etc/ceph/keyring"
	Keyring string `json:"keyring,omitempty" protobuf:"bytes,6,opt,name=keyring"`
	// Secret with the user's key; it wins over keyring.
	// +optional
	SecretRef *SecretReference `json:"secretRef,omitempty" protobuf:"bytes,7,opt,name=secretRef"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,8,opt,name=readOnly"`
}

// Disk in OpenStack's Cinder.
type CinderPersistentVolumeSource struct {
	// Identifier of the disk.
	VolumeID string `json:"volumeID" protobuf:"bytes,1,opt,name=volumeID"`
	// File system to mount.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// Secret with access to OpenStack.
	// +optional
	SecretRef *SecretReference `json:"secretRef,omitempty" protobuf:"bytes,4,opt,name=secretRef"`
}

// Ceph file system.
type CephFSPersistentVolumeSource struct {
	// Addresses of the monitors.
	// +listType=atomic
	Monitors []string `json:"monitors" protobuf:"bytes,1,rep,name=monitors"`
	// Directory that becomes the root.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,2,opt,name=path"`
	// User name at Ceph.
	// +optional
	User string `json:"user,omitempty" protobuf:"bytes,3,opt,name=user"`
	// Path of the user's keys.
	// +optional
	SecretFile string `json:"secretFile,omitempty" protobuf:"bytes,4,opt,name=secretFile"`
	// Secret with the user's key; it wins over secretFile.
	// +optional
	SecretRef *SecretReference `json:"secretRef,omitempty" protobuf:"bytes,5,opt,name=secretRef"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,6,opt,name=readOnly"`
}

// Azure file share.
type AzureFilePersistentVolumeSource struct {
	// Secret with the storage account's name and key.
	SecretName string `json:"secretName" protobuf:"bytes,1,opt,name=secretName"`
	// Name of the share.
	ShareName string `json:"shareName" protobuf:"bytes,2,opt,name=shareName"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// Namespace of the secret; that of the claim if unset.
	// +optional
	SecretNamespace *string `json:"secretNamespace" protobuf:"bytes,4,opt,name=secretNamespace"`
}

// ScaleIO volume.
type ScaleIOPersistentVolumeSource struct {
	// Address of the API gateway.
	Gateway string `json:"gateway" protobuf:"bytes,1,opt,name=gateway"`
	// Storage system's name.
	System string `json:"system" protobuf:"bytes,2,opt,name=system"`
	// Secret with user and password.
	SecretRef *SecretReference `json:"secretRef" protobuf:"bytes,3,opt,name=secretRef"`
	// Whether the gateway speaks TLS.
	// +optional
	SSLEnabled bool `json:"sslEnabled,omitempty" protobuf:"varint,4,opt,name=sslEnabled"`
	// Protection domain of the volume.
	// +optional
	ProtectionDomain string `json:"protectionDomain,omitempty" protobuf:"bytes,5,opt,name=protectionDomain"`
	// Storage pool of the volume.
	// +optional
	StoragePool string `json:"storagePool,omitempty" protobuf:"bytes,6,opt,name=storagePool"`
	// Whether the volume is thick or thin.
	// +optional
	// +default="ThinProvisioned"
	StorageMode string `json:"storageMode,omitempty" protobuf:"bytes,7,opt,name=storageMode"`
	// Volume's name in the system.
	VolumeName string `json:"volumeName,omitempty" protobuf:"bytes,8,opt,name=volumeName"`
	// File system to mount.
	// +optional
	// +default="xfs"
	FSType string `json:"fsType,omitempty" protobuf:"bytes,9,opt,name=fsType"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,10,opt,name=readOnly"`
}

// StorageOS volume.
type StorageOSPersistentVolumeSource struct {
	// Volume's name in its namespace.
	VolumeName string `json:"volumeName,omitempty" protobuf:"bytes,1,opt,name=volumeName"`
	// StorageOS namespace of the volume.
	// +optional
	VolumeNamespace string `json:"volumeNamespace,omitempty" protobuf:"bytes,2,opt,name=volumeNamespace"`
	// File system to mount.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,3,opt,name=fsType"`
	// Whether mounts are read-only.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
	// Secret with access to StorageOS.
	// +optional
	SecretRef *ObjectReference `json:"secretRef,omitempty" protobuf:"bytes,5,opt,name=secretRef"`
}
