//! What expressions of admission may name (`mustBuildEnvs` in apiserver's pkg/admission/plugin/cel/compile.go).

use std::sync::LazyLock;

use crate::check::Env;
use crate::dialect::Dialect;
use crate::types::{Record, Type};

use super::Purpose;

/// The variables of a policy, as far as they are declared.
#[derive(Debug, Clone)]
pub struct Declared(pub(super) Record);

impl Default for Declared {
    fn default() -> Self {
        Declared(Record::new("kubernetes.variables"))
    }
}

impl Declared {
    /// Declares a variable of a type; those of library types are data without a type.
    pub fn declare(&mut self, name: &str, ty: Option<&Type>) {
        self.0.set(name, ty.map_or(Type::Dyn, visible));
    }
}

/// The type of a variable as other expressions see it.
fn visible(ty: &Type) -> Type {
    match ty {
        Type::Any
        | Type::Bool
        | Type::Bytes
        | Type::Double
        | Type::Duration
        | Type::Int
        | Type::Null
        | Type::String
        | Type::Timestamp
        | Type::Uint => ty.clone(),
        Type::List(element) => Type::list(visible(element)),
        Type::Map(pair) => Type::map(visible(&pair[0]), visible(&pair[1])),
        _ => Type::Dyn,
    }
}

/// What an expression may name beside the objects and the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'s> {
    /// Whether there are `params`.
    pub has_params: bool,
    /// The variables, if there may be some.
    pub variables: Option<&'s Declared>,
    /// The dialect of the expressions.
    pub dialect: Dialect,
}

impl<'s> Scope<'s> {
    pub(super) fn env(&self, purpose: Purpose) -> Env<'s> {
        let [request, namespace, ..] = &*RECORDS;
        let mut env = Env::new(None)
            .in_dialect(self.dialect)
            .with("object", Type::Dyn)
            .with("oldObject", Type::Dyn)
            .with("request", request.ty())
            .with("namespaceObject", namespace.ty());
        for record in &*RECORDS {
            env = env.with_record(record);
        }
        if self.has_params {
            env = env.with("params", Type::Dyn);
        }
        if purpose != Purpose::Message {
            env = env
                .with("authorizer", Type::object("kubernetes.authorization.Authorizer"))
                .with(
                    "authorizer.requestResource",
                    Type::object("kubernetes.authorization.ResourceCheck"),
                );
        }
        if let Some(Declared(record)) = self.variables {
            env = env.with("variables", record.ty()).with_record(record);
        }
        match purpose {
            Purpose::Configuration | Purpose::Patch => env.with_patch_types(),
            _ => env,
        }
    }
}

/// The types of `request` and `namespaceObject`, and those of their fields.
pub(super) static RECORDS: LazyLock<[Record; 9]> = LazyLock::new(|| {
    let texts = |name: &str, fields: &[&str]| {
        let record = Record::new(name);
        fields
            .iter()
            .fold(record, |record, field| record.with(field, Type::String))
    };
    let list = || Type::list(Type::String);
    let labels = || Type::map(Type::String, Type::String);
    let kind = texts("kubernetes.GroupVersionKind", &["group", "version", "kind"]);
    let resource = texts(
        "kubernetes.GroupVersionResource",
        &["group", "version", "resource"],
    );
    let user = texts("kubernetes.UserInfo", &["username", "uid"])
        .with("groups", list())
        .with("extra", Type::map(Type::String, list()));
    let request = texts(
        "kubernetes.AdmissionRequest",
        &[
            "subResource",
            "requestSubResource",
            "name",
            "namespace",
            "operation",
        ],
    )
    .with("kind", kind.ty())
    .with("resource", resource.ty())
    .with("requestKind", kind.ty())
    .with("requestResource", resource.ty())
    .with("userInfo", user.ty())
    .with("dryRun", Type::Bool)
    .with("options", Type::Dyn);
    let metadata = texts(
        "kubernetes.NamespaceMetadata",
        &["name", "generateName", "namespace", "UID", "resourceVersion"],
    )
    .with("labels", labels())
    .with("annotations", labels())
    .with("creationTimestamp", Type::Timestamp)
    .with("deletionGracePeriodSeconds", Type::Int)
    .with("deletionTimestamp", Type::Timestamp)
    .with("generation", Type::Int)
    .with("finalizers", list());
    let spec = Record::new("kubernetes.NamespaceSpec").with("finalizers", list());
    let condition = texts(
        "kubernetes.NamespaceCondition",
        &["status", "type", "message", "reason"],
    )
    .with("lastTransitionTime", Type::Timestamp);
    let status =
        texts("kubernetes.NamespaceStatus", &["phase"]).with("conditions", Type::list(condition.ty()));
    let namespace = Record::new("kubernetes.Namespace")
        .with("metadata", metadata.ty())
        .with("spec", spec.ty())
        .with("status", status.ty());
    [
        request, namespace, kind, resource, user, metadata, spec, condition, status,
    ]
});
