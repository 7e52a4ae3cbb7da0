//! Kinds of other packages: types that say they are kinds.

use std::sync::Arc;

use kindsmith_engine::meta::Scope;
use kindsmith_schema::{self as schema, Schema};

use crate::{Draft, Kind, Names, Plain, Preparation, Strategy, Subresource};

/// The kinds of a schema, as its tags declare them. Of several versions of a kind one is stored: the one that says so,
/// else the last in the order of discovery.
#[must_use]
pub fn kinds_of(schema: &Arc<Schema>) -> Vec<Arc<Kind>> {
    let mut groups: Vec<Vec<&schema::Kind>> = Vec::new();
    for kind in schema.kinds().iter().filter(|kind| !kind.skipped) {
        let same =
            |group: &&mut Vec<&schema::Kind>| group[0].group == kind.group && group[0].kind == kind.kind;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(kind),
            None => groups.push(vec![kind]),
        }
    }
    groups
        .into_iter()
        .flat_map(|versions| make(schema, &versions))
        .collect()
}

/// All served versions of one kind.
fn make(schema: &Arc<Schema>, versions: &[&schema::Kind]) -> Vec<Arc<Kind>> {
    let stored = versions
        .iter()
        .position(|kind| kind.storage)
        .unwrap_or(versions.len() - 1);
    let storage = Arc::new(one(schema, versions[stored], None));
    let mut kinds = Vec::new();
    for (index, kind) in versions.iter().enumerate().filter(|(_, kind)| kind.served) {
        kinds.push(match index == stored {
            true => Arc::clone(&storage),
            false => Arc::new(one(schema, kind, Some(Arc::clone(&storage)))),
        });
    }
    kinds
}

fn one(schema: &Arc<Schema>, kind: &schema::Kind, storage: Option<Arc<Kind>>) -> Kind {
    let names = Names {
        group: kind.group.clone(),
        version: kind.version.clone(),
        kind: kind.kind.clone(),
        list_kind: format!("{}List", kind.kind).into(),
        plural: kind
            .names
            .plural
            .clone()
            .unwrap_or_else(|| plural(&kind.kind).into()),
        singular: kind
            .names
            .singular
            .clone()
            .unwrap_or_else(|| kind.kind.to_lowercase().into()),
        short_names: kind.names.short.clone(),
        categories: kind.names.categories.clone(),
    };
    let scope = match kind.scope {
        schema::Scope::Namespaced => Scope::Namespaced,
        schema::Scope::Cluster => Scope::Cluster,
    };
    let strategy: &'static dyn Strategy = match kind.subresources.status {
        true => &WithStatus,
        false => &Plain,
    };
    let mut made = Kind::new(names, scope, Arc::clone(schema), kind.ty, strategy);
    made.storage = storage;
    made
}

/// The plural of a kind (`UnsafeGuessKindToResource` in apimachinery's pkg/api/meta/restmapper.go).
fn plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular.ends_with("endpoints") {
        return singular;
    }
    match singular.as_bytes().last() {
        Some(b's') => singular + "es",
        Some(b'y') => format!("{}ies", &singular[..singular.len() - 1]),
        _ => singular + "s",
    }
}

/// A kind whose status is written separately.
#[derive(Debug)]
struct WithStatus;

impl Strategy for WithStatus {
    fn checks_finalizers(&self) -> bool {
        false
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[Subresource::STATUS]
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[&["spec"], &["metadata"]],
            _ => &[&["status"]],
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut Draft<'a>) {
        crate::kind::own::prepare_generation(preparation, draft, &["spec"]);
    }
}
