// Volumes of particular storage systems.

package v1

// A Glusterfs volume.
type GlusterfsVolumeSource struct {
	// Endpoints of its servers.
	EndpointsName string `json:"endpoints" protobuf:"bytes,1,opt,name=endpoints"`
	// Path of the volume.
	Path string `json:"path" protobuf:"bytes,2,opt,name=path"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
}

// A Ceph block device.
type RBDVolumeSource struct {
	// Addresses of monitors.
	// +listType=atomic
	CephMonitors []string `json:"monitors" protobuf:"bytes,1,rep,name=monitors"`
	// Name of the image.
	RBDImage string `json:"image" protobuf:"bytes,2,opt,name=image"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,3,opt,name=fsType"`
	// Pool of the image.
	// +optional
	// +default="rbd"
	RBDPool string `json:"pool,omitempty" protobuf:"bytes,4,opt,name=pool"`
	// User that opens it.
	// +optional
	// +default="admin"
	RadosUser string `json:"user,omitempty" protobuf:"bytes,5,opt,name=user"`
	// File with the user's key.
	// +optional
	// +default="/etc/ceph/keyring"
	Keyring string `json:"keyring,omitempty" protobuf:"bytes,6,opt,name=keyring"`
	// Secret with the user's key; beats keyring.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,7,opt,name=secretRef"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,8,opt,name=readOnly"`
}

// A disk of OpenStack.
type CinderVolumeSource struct {
	// The disk.
	VolumeID string `json:"volumeID" protobuf:"bytes,1,opt,name=volumeID"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// Secret to connect with.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,4,opt,name=secretRef"`
}

// A Ceph filesystem.
type CephFSVolumeSource struct {
	// Addresses of monitors.
	// +listType=atomic
	Monitors []string `json:"monitors" protobuf:"bytes,1,rep,name=monitors"`
	// Directory that is mounted; the root unless set.
	// +optional
	Path string `json:"path,omitempty" protobuf:"bytes,2,opt,name=path"`
	// User that opens it.
	// +optional
	User string `json:"user,omitempty" protobuf:"bytes,3,opt,name=user"`
	// File with the user's key.
	// +optional
	SecretFile string `json:"secretFile,omitempty" protobuf:"bytes,4,opt,name=secretFile"`
	// Secret with the user's key; beats secretFile.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,5,opt,name=secretRef"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,6,opt,name=readOnly"`
}

// A Flocker volume.
type FlockerVolumeSource struct {
	// Name of its data set.
	// +optional
	DatasetName string `json:"datasetName,omitempty" protobuf:"bytes,1,opt,name=datasetName"`
	// Id of its data set.
	// +optional
	DatasetUUID string `json:"datasetUUID,omitempty" protobuf:"bytes,2,opt,name=datasetUUID"`
}

// A disk of Google Compute Engine.
type GCEPersistentDiskVolumeSource struct {
	// Name of the disk.
	PDName string `json:"pdName" protobuf:"bytes,1,opt,name=pdName"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Partition of the disk; the whole disk for 0.
	// +optional
	Partition int32 `json:"partition,omitempty" protobuf:"varint,3,opt,name=partition"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
}

// A Quobyte volume.
type QuobyteVolumeSource struct {
	// Addresses of registries.
	Registry string `json:"registry" protobuf:"bytes,1,opt,name=registry"`
	// Name of the volume.
	Volume string `json:"volume" protobuf:"bytes,2,opt,name=volume"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
	// User that opens it.
	// +optional
	User string `json:"user,omitempty" protobuf:"bytes,4,opt,name=user"`
	// Group that opens it.
	// +optional
	Group string `json:"group,omitempty" protobuf:"bytes,5,opt,name=group"`
	// Tenant that owns it.
	// +optional
	Tenant string `json:"tenant,omitempty" protobuf:"bytes,6,opt,name=tenant"`
}

// A volume of an exec based plugin.
type FlexVolumeSource struct {
	// Name of the plugin.
	Driver string `json:"driver" protobuf:"bytes,1,opt,name=driver"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Secret given to the plugin.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,3,opt,name=secretRef"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
	// Settings that the plugin knows.
	// +optional
	Options map[string]string `json:"options,omitempty" protobuf:"bytes,5,rep,name=options"`
}

