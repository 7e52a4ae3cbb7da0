package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SQLInstance is a database instance of Cloud SQL.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=sqlinstances,shortName=gcpsqlinstance;gcpsqlinstances,categories=gcp
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="Status",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].reason"
// +kubebuilder:printcolumn:name="Status Age",type="date",JSONPath=".status.conditions[?(@.type=='Ready')].lastTransitionTime"
type SQLInstance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SQLInstanceSpec `json:"spec"`
	// +optional
	Status SQLInstanceStatus `json:"status,omitempty"`
}

// SQLInstanceSpec says what the instance should be. Fields that are absent are left to the service.
type SQLInstanceSpec struct {
	// Name of the instance; the object's own name if absent. Cannot be changed.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="resourceID cannot be changed"
	ResourceID *string `json:"resourceID,omitempty"`
	// Region of the instance. Cannot be changed.
	// +optional
	Region *string `json:"region,omitempty"`
	// Engine and its version, such as POSTGRES_16.
	// +optional
	DatabaseVersion *string `json:"databaseVersion,omitempty"`
	// Version of the software that maintenance has installed.
	// +optional
	MaintenanceVersion *string `json:"maintenanceVersion,omitempty"`
	// CLOUD_SQL_INSTANCE, READ_REPLICA_INSTANCE or ON_PREMISES_INSTANCE.
	// +optional
	InstanceType *string `json:"instanceType,omitempty"`
	// The instance this one is a replica of.
	// +optional
	MasterInstanceRef *ResourceRef `json:"masterInstanceRef,omitempty"`
	// The instance this one is created as a copy of. Only read on creation.
	// +optional
	CloneSource *CloneSource `json:"cloneSource,omitempty"`
	// The key that disks are encrypted with. Cannot be changed.
	// +optional
	EncryptionKMSCryptoKeyRef *ResourceRef `json:"encryptionKMSCryptoKeyRef,omitempty"`
	// First password of the root user. Never read back.
	// +optional
	RootPassword *Secret `json:"rootPassword,omitempty"`
	// How a replica of a server elsewhere is set up.
	// +optional
	ReplicaConfiguration *ReplicaConfiguration `json:"replicaConfiguration,omitempty"`
	// Disaster recovery.
	// +optional
	ReplicationCluster *ReplicationCluster `json:"replicationCluster,omitempty"`
	// What the instance is and does.
	Settings Settings `json:"settings"`
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

// CloneSource is an instance to copy, as it is or as it was.
type CloneSource struct {
	// The instance.
	SQLInstanceRef ResourceRef `json:"sqlInstanceRef"`
	// When the copied data was current.
	// +optional
	PointInTime *string `json:"pointInTime,omitempty"`
	// Databases to copy; all if absent. Only SQL Server.
	// +optional
	// +listType=atomic
	DatabaseNames []string `json:"databaseNames,omitempty"`
	// Where in the binary log to stop. Only MySQL.
	// +optional
	BinLogCoordinates *BinLogCoordinates `json:"binLogCoordinates,omitempty"`
}

// BinLogCoordinates is a place in a binary log.
type BinLogCoordinates struct {
	// Name of the file.
	// +optional
	BinLogFileName *string `json:"binLogFileName,omitempty"`
	// Position in the file.
	// +optional
	BinLogPosition *int64 `json:"binLogPosition,omitempty"`
}

// Secret is a value, or the place of one.
// +structType=atomic
type Secret struct {
	// The value itself.
	// +optional
	Value *string `json:"value,omitempty"`
	// Where the value is.
	// +optional
	ValueFrom *SecretSource `json:"valueFrom,omitempty"`
}

// SecretSource is the place of a secret value.
type SecretSource struct {
	// A key of a Secret in the same namespace.
	// +optional
	SecretKeyRef *SecretKeyRef `json:"secretKeyRef,omitempty"`
}

// SecretKeyRef is a key of a Secret.
type SecretKeyRef struct {
	// Name of the Secret.
	Name string `json:"name"`
	// The key.
	Key string `json:"key"`
}

// ReplicaConfiguration says how a replica follows its master.
type ReplicaConfiguration struct {
	// Whether failover may choose this replica.
	// +optional
	FailoverTarget *bool `json:"failoverTarget,omitempty"`
	// Certificate of the authority that signed the master's.
	// +optional
	CaCertificate *string `json:"caCertificate,omitempty"`
	// The replica's certificate.
	// +optional
	ClientCertificate *string `json:"clientCertificate,omitempty"`
	// The replica's private key. Never read back.
	// +optional
	ClientKey *string `json:"clientKey,omitempty"`
	// Seconds between two attempts to connect.
	// +optional
	ConnectRetryInterval *int64 `json:"connectRetryInterval,omitempty"`
	// File in Cloud Storage that the replica starts from.
	// +optional
	DumpFilePath *string `json:"dumpFilePath,omitempty"`
	// Milliseconds between two signs of life.
	// +optional
	MasterHeartbeatPeriod *int64 `json:"masterHeartbeatPeriod,omitempty"`
	// Password of the replication user. Never read back.
	// +optional
	Password *Secret `json:"password,omitempty"`
	// Ciphers for TLS.
	// +optional
	SslCipher *string `json:"sslCipher,omitempty"`
	// Name of the replication user.
	// +optional
	Username *string `json:"username,omitempty"`
	// Whether the master's certificate is checked.
	// +optional
	VerifyServerCertificate *bool `json:"verifyServerCertificate,omitempty"`
}

// ReplicationCluster is a primary with its replica for disasters.
type ReplicationCluster struct {
	// The replica that takes over.
	// +optional
	FailoverDrReplicaRef *ResourceRef `json:"failoverDrReplicaRef,omitempty"`
}

// Settings say what the instance is and does.
type Settings struct {
	// Machine type.
	Tier string `json:"tier"`
	// Whether the instance runs: ALWAYS or NEVER.
	// +optional
	ActivationPolicy *string `json:"activationPolicy,omitempty"`
	// Microsoft Active Directory.
	// +optional
	ActiveDirectoryConfig *ActiveDirectoryConfig `json:"activeDirectoryConfig,omitempty"`
	// Features of the machine.
	// +optional
	AdvancedMachineFeatures *AdvancedMachineFeatures `json:"advancedMachineFeatures,omitempty"`
	// App Engine applications that may connect. Deprecated by the service.
	// +optional
	// +listType=set
	AuthorizedGaeApplications []string `json:"authorizedGaeApplications,omitempty"`
	// ZONAL or REGIONAL.
	// +optional
	AvailabilityType *string `json:"availabilityType,omitempty"`
	// Backups.
	// +optional
	BackupConfiguration *BackupConfiguration `json:"backupConfiguration,omitempty"`
	// Collation of the server. Cannot be changed.
	// +optional
	Collation *string `json:"collation,omitempty"`
	// Whether clients must use a connector: NOT_REQUIRED or REQUIRED.
	// +optional
	ConnectorEnforcement *string `json:"connectorEnforcement,omitempty"`
	// Whether replicas survive a crash. Deprecated by the service.
	// +optional
	CrashSafeReplication *bool `json:"crashSafeReplication,omitempty"`
	// Cache on local disks.
	// +optional
	DataCacheConfig *DataCacheConfig `json:"dataCacheConfig,omitempty"`
	// Settings of the engine.
	// +optional
	// +listType=map
	// +listMapKey=name
	DatabaseFlags []DatabaseFlag `json:"databaseFlags,omitempty"`
	// Whether the service refuses to delete the instance.
	// +optional
	DeletionProtectionEnabled *bool `json:"deletionProtectionEnabled,omitempty"`
	// When there is no maintenance.
	// +optional
	DenyMaintenancePeriod *DenyMaintenancePeriod `json:"denyMaintenancePeriod,omitempty"`
	// Whether the disk grows by itself.
	// +optional
	DiskAutoresize *bool `json:"diskAutoresize,omitempty"`
	// Gigabytes up to which it grows; 0 is without limit.
	// +optional
	DiskAutoresizeLimit *int64 `json:"diskAutoresizeLimit,omitempty"`
	// Gigabytes of disk. Can only grow.
	// +optional
	DiskSize *int64 `json:"diskSize,omitempty"`
	// PD_SSD, PD_HDD or HYPERDISK_BALANCED. Cannot be changed.
	// +optional
	DiskType *string `json:"diskType,omitempty"`
	// ENTERPRISE or ENTERPRISE_PLUS. Goes with the tier.
	// +optional
	Edition *string `json:"edition,omitempty"`
	// Query insights.
	// +optional
	InsightsConfig *InsightsConfig `json:"insightsConfig,omitempty"`
	// How the instance is reached.
	// +optional
	IpConfiguration *IpConfiguration `json:"ipConfiguration,omitempty"`
	// Where in the region the instance is.
	// +optional
	LocationPreference *LocationPreference `json:"locationPreference,omitempty"`
	// When maintenance happens.
	// +optional
	MaintenanceWindow *MaintenanceWindow `json:"maintenanceWindow,omitempty"`
	// What passwords of users must be like.
	// +optional
	PasswordValidationPolicy *PasswordValidationPolicy `json:"passwordValidationPolicy,omitempty"`
	// PER_USE or PACKAGE.
	// +optional
	PricingPlan *string `json:"pricingPlan,omitempty"`
	// SYNCHRONOUS or ASYNCHRONOUS. Deprecated by the service.
	// +optional
	ReplicationType *string `json:"replicationType,omitempty"`
	// Audit logs of SQL Server.
	// +optional
	SqlServerAuditConfig *SqlServerAuditConfig `json:"sqlServerAuditConfig,omitempty"`
	// Time zone of SQL Server. Cannot be changed.
	// +optional
	TimeZone *string `json:"timeZone,omitempty"`
}

// ActiveDirectoryConfig is the directory that SQL Server belongs to.
type ActiveDirectoryConfig struct {
	// Domain of the directory.
	// +optional
	Domain *string `json:"domain,omitempty"`
}

// AdvancedMachineFeatures are features of the machine.
type AdvancedMachineFeatures struct {
	// Threads of a physical core.
	// +optional
	ThreadsPerCore *int32 `json:"threadsPerCore,omitempty"`
}

// BackupConfiguration says when backups are made and how long they are kept.
type BackupConfiguration struct {
	// Whether MySQL writes a binary log.
	// +optional
	BinaryLogEnabled *bool `json:"binaryLogEnabled,omitempty"`
	// Whether backups are made.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`
	// Where backups are.
	// +optional
	Location *string `json:"location,omitempty"`
	// Whether any moment can be restored.
	// +optional
	PointInTimeRecoveryEnabled *bool `json:"pointInTimeRecoveryEnabled,omitempty"`
	// Time of day in UTC, HH:MM.
	// +optional
	StartTime *string `json:"startTime,omitempty"`
	// Days that transaction logs are kept.
	// +optional
	TransactionLogRetentionDays *int32 `json:"transactionLogRetentionDays,omitempty"`
	// How long backups are kept.
	// +optional
	BackupRetentionSettings *BackupRetentionSettings `json:"backupRetentionSettings,omitempty"`
}

// BackupRetentionSettings say how long backups are kept.
type BackupRetentionSettings struct {
	// Number of backups.
	// +optional
	RetainedBackups *int32 `json:"retainedBackups,omitempty"`
	// COUNT.
	// +optional
	RetentionUnit *string `json:"retentionUnit,omitempty"`
}

// DataCacheConfig is the cache on local disks.
type DataCacheConfig struct {
	// Whether it is used.
	// +optional
	DataCacheEnabled *bool `json:"dataCacheEnabled,omitempty"`
}

// DatabaseFlag is a setting of the engine.
type DatabaseFlag struct {
	// Name of the setting.
	Name string `json:"name"`
	// Its value; absent for flags without.
	// +optional
	Value *string `json:"value,omitempty"`
}

// DenyMaintenancePeriod is a time without maintenance.
type DenyMaintenancePeriod struct {
	// First day, as YYYY-MM-DD or MM-DD.
	// +optional
	StartDate *string `json:"startDate,omitempty"`
	// Last day.
	// +optional
	EndDate *string `json:"endDate,omitempty"`
	// Time of day in UTC on both days.
	// +optional
	Time *string `json:"time,omitempty"`
}

// InsightsConfig is what is recorded about queries.
type InsightsConfig struct {
	// Whether anything is.
	// +optional
	QueryInsightsEnabled *bool `json:"queryInsightsEnabled,omitempty"`
	// Plans recorded per minute.
	// +optional
	QueryPlansPerMinute *int32 `json:"queryPlansPerMinute,omitempty"`
	// Bytes of a query that are kept.
	// +optional
	QueryStringLength *int32 `json:"queryStringLength,omitempty"`
	// Whether tags of applications are kept.
	// +optional
	RecordApplicationTags *bool `json:"recordApplicationTags,omitempty"`
	// Whether addresses of clients are kept.
	// +optional
	RecordClientAddress *bool `json:"recordClientAddress,omitempty"`
}

// IpConfiguration says how the instance is reached.
type IpConfiguration struct {
	// Range that a private address is taken from.
	// +optional
	AllocatedIpRange *string `json:"allocatedIpRange,omitempty"`
	// Networks that may connect to the public address.
	// +optional
	// +listType=map
	// +listMapKey=value
	AuthorizedNetworks []AuthorizedNetwork `json:"authorizedNetworks,omitempty"`
	// Whether other services reach the private address.
	// +optional
	EnablePrivatePathForGoogleCloudServices *bool `json:"enablePrivatePathForGoogleCloudServices,omitempty"`
	// Whether there is a public address.
	// +optional
	Ipv4Enabled *bool `json:"ipv4Enabled,omitempty"`
	// Network of the private address.
	// +optional
	PrivateNetworkRef *ResourceRef `json:"privateNetworkRef,omitempty"`
	// Private Service Connect. The service has one of these.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1
	PscConfig []PscConfig `json:"pscConfig,omitempty"`
	// Whether connections must be encrypted. Replaced by sslMode.
	// +optional
	RequireSsl *bool `json:"requireSsl,omitempty"`
	// Which connections are accepted.
	// +optional
	SslMode *string `json:"sslMode,omitempty"`
}

// AuthorizedNetwork may connect to the public address.
type AuthorizedNetwork struct {
	// Addresses in CIDR form.
	Value string `json:"value"`
	// Name for people.
	// +optional
	Name *string `json:"name,omitempty"`
	// When the permission ends.
	// +optional
	// +kubebuilder:validation:Format=date-time
	ExpirationTime *string `json:"expirationTime,omitempty"`
}

// PscConfig is Private Service Connect.
type PscConfig struct {
	// Projects that may connect.
	// +optional
	// +listType=set
	AllowedConsumerProjects []string `json:"allowedConsumerProjects,omitempty"`
	// Whether it is used.
	// +optional
	PscEnabled *bool `json:"pscEnabled,omitempty"`
}

// LocationPreference says where in the region the instance is.
type LocationPreference struct {
	// App Engine application to be near to. Deprecated by the service.
	// +optional
	FollowGaeApplication *string `json:"followGaeApplication,omitempty"`
	// Zone of the standby.
	// +optional
	SecondaryZone *string `json:"secondaryZone,omitempty"`
	// Zone of the instance.
	// +optional
	Zone *string `json:"zone,omitempty"`
}

// MaintenanceWindow says when maintenance happens.
type MaintenanceWindow struct {
	// Day of the week, Monday is 1.
	// +optional
	Day *int32 `json:"day,omitempty"`
	// Hour of the day in UTC.
	// +optional
	Hour *int32 `json:"hour,omitempty"`
	// canary, stable or week5.
	// +optional
	UpdateTrack *string `json:"updateTrack,omitempty"`
}

// PasswordValidationPolicy says what passwords of users must be like.
type PasswordValidationPolicy struct {
	// COMPLEXITY_DEFAULT asks for letters, digits and others.
	// +optional
	Complexity *string `json:"complexity,omitempty"`
	// Whether the user's name must not be in it.
	// +optional
	DisallowUsernameSubstring *bool `json:"disallowUsernameSubstring,omitempty"`
	// Whether passwords are checked.
	// +optional
	EnablePasswordPolicy *bool `json:"enablePasswordPolicy,omitempty"`
	// Least number of characters.
	// +optional
	MinLength *int32 `json:"minLength,omitempty"`
	// Least time between two changes.
	// +optional
	PasswordChangeInterval *string `json:"passwordChangeInterval,omitempty"`
	// Number of passwords that must differ.
	// +optional
	ReuseInterval *int32 `json:"reuseInterval,omitempty"`
}

// SqlServerAuditConfig says where audit logs of SQL Server go.
type SqlServerAuditConfig struct {
	// Bucket for the logs.
	// +optional
	BucketRef *ResourceRef `json:"bucketRef,omitempty"`
	// Time that files stay on the instance.
	// +optional
	RetentionInterval *string `json:"retentionInterval,omitempty"`
	// Time between two uploads.
	// +optional
	UploadInterval *string `json:"uploadInterval,omitempty"`
}

// SQLInstanceStatus is what is known about the instance.
type SQLInstanceStatus struct {
	ControllerStatus `json:",inline"`

	// Name for connectors.
	// +optional
	ConnectionName *string `json:"connectionName,omitempty"`
	// DNS name.
	// +optional
	DnsName *string `json:"dnsName,omitempty"`
	// Addresses.
	// +optional
	// +listType=atomic
	IpAddress []IpAddress `json:"ipAddress,omitempty"`
	// First of the addresses.
	// +optional
	FirstIpAddress *string `json:"firstIpAddress,omitempty"`
	// Address on the internet.
	// +optional
	PublicIpAddress *string `json:"publicIpAddress,omitempty"`
	// Address in the private network.
	// +optional
	PrivateIpAddress *string `json:"privateIpAddress,omitempty"`
	// What the instance is.
	// +optional
	InstanceType *string `json:"instanceType,omitempty"`
	// URL of the instance.
	// +optional
	SelfLink *string `json:"selfLink,omitempty"`
	// Account that the instance acts as.
	// +optional
	ServiceAccountEmailAddress *string `json:"serviceAccountEmailAddress,omitempty"`
	// Certificate of the server's authority.
	// +optional
	ServerCaCert *SslCert `json:"serverCaCert,omitempty"`
	// Attachment for Private Service Connect.
	// +optional
	PscServiceAttachmentLink *string `json:"pscServiceAttachmentLink,omitempty"`
	// Versions that maintenance could install.
	// +optional
	// +listType=atomic
	AvailableMaintenanceVersions []string `json:"availableMaintenanceVersions,omitempty"`
	// Version that is installed.
	// +optional
	MaintenanceVersion *string `json:"maintenanceVersion,omitempty"`
	// State that only the service decides.
	// +optional
	ObservedState *ObservedState `json:"observedState,omitempty"`
}

// ObservedState is what only the service decides.
type ObservedState struct {
	// RUNNABLE, STOPPED or another state.
	// +optional
	State *string `json:"state,omitempty"`
	// Version of the database that is installed.
	// +optional
	DatabaseInstalledVersion *string `json:"databaseInstalledVersion,omitempty"`
	// Zone that the instance runs in.
	// +optional
	GceZone *string `json:"gceZone,omitempty"`
	// Its replicas for disasters.
	// +optional
	ReplicationCluster *ObservedReplicationCluster `json:"replicationCluster,omitempty"`
}

// ObservedReplicationCluster is about replicas for disasters.
type ObservedReplicationCluster struct {
	// Whether the instance is such a replica.
	// +optional
	DrReplica *bool `json:"drReplica,omitempty"`
	// Address to write to.
	// +optional
	PsaWriteEndpoint *string `json:"psaWriteEndpoint,omitempty"`
}

// IpAddress is an address of the instance.
type IpAddress struct {
	// The address.
	// +optional
	IpAddress *string `json:"ipAddress,omitempty"`
	// When it goes away.
	// +optional
	TimeToRetire *string `json:"timeToRetire,omitempty"`
	// PRIMARY, OUTGOING or PRIVATE.
	// +optional
	Type *string `json:"type,omitempty"`
}

// SslCert is a certificate.
type SslCert struct {
	// The certificate in PEM.
	// +optional
	Cert *string `json:"cert,omitempty"`
	// Its name.
	// +optional
	CommonName *string `json:"commonName,omitempty"`
	// When it was made.
	// +optional
	CreateTime *string `json:"createTime,omitempty"`
	// When it ends.
	// +optional
	ExpirationTime *string `json:"expirationTime,omitempty"`
	// Its fingerprint.
	// +optional
	Sha1Fingerprint *string `json:"sha1Fingerprint,omitempty"`
}
