//! Role bindings and cluster role bindings (pkg/apis/rbac/validation/validation.go). Tags make names required.

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::meta::{NameRule, Scope};
use kindsmith_object::{BadValue, FieldError};

use crate::field_check::{immutable, items, not_supported, required, text};
use crate::table::{Heading, Row, Table, column, text_of};
use crate::{Change, Names, Strategy};

const GROUP: &str = "rbac.authorization.k8s.io";
const ROLE_REF: Path<'static> = Path::root("roleRef");

/// Role bindings and cluster role bindings.
#[derive(Debug)]
pub(crate) struct RoleBinding;

impl Strategy for RoleBinding {
    fn table(&self, names: &Names) -> Table {
        Table {
            headings: match &*names.kind {
                "RoleBinding" => ROLE_BINDING_HEADINGS,
                _ => CLUSTER_ROLE_BINDING_HEADINGS,
            },
            cells,
        }
    }

    fn name_rule(&self) -> NameRule {
        NameRule::PathSegment
    }

    fn creates_on_update(&self) -> bool {
        true
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        if text(object.lookup(&["roleRef", "apiGroup"])).is_empty() {
            object.set(arena, &["roleRef", "apiGroup"], Value::Str(GROUP));
        }
        let subjects = items(object.get("subjects"));
        if subjects.iter().any(|subject| lacks_group(*subject)) {
            let subjects = subjects.iter().map(|&subject| {
                let mut subject = subject;
                if lacks_group(subject) {
                    subject.set(arena, &["apiGroup"], Value::Str(GROUP));
                }
                subject
            });
            let subjects: Vec<Value<'a>> = subjects.collect();
            object.set(
                arena,
                &["subjects"],
                Value::Array(arena.alloc_slice_copy(&subjects)),
            );
        }
        object
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_new_metadata(errors);
        validate_role(change, errors);
        let subjects = Path::root("subjects");
        for (index, subject) in items(change.get(&["subjects"])).iter().enumerate() {
            validate_subject(*subject, change.scope, &subjects.index(index), errors);
        }
        if change.old.is_some() {
            change.validate_metadata(errors);
            if !change.is_same("roleRef") {
                immutable(&ROLE_REF, as_go(change.get(&["roleRef"])), errors);
            }
        }
    }
}

fn lacks_group(subject: Value<'_>) -> bool {
    text(subject.get("apiGroup")).is_empty() && matches!(text(subject.get("kind")), "User" | "Group")
}

/// The role reference as Go prints the internal type, which has no JSON names.
fn as_go(role: Option<Value<'_>>) -> BadValue {
    let part = |key| {
        let mut out = String::new();
        kindsmith_json::write::append_string(
            &mut out,
            text(role.and_then(|role| role.get(key))),
            kindsmith_json::write::Escape::Html,
        );
        out
    };
    BadValue::Json(
        format!(
            "{{\"APIGroup\":{},\"Kind\":{},\"Name\":{}}}",
            part("apiGroup"),
            part("kind"),
            part("name")
        )
        .into(),
    )
}

fn validate_role(change: &Change<'_>, errors: &mut Vec<FieldError>) {
    let part = |key| text(change.get(&["roleRef", key]));
    if part("apiGroup") != GROUP {
        errors.push(not_supported(
            &ROLE_REF.child("apiGroup"),
            part("apiGroup"),
            &[GROUP],
        ));
    }
    let kinds: &[&str] = match change.scope {
        Scope::Namespaced => &["Role", "ClusterRole"],
        Scope::Cluster => &["ClusterRole"],
    };
    if !kinds.contains(&part("kind")) {
        errors.push(not_supported(&ROLE_REF.child("kind"), part("kind"), kinds));
    }
    let name = part("name");
    if name.is_empty() && change.old.is_some() {
        errors.push(required(&ROLE_REF.child("name"), ""));
    }
    if !name.is_empty() {
        NameRule::PathSegment.validate(name, &ROLE_REF.child("name"), errors);
    }
}

fn validate_subject(subject: Value<'_>, scope: Scope, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let part = |key| text(subject.get(key));
    let (group, name) = (part("apiGroup"), part("name"));
    match part("kind") {
        "ServiceAccount" => {
            if !name.is_empty() {
                NameRule::Subdomain.validate(name, &path.child("name"), errors);
            }
            if !group.is_empty() {
                errors.push(not_supported(&path.child("apiGroup"), group, &[""]));
            }
            if scope == Scope::Cluster && part("namespace").is_empty() {
                errors.push(required(&path.child("namespace"), ""));
            }
        }
        "User" | "Group" => {
            if group != GROUP {
                errors.push(not_supported(&path.child("apiGroup"), group, &[GROUP]));
            }
        }
        other => {
            let kinds = ["ServiceAccount", "User", "Group"];
            errors.push(not_supported(&path.child("kind"), other, &kinds));
        }
    }
}

const ROLE_BINDING_HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Role", "rbac/v1.RoleBinding.roleRef"),
    column::AGE,
    column::wide_in_words("Users", "Users among the subjects."),
    column::wide_in_words("Groups", "Groups among the subjects."),
    column::wide_in_words("ServiceAccounts", "Service accounts among the subjects."),
];

const CLUSTER_ROLE_BINDING_HEADINGS: &[Heading] = &[
    column::NAME,
    column::text("Role", "rbac/v1.ClusterRoleBinding.roleRef"),
    column::AGE,
    column::wide_in_words("Users", "Users among the subjects."),
    column::wide_in_words("Groups", "Groups among the subjects."),
    column::wide_in_words("ServiceAccounts", "Service accounts among the subjects."),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let role = format!("{}/{}", row.text("roleRef.kind"), row.text("roleRef.name"));
    let subjects = |kind: &str| {
        let subjects = row.items("subjects").iter();
        let subjects = subjects.filter(|subject| text_of(**subject, "kind") == kind);
        let names = subjects.map(|subject| match kind {
            "ServiceAccount" => format!("{}/{}", text_of(*subject, "namespace"), text_of(*subject, "name")),
            _ => text_of(*subject, "name").to_owned(),
        });
        row.cell(&names.collect::<Vec<_>>().join(", "))
    };
    vec![
        row.name(),
        row.cell(&role),
        row.age(),
        subjects("User"),
        subjects("Group"),
        subjects("ServiceAccount"),
    ]
}
