//! `SQLInstance`: Cloud SQL instances.

use kindsmith_merge::effective::{Attribute, Declared, FieldPath};
use kindsmith_schema::Json;

use crate::field_map::{Convert, Field};
use crate::kind::{CopyOf, Create, Kind, KindError, Reference, Rest, Update};

pub(super) fn kind() -> Result<Kind, KindError> {
    let definition = include_str!("../../api/crd/sql.cnrm.cloud.google.com_sqlinstances.yaml");
    Kind::new(definition, FIELDS, &attributes(), &REST)
}

const fn row(spec: &'static [&'static str], api: &'static [&'static str], convert: Convert) -> Field {
    Field { spec, api, convert }
}

/// These are one level deeper in the API.
macro_rules! replica {
    ($name:literal, $convert:expr) => {
        row(
            &["replicaConfiguration", $name],
            &["replicaConfiguration", "mysqlReplicaConfiguration", $name],
            $convert,
        )
    };
}

/// Fields with another name in the API.
const FIELDS: &[Field] = &[
    row(&["resourceID"], &["name"], Convert::Nothing),
    row(&["cloneSource"], &["cloneSource"], Convert::Nothing),
    row(&["masterInstanceRef"], &["masterInstanceName"], Convert::External),
    row(
        &["encryptionKMSCryptoKeyRef"],
        &["diskEncryptionConfiguration", "kmsKeyName"],
        Convert::External,
    ),
    row(&["rootPassword"], &["rootPassword"], Convert::Secret),
    replica!("caCertificate", Convert::Same),
    replica!("clientCertificate", Convert::Same),
    replica!("clientKey", Convert::Same),
    replica!("connectRetryInterval", Convert::Same),
    replica!("dumpFilePath", Convert::Same),
    replica!("masterHeartbeatPeriod", Convert::IntText),
    replica!("password", Convert::Secret),
    replica!("sslCipher", Convert::Same),
    replica!("username", Convert::Same),
    replica!("verifyServerCertificate", Convert::Same),
    row(
        &["replicationCluster", "failoverDrReplicaRef"],
        &["replicationCluster", "failoverDrReplicaName"],
        Convert::External,
    ),
    row(
        &["settings", "diskSize"],
        &["settings", "dataDiskSizeGb"],
        Convert::IntText,
    ),
    row(
        &["settings", "diskAutoresize"],
        &["settings", "storageAutoResize"],
        Convert::Same,
    ),
    row(
        &["settings", "diskAutoresizeLimit"],
        &["settings", "storageAutoResizeLimit"],
        Convert::IntText,
    ),
    row(
        &["settings", "diskType"],
        &["settings", "dataDiskType"],
        Convert::Same,
    ),
    row(
        &["settings", "denyMaintenancePeriod"],
        &["settings", "denyMaintenancePeriods"],
        Convert::ListOfOne,
    ),
    row(
        &["settings", "crashSafeReplication"],
        &["settings", "crashSafeReplicationEnabled"],
        Convert::Same,
    ),
    row(
        &["settings", "ipConfiguration", "pscConfig"],
        &["settings", "ipConfiguration", "pscConfig"],
        Convert::FirstItem,
    ),
    row(
        &["settings", "ipConfiguration", "privateNetworkRef"],
        &["settings", "ipConfiguration", "privateNetwork"],
        Convert::External,
    ),
    row(
        &["settings", "sqlServerAuditConfig", "bucketRef"],
        &["settings", "sqlServerAuditConfig", "bucket"],
        Convert::External,
    ),
];

