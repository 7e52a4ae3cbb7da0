//! The headings of built-in kinds. A column that shows a field has the comment of that field under `api/` for its
//! description; only columns made of several fields have words of their own here.

use kindsmith_schema::TypeName;

use crate::table::Heading;
use crate::types::own_schema;

/// What a column says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Description {
    /// The comment of a field: package, type and JSON name, such as `core/v1.ServiceSpec.type`.
    Field(&'static str),
    /// A text of its own.
    Words(&'static str),
}

use Description::{Field, Words};

pub(super) const NAME: Description = Field("meta/v1.ObjectMeta.name");

pub(super) const CREATION_TIMESTAMP: Description = Field("meta/v1.ObjectMeta.creationTimestamp");

pub(crate) const NAME_COLUMN: Heading = ("Name", "string", "name", 0, NAME);
pub(crate) const AGE: Heading = ("Age", "string", "", 0, CREATION_TIMESTAMP);

pub(crate) const CONTAINERS: Description = Words("Names of the template's containers.");
pub(crate) const IMAGES: Description = Words("Images of the template's containers.");

/// A column of texts that everybody sees.
pub(crate) const fn text(name: &'static str, description: Description) -> Heading {
    (name, "string", "", 0, description)
}

/// A column of texts that only wide tables show.
pub(crate) const fn wide(name: &'static str, description: Description) -> Heading {
    (name, "string", "", 1, description)
}

/// A column of numbers.
pub(crate) const fn count(name: &'static str, description: Description) -> Heading {
    (name, "integer", "", 0, description)
}

pub(super) const POD_TEMPLATE: &[Heading] = &[
    NAME_COLUMN,
    text("Containers", CONTAINERS),
    text("Images", IMAGES),
    text("Pod Labels", Words("Labels that pods of the template get.")),
];

pub(super) const REPLICATION_CONTROLLER: &[Heading] = &[
    NAME_COLUMN,
    count("Desired", Field("core/v1.ReplicationControllerSpec.replicas")),
    count("Current", Field("core/v1.ReplicationControllerStatus.replicas")),
    count(
        "Ready",
        Field("core/v1.ReplicationControllerStatus.readyReplicas"),
    ),
    AGE,
    wide("Containers", CONTAINERS),
    wide("Images", IMAGES),
    wide("Selector", Field("core/v1.ReplicationControllerSpec.selector")),
];

pub(super) const SERVICE: &[Heading] = &[
    NAME_COLUMN,
    text("Type", Field("core/v1.ServiceSpec.type")),
    text("Cluster-IP", Field("core/v1.ServiceSpec.clusterIP")),
    text("External-IP", Field("core/v1.ServiceSpec.externalIPs")),
    text("Port(s)", Field("core/v1.ServiceSpec.ports")),
    AGE,
    wide("Selector", Field("core/v1.ServiceSpec.selector")),
];

pub(super) const EVENT: &[Heading] = &[
    text("Last Seen", Field("core/v1.Event.lastTimestamp")),
    text("Type", Field("core/v1.Event.type")),
    text("Reason", Field("core/v1.Event.reason")),
    text("Object", Field("core/v1.Event.involvedObject")),
    wide("Subobject", Field("core/v1.ObjectReference.fieldPath")),
    wide("Source", Field("core/v1.Event.source")),
    text("Message", Field("core/v1.Event.message")),
    wide("First Seen", Field("core/v1.Event.firstTimestamp")),
    wide("Count", Field("core/v1.Event.count")),
    ("Name", "string", "name", 1, NAME),
];

pub(super) const NAMESPACE: &[Heading] = &[
    NAME_COLUMN,
    text("Status", Field("core/v1.NamespaceStatus.phase")),
    AGE,
];

pub(super) const SECRET: &[Heading] = &[
    NAME_COLUMN,
    text("Type", Field("core/v1.Secret.type")),
    text("Data", Field("core/v1.Secret.data")),
    AGE,
];

pub(super) const SERVICE_ACCOUNT: &[Heading] = &[NAME_COLUMN, AGE];

pub(super) const DEPLOYMENT: &[Heading] = &[
    NAME_COLUMN,
    text("Ready", Words("Pods that are ready, of those that are wanted.")),
    text("Up-to-date", Field("apps/v1.DeploymentStatus.updatedReplicas")),
    text("Available", Field("apps/v1.DeploymentStatus.availableReplicas")),
    AGE,
    wide("Containers", CONTAINERS),
    wide("Images", IMAGES),
    wide("Selector", Field("apps/v1.DeploymentSpec.selector")),
];

pub(super) const CONFIG_MAP: &[Heading] = &[NAME_COLUMN, text("Data", Field("core/v1.ConfigMap.data")), AGE];

pub(super) const ROLE_BINDING: &[Heading] = &[
    NAME_COLUMN,
    text("Role", Field("rbac/v1.RoleBinding.roleRef")),
    AGE,
    wide("Users", Words("Users among the subjects.")),
    wide("Groups", Words("Groups among the subjects.")),
    wide("ServiceAccounts", Words("Service accounts among the subjects.")),
];

pub(super) const CLUSTER_ROLE_BINDING: &[Heading] = &[
    NAME_COLUMN,
    text("Role", Field("rbac/v1.ClusterRoleBinding.roleRef")),
    AGE,
    wide("Users", Words("Users among the subjects.")),
    wide("Groups", Words("Groups among the subjects.")),
    wide("ServiceAccounts", Words("Service accounts among the subjects.")),
];

pub(super) const CERTIFICATE_SIGNING_REQUEST: &[Heading] = &[
    NAME_COLUMN,
    AGE,
    text(
        "SignerName",
        Field("certificates/v1.CertificateSigningRequestSpec.signerName"),
    ),
    text(
        "Requestor",
        Field("certificates/v1.CertificateSigningRequestSpec.username"),
    ),
    text(
        "RequestedDuration",
        Field("certificates/v1.CertificateSigningRequestSpec.expirationSeconds"),
    ),
    text(
        "Condition",
        Field("certificates/v1.CertificateSigningRequestStatus.conditions"),
    ),
];

pub(super) const LEASE: &[Heading] = &[
    NAME_COLUMN,
    text("Holder", Field("coordination/v1.LeaseSpec.holderIdentity")),
    AGE,
];

pub(super) const WEBHOOK_CONFIGURATION: &[Heading] = &[
    NAME_COLUMN,
    count("Webhooks", Words("How many webhooks are configured.")),
    AGE,
];

/// Kinds without columns of their own.
pub(super) const DEFAULT: &[Heading] = &[NAME_COLUMN, ("Created At", "date", "", 0, CREATION_TIMESTAMP)];

impl Description {
    /// The text that is sent.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Field(path) => comment(path).unwrap_or_default(),
            Words(words) => words.to_owned(),
        }
    }
}