// A disk of Amazon Web Services.
type AWSElasticBlockStoreVolumeSource struct {
	// The disk.
	VolumeID string `json:"volumeID" protobuf:"bytes,1,opt,name=volumeID"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Partition of the disk; the whole disk for 0.
	// +optional
	Partition int32 `json:"partition,omitempty" protobuf:"varint,3,opt,name=partition"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
}

// A copy of a git repository.
type GitRepoVolumeSource struct {
	// Where it is copied from.
	Repository string `json:"repository" protobuf:"bytes,1,opt,name=repository"`
	// Commit that is copied.
	// +optional
	Revision string `json:"revision,omitempty" protobuf:"bytes,2,opt,name=revision"`
	// Directory it is copied to.
	// +optional
	Directory string `json:"directory,omitempty" protobuf:"bytes,3,opt,name=directory"`
}

// An NFS share.
type NFSVolumeSource struct {
	// Name or address of the server.
	Server string `json:"server" protobuf:"bytes,1,opt,name=server"`
	// What the server exports.
	Path string `json:"path" protobuf:"bytes,2,opt,name=path"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
}

// An iSCSI disk.
type ISCSIVolumeSource struct {
	// Address of the target.
	TargetPortal string `json:"targetPortal" protobuf:"bytes,1,opt,name=targetPortal"`
	// Name of the target.
	IQN string `json:"iqn" protobuf:"bytes,2,opt,name=iqn"`
	// Number of the unit.
	Lun int32 `json:"lun" protobuf:"varint,3,opt,name=lun"`
	// Interface that is used.
	// +optional
	// +default="default"
	ISCSIInterface string `json:"iscsiInterface,omitempty" protobuf:"bytes,4,opt,name=iscsiInterface"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,5,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,6,opt,name=readOnly"`
	// More addresses of the target.
	// +optional
	// +listType=atomic
	Portals []string `json:"portals,omitempty" protobuf:"bytes,7,opt,name=portals"`
	// Whether discovery is authenticated.
	// +optional
	DiscoveryCHAPAuth bool `json:"chapAuthDiscovery,omitempty" protobuf:"varint,8,opt,name=chapAuthDiscovery"`
	// Whether sessions are authenticated.
	// +optional
	SessionCHAPAuth bool `json:"chapAuthSession,omitempty" protobuf:"varint,11,opt,name=chapAuthSession"`
	// Secret to authenticate with.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,10,opt,name=secretRef"`
	// Name of the initiator.
	// +optional
	InitiatorName *string `json:"initiatorName,omitempty" protobuf:"bytes,12,opt,name=initiatorName"`
}

// A Fibre Channel disk.
type FCVolumeSource struct {
	// World wide names of targets.
	// +optional
	// +listType=atomic
	TargetWWNs []string `json:"targetWWNs,omitempty" protobuf:"bytes,1,rep,name=targetWWNs"`
	// Number of the unit.
	// +optional
	Lun *int32 `json:"lun,omitempty" protobuf:"varint,2,opt,name=lun"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,3,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
	// World wide ids of volumes, in place of targetWWNs and lun.
	// +optional
	// +listType=atomic
	WWIDs []string `json:"wwids,omitempty" protobuf:"bytes,5,rep,name=wwids"`
}

// A file share of Azure.
type AzureFileVolumeSource struct {
	// Secret with account and key.
	SecretName string `json:"secretName" protobuf:"bytes,1,opt,name=secretName"`
	// Name of the share.
	ShareName string `json:"shareName" protobuf:"bytes,2,opt,name=shareName"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
}

