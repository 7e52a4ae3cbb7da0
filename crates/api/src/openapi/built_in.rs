//! The schemas of built-in kinds.

use kindsmith_json::Arena;

use super::shared::{Schemas, with_kind};
use super::types;
use crate::Served;

/// The names of a resource's schemas.
pub(super) struct Models<'a> {
    /// The schema of an object.
    pub(super) object: &'a str,
    /// The schema of a list.
    pub(super) list: &'a str,
}

/// Adds the schemas of a kind, if its type has one.
pub(super) fn models<'a>(
    arena: &'a Arena,
    served: &'a Served,
    schemas: &mut Schemas<'a>,
) -> Option<Models<'a>> {
    let other = served.resource.built_in().filter(|kind| !kind.is_own());
    let all = match other {
        None => schemas.own(),
        Some(kind) => {
            let text = arena.alloc_str(&types::document(&kind.schema, kind.settings.profile));
            let document = kindsmith_json::parse_str(arena, text).ok()?;
            document.lookup(&["components", "schemas"])?
        }
    };
    schemas.add_library(all);
    let package = package(&served.group);
    let name = |kind: &str| -> &'a str {
        let name = format!("{package}.{}.{kind}", served.version);
        if all.get(&name).is_some() {
            return arena.alloc_str(&name);
        }
        // Types of other packages are named after those packages, whose directories need not be named after the version.
        let ends = [format!(".{}.{kind}", served.version), format!(".{kind}")];
        let names = || all.as_object().unwrap_or_default().keys();
        let mut found = ends
            .iter()
            .filter_map(|end| names().find(|name| name.ends_with(&**end)));
        found.next().unwrap_or_default()
    };
    let models = Models {
        object: name(&served.kind),
        list: name(&served.list_kind),
    };
    for (name, kind) in [(models.object, &served.kind), (models.list, &served.list_kind)] {
        if let Some(schema) = all.get(name) {
            let kind = (&*served.group, &*served.version, &**kind);
            schemas.add(name, with_kind(arena, kind, schema));
        }
    }
    all.get(models.object).map(|_| models)
}

/// Adds the schema of a kind that is created through a subresource, and says its name.
pub(super) fn created<'a>(
    arena: &'a Arena,
    kind: (&'a str, &'a str, &'a str),
    schemas: &mut Schemas<'a>,
) -> Option<&'a str> {
    let name = arena.alloc_str(&format!("{}.{}.{}", package(kind.0), kind.1, kind.2));
    let schema = schemas.own().get(name)?;
    schemas.add(name, with_kind(arena, kind, schema));
    Some(name)
}

/// The package of a group's types, as a reversed domain name.
fn package(group: &str) -> String {
    match group {
        "" => "io.k8s.api.core".to_owned(),
        "apiextensions.k8s.io" => "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions".to_owned(),
        "apiregistration.k8s.io" => "io.k8s.kube-aggregator.pkg.apis.apiregistration".to_owned(),
        "flowcontrol.apiserver.k8s.io" => "io.k8s.api.flowcontrol".to_owned(),
        "rbac.authorization.k8s.io" => "io.k8s.api.rbac".to_owned(),
        group => format!("io.k8s.api.{}", group.strip_suffix(".k8s.io").unwrap_or(group)),
    }
}