fn attributes() -> Vec<(&'static str, Attribute)> {
    let edition = || Attribute::Together("edition".into());
    let mut attributes = vec![
        ("spec.resourceID", Attribute::Identity),
        ("spec.region", Attribute::Immutable),
        ("spec.instanceType", Attribute::Immutable),
        ("spec.encryptionKMSCryptoKeyRef", Attribute::Immutable),
        ("spec.encryptionKMSCryptoKeyRef.external", Attribute::Reference),
        ("spec.rootPassword", Attribute::WriteOnly),
        ("spec.cloneSource.sqlInstanceRef", Attribute::WriteOnly),
        ("spec.cloneSource.pointInTime", Attribute::WriteOnly),
        ("spec.cloneSource.databaseNames", Attribute::WriteOnly),
        (
            "spec.cloneSource.binLogCoordinates.binLogFileName",
            Attribute::WriteOnly,
        ),
        (
            "spec.cloneSource.binLogCoordinates.binLogPosition",
            Attribute::WriteOnly,
        ),
        ("spec.replicaConfiguration.password", Attribute::WriteOnly),
        ("spec.replicaConfiguration.clientKey", Attribute::WriteOnly),
        ("spec.databaseVersion", Attribute::Alone),
        ("spec.maintenanceVersion", Attribute::Alone),
        ("spec.settings.edition", edition()),
        ("spec.settings.tier", edition()),
        ("spec.settings.diskSize", Attribute::GrowsOnly),
        ("spec.settings.diskType", Attribute::Immutable),
        ("spec.settings.collation", Attribute::Immutable),
        ("spec.settings.timeZone", Attribute::Immutable),
        ("spec.settings.availabilityType", Attribute::IgnoreCase),
        (
            "spec.settings.ipConfiguration.privateNetworkRef.external",
            Attribute::Reference,
        ),
        (
            "spec.settings.passwordValidationPolicy.passwordChangeInterval",
            Attribute::Duration,
        ),
        (
            "spec.settings.sqlServerAuditConfig.retentionInterval",
            Attribute::Duration,
        ),
        (
            "spec.settings.sqlServerAuditConfig.uploadInterval",
            Attribute::Duration,
        ),
    ];
    // The service omits these when they are off.
    attributes.extend(
        [
            "spec.replicaConfiguration.failoverTarget",
            "spec.settings.backupConfiguration.binaryLogEnabled",
            "spec.settings.backupConfiguration.pointInTimeRecoveryEnabled",
            "spec.settings.crashSafeReplication",
            "spec.settings.dataCacheConfig",
            "spec.settings.dataCacheConfig.dataCacheEnabled",
            "spec.settings.deletionProtectionEnabled",
            "spec.settings.diskAutoresizeLimit",
            "spec.settings.insightsConfig.queryInsightsEnabled",
            "spec.settings.insightsConfig.recordApplicationTags",
            "spec.settings.insightsConfig.recordClientAddress",
            "spec.settings.ipConfiguration.enablePrivatePathForGoogleCloudServices",
            "spec.settings.ipConfiguration.requireSsl",
        ]
        .map(|path| (path, Attribute::ZeroIsAbsent)),
    );
    attributes.extend(declared());
    attributes
}

/// What fields are set to that the spec does not set, as Config Connector's `sqlinstance_defaults.go` and
/// `sqlinstance_equality.go` have it.
fn declared() -> Vec<(&'static str, Attribute)> {
    let of = |text: &str, within: bool, when: &[(&str, &str)]| {
        let json = |text: &str| Json::parse(text).unwrap_or_default();
        let path = |text: &str| FieldPath::parse(text).unwrap_or_default();
        Attribute::Default(Declared {
            value: json(text),
            within,
            when: when
                .iter()
                .map(|(field, value)| (path(field), json(value)))
                .collect(),
        })
    };
    let always = |path, text: &str| (path, of(text, false, &[]));
    let ssl = "spec.settings.ipConfiguration.sslMode";
    let needs_ssl = ("spec.settings.ipConfiguration.requireSsl", "true");
    let trusted = |engine| {
        of(
            "\"TRUSTED_CLIENT_CERTIFICATE_REQUIRED\"",
            true,
            &[needs_ssl, ("spec.databaseVersion", engine)],
        )
    };
    vec![
        always("spec.instanceType", "\"CLOUD_SQL_INSTANCE\""),
        always("spec.settings.activationPolicy", "\"ALWAYS\""),
        always("spec.settings.authorizedGaeApplications", "[]"),
        always("spec.settings.availabilityType", "\"ZONAL\""),
        always("spec.settings.connectorEnforcement", "\"NOT_REQUIRED\""),
        always("spec.settings.databaseFlags", "[]"),
        always("spec.settings.deletionProtectionEnabled", "false"),
        always("spec.settings.diskAutoresize", "true"),
        always("spec.settings.diskAutoresizeLimit", "0"),
        always("spec.settings.diskType", "\"PD_SSD\""),
        always("spec.settings.edition", "\"ENTERPRISE\""),
        always("spec.settings.ipConfiguration.ipv4Enabled", "true"),
        (ssl, trusted("\"MYSQL*\"")),
        (ssl, trusted("\"POSTGRES*\"")),
        (ssl, of("\"ENCRYPTED_ONLY\"", true, &[needs_ssl])),
        always(ssl, "\"ALLOW_UNENCRYPTED_AND_ENCRYPTED\""),
        always("spec.settings.pricingPlan", "\"PER_USE\""),
        always("spec.settings.replicationType", "\"SYNCHRONOUS\""),
        (
            "spec.settings.backupConfiguration.backupRetentionSettings.retentionUnit",
            of("\"COUNT\"", true, &[]),
        ),
    ]
}