/// The comment of a field of the server's own kinds, on one line.
fn comment(path: &str) -> Option<String> {
    let (ty, member) = path.rsplit_once('.')?;
    let (package, ty) = ty.rsplit_once('.')?;
    let root = match package {
        "meta/v1" => "k8s.io/apimachinery/pkg/apis",
        _ => "k8s.io/api",
    };
    let schema = own_schema();
    let id = schema.find(&TypeName::new(format!("{root}/{package}"), ty))?;
    let fields = schema.ty(id).fields();
    let field = fields.iter().find(|field| field.json_name() == Some(member))?;
    Some(field.docs.prose().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_describes_itself() {
        let kinds = [
            POD_TEMPLATE,
            REPLICATION_CONTROLLER,
            SERVICE,
            EVENT,
            NAMESPACE,
            SECRET,
            SERVICE_ACCOUNT,
            DEPLOYMENT,
            CONFIG_MAP,
            ROLE_BINDING,
            CLUSTER_ROLE_BINDING,
            CERTIFICATE_SIGNING_REQUEST,
            LEASE,
            WEBHOOK_CONFIGURATION,
            DEFAULT,
        ];
        for (name, .., description) in kinds.into_iter().flatten() {
            assert_ne!(description.text(), "", "{name}: {description:?}");
        }
    }
}