// A disk of vSphere.
type VsphereVirtualDiskVolumeSource struct {
	// Path of the disk.
	VolumePath string `json:"volumePath" protobuf:"bytes,1,opt,name=volumePath"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Name of its storage policy.
	// +optional
	StoragePolicyName string `json:"storagePolicyName,omitempty" protobuf:"bytes,3,opt,name=storagePolicyName"`
	// Id of its storage policy.
	// +optional
	StoragePolicyID string `json:"storagePolicyID,omitempty" protobuf:"bytes,4,opt,name=storagePolicyID"`
}

// A disk of Photon.
type PhotonPersistentDiskVolumeSource struct {
	// The disk.
	PdID string `json:"pdID" protobuf:"bytes,1,opt,name=pdID"`
	// Filesystem of the volume, such as ext4.
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
}

// How a disk of Azure is cached.
// +enum
type AzureDataDiskCachingMode string

const (
	AzureDataDiskCachingNone      AzureDataDiskCachingMode = "None"
	AzureDataDiskCachingReadOnly  AzureDataDiskCachingMode = "ReadOnly"
	AzureDataDiskCachingReadWrite AzureDataDiskCachingMode = "ReadWrite"
)

// Kinds of disks of Azure.
// +enum
type AzureDataDiskKind string

const (
	AzureSharedBlobDisk    AzureDataDiskKind = "Shared"
	AzureDedicatedBlobDisk AzureDataDiskKind = "Dedicated"
	AzureManagedDisk       AzureDataDiskKind = "Managed"
)

// A disk of Azure.
type AzureDiskVolumeSource struct {
	// Name of the disk.
	DiskName string `json:"diskName" protobuf:"bytes,1,opt,name=diskName"`
	// Where the disk is.
	DataDiskURI string `json:"diskURI" protobuf:"bytes,2,opt,name=diskURI"`
	// How it is cached.
	// +optional
	// +default=ref(AzureDataDiskCachingReadWrite)
	CachingMode *AzureDataDiskCachingMode `json:"cachingMode,omitempty" protobuf:"bytes,3,opt,name=cachingMode,casttype=AzureDataDiskCachingMode"`
	// Filesystem of the volume, such as ext4.
	// +optional
	// +default="ext4"
	FSType *string `json:"fsType,omitempty" protobuf:"bytes,4,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	// +default=false
	ReadOnly *bool `json:"readOnly,omitempty" protobuf:"varint,5,opt,name=readOnly"`
	// What kind of disk it is.
	// +default=ref(AzureSharedBlobDisk)
	Kind *AzureDataDiskKind `json:"kind,omitempty" protobuf:"bytes,6,opt,name=kind,casttype=AzureDataDiskKind"`
}

// A Portworx volume.
type PortworxVolumeSource struct {
	// The volume.
	VolumeID string `json:"volumeID" protobuf:"bytes,1,opt,name=volumeID"`
	// Filesystem of the volume, such as ext4.
	FSType string `json:"fsType,omitempty" protobuf:"bytes,2,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,3,opt,name=readOnly"`
}

// A ScaleIO volume.
type ScaleIOVolumeSource struct {
	// Address of the gateway.
	Gateway string `json:"gateway" protobuf:"bytes,1,opt,name=gateway"`
	// Name of the system.
	System string `json:"system" protobuf:"bytes,2,opt,name=system"`
	// Secret to log in with.
	SecretRef *LocalObjectReference `json:"secretRef" protobuf:"bytes,3,opt,name=secretRef"`
	// Whether TLS is used.
	// +optional
	SSLEnabled bool `json:"sslEnabled,omitempty" protobuf:"varint,4,opt,name=sslEnabled"`
	// Its protection domain.
	// +optional
	ProtectionDomain string `json:"protectionDomain,omitempty" protobuf:"bytes,5,opt,name=protectionDomain"`
	// Its pool.
	// +optional
	StoragePool string `json:"storagePool,omitempty" protobuf:"bytes,6,opt,name=storagePool"`
	// Whether all space is taken at once.
	// +optional
	// +default="ThinProvisioned"
	StorageMode string `json:"storageMode,omitempty" protobuf:"bytes,7,opt,name=storageMode"`
	// Name of the volume.
	VolumeName string `json:"volumeName,omitempty" protobuf:"bytes,8,opt,name=volumeName"`
	// Filesystem of the volume, such as ext4.
	// +optional
	// +default="xfs"
	FSType string `json:"fsType,omitempty" protobuf:"bytes,9,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,10,opt,name=readOnly"`
}

// A StorageOS volume.
type StorageOSVolumeSource struct {
	// Name of the volume.
	VolumeName string `json:"volumeName,omitempty" protobuf:"bytes,1,opt,name=volumeName"`
	// Namespace of the volume in StorageOS.
	// +optional
	VolumeNamespace string `json:"volumeNamespace,omitempty" protobuf:"bytes,2,opt,name=volumeNamespace"`
	// Filesystem of the volume, such as ext4.
	// +optional
	FSType string `json:"fsType,omitempty" protobuf:"bytes,3,opt,name=fsType"`
	// Whether it cannot be written.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty" protobuf:"varint,4,opt,name=readOnly"`
	// Secret to log in with.
	// +optional
	SecretRef *LocalObjectReference `json:"secretRef,omitempty" protobuf:"bytes,5,opt,name=secretRef"`
}