const REST: Rest = Rest {
    collection: "projects/{project}/instances",
    create: Create::Post,
    update: Update::Patch,
    operations: Some("projects/{project}/operations"),
    token: Some(&["settings", "settingsVersion"]),
    name: "name",
    labels: Some(&["settings", "userLabels"]),
    not_on_create: &["spec.maintenanceVersion"],
    outputs: &[
        ("connectionName", "connectionName"),
        ("dnsName", "dnsName"),
        ("ipAddresses", "ipAddress"),
        ("ipAddresses[0].ipAddress", "firstIpAddress"),
        ("ipAddresses[type=PRIMARY].ipAddress", "publicIpAddress"),
        ("ipAddresses[type=PRIVATE].ipAddress", "privateIpAddress"),
        ("instanceType", "instanceType"),
        ("selfLink", "selfLink"),
        ("serviceAccountEmailAddress", "serviceAccountEmailAddress"),
        ("serverCaCert", "serverCaCert"),
        ("pscServiceAttachmentLink", "pscServiceAttachmentLink"),
        ("availableMaintenanceVersions", "availableMaintenanceVersions"),
        ("maintenanceVersion", "maintenanceVersion"),
        ("state", "observedState.state"),
        (
            "databaseInstalledVersion",
            "observedState.databaseInstalledVersion",
        ),
        ("gceZone", "observedState.gceZone"),
        (
            "replicationCluster.drReplica",
            "observedState.replicationCluster.drReplica",
        ),
        (
            "replicationCluster.psaWriteEndpoint",
            "observedState.replicationCluster.psaWriteEndpoint",
        ),
    ],
    busy: Some(("state", &["PENDING_CREATE", "PENDING_DELETE", "MAINTENANCE"])),
    references: &[
        Reference {
            path: &["cloneSource", "sqlInstanceRef"],
            api_version: "sql.cnrm.cloud.google.com/v1beta1",
            kind: "SQLInstance",
            plural: "sqlinstances",
            status: &[],
            external: "{name}",
        },
        Reference {
            path: &["masterInstanceRef"],
            api_version: "sql.cnrm.cloud.google.com/v1beta1",
            kind: "SQLInstance",
            plural: "sqlinstances",
            status: &[],
            external: "{project}:{name}",
        },
        Reference {
            path: &["replicationCluster", "failoverDrReplicaRef"],
            api_version: "sql.cnrm.cloud.google.com/v1beta1",
            kind: "SQLInstance",
            plural: "sqlinstances",
            status: &[],
            external: "{name}",
        },
        Reference {
            path: &["encryptionKMSCryptoKeyRef"],
            api_version: "kms.cnrm.cloud.google.com/v1beta1",
            kind: "KMSCryptoKey",
            plural: "kmscryptokeys",
            status: &["selfLink", "externalRef"],
            external: "{name}",
        },
        Reference {
            path: &["settings", "ipConfiguration", "privateNetworkRef"],
            api_version: "compute.cnrm.cloud.google.com/v1beta1",
            kind: "ComputeNetwork",
            plural: "computenetworks",
            status: &[],
            external: "projects/{project}/global/networks/{name}",
        },
        Reference {
            path: &["settings", "sqlServerAuditConfig", "bucketRef"],
            api_version: "storage.cnrm.cloud.google.com/v1beta1",
            kind: "StorageBucket",
            plural: "storagebuckets",
            status: &[],
            external: "gs://{name}",
        },
    ],
    secrets: &[&["rootPassword"], &["replicaConfiguration", "password"]],
    copy: Some(CopyOf {
        source: &["cloneSource", "sqlInstanceRef"],
        action: "clone",
        context: "cloneContext",
        name: "destinationInstanceName",
        fields: &[
            (&["cloneSource", "pointInTime"], "pointInTime"),
            (&["cloneSource", "databaseNames"], "databaseNames"),
            (&["cloneSource", "binLogCoordinates"], "binLogCoordinates"),
        ],
    }),
    ..Rest::PLAIN
};
