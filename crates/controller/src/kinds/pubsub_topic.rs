//! `PubSubTopic`: Pub/Sub topics. Created with PUT, changed with a field mask; no long-running operations.

use kindsmith_merge::effective::Attribute;
use kindsmith_schema::Json;

use crate::field_map::{Convert, Field};
use crate::kind::{Create, Kind, KindError, Reference, Rest, Update};

pub(super) fn kind() -> Result<Kind, KindError> {
    let definition = include_str!("../../api/crd/pubsub.cnrm.cloud.google.com_pubsubtopics.yaml");
    let attributes = [
        ("spec.resourceID", Attribute::Identity),
        ("spec.kmsKeyRef", Attribute::Immutable),
        ("spec.kmsKeyRef.external", Attribute::Reference),
        ("spec.schemaSettings.schemaRef.external", Attribute::Reference),
        (
            "spec.messageStoragePolicy.enforceInTransit",
            Attribute::ZeroIsAbsent,
        ),
        // Config Connector unsets it if the spec does (`pubsubtopic_controller.go`).
        (
            "spec.messageRetentionDuration",
            Attribute::Default(Json::default().into()),
        ),
    ];
    Kind::new(definition, FIELDS, &attributes, &REST)
}

const FIELDS: &[Field] = &[
    Field {
        spec: &["resourceID"],
        api: &["name"],
        convert: Convert::Nothing,
    },
    Field {
        spec: &["kmsKeyRef"],
        api: &["kmsKeyName"],
        convert: Convert::External,
    },
    Field {
        spec: &["schemaSettings", "schemaRef"],
        api: &["schemaSettings", "schema"],
        convert: Convert::External,
    },
];

const REST: Rest = Rest {
    collection: "projects/{project}/topics",
    create: Create::Put,
    update: Update::Mask { member: "topic" },
    operations: None,
    token: None,
    name: "",
    labels: Some(&["labels"]),
    not_on_create: &[],
    outputs: &[("state", "state")],
    busy: None,
    references: &[
        Reference {
            path: &["kmsKeyRef"],
            api_version: "kms.cnrm.cloud.google.com/v1beta1",
            kind: "KMSCryptoKey",
            plural: "kmscryptokeys",
            status: &["selfLink", "externalRef"],
            external: "{name}",
        },
        Reference {
            path: &["schemaSettings", "schemaRef"],
            api_version: "pubsub.cnrm.cloud.google.com/v1beta1",
            kind: "PubSubSchema",
            plural: "pubsubschemas",
            status: &[],
            external: "projects/{project}/schemas/{name}",
        },
    ],
    secrets: &[],
    ..Rest::PLAIN
};
