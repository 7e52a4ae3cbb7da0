//! Service accounts: references to secrets keep only the name (pkg/registry/core/serviceaccount/strategy.go).

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_object::{Behavior, FieldError};

use crate::field_check::items;
use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

const TOKEN: Subresource = Subresource {
    kind: Some(("authentication.k8s.io", "v1", "TokenRequest")),
    verbs: &["create"],
    ..Subresource::of("token")
};
const ENFORCE: &str = "kubernetes.io/enforce-mountable-secrets";

#[derive(Debug)]
pub(crate) struct ServiceAccount;

impl Strategy for ServiceAccount {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn earlier_table(&self) -> Option<(Behavior, Table)> {
        let with_secrets = Table {
            headings: HEADINGS_WITH_SECRETS,
            cells: |row| vec![row.name(), Value::Int(row.count("secrets")), row.age()],
        };
        Some((Behavior::ServiceAccountsWithoutSecrets, with_secrets))
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["sa"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[TOKEN]
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let secrets = items(decoded.get(&["secrets"]));
        if secrets.is_empty() {
            return;
        }
        let names: Vec<Value<'a>> = secrets.iter().map(|secret| name_only(arena, *secret)).collect();
        decoded
            .object
            .insert(arena, "secrets", Value::Array(arena.alloc_slice_copy(&names)));
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        if change.old.is_some() {
            change.validate_metadata(errors);
        }
        change.validate_new_metadata(errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let has = |decoded: &DecodedObject<'_>| decoded.meta.annotations.contains_key(ENFORCE);
        if has(change.new) && !change.old.is_some_and(has) {
            vec![format!(
                "metadata.annotations[{ENFORCE}]: deprecated in v1.32+; prefer separate namespaces to isolate access \
                 to mounted secrets"
            )]
        } else {
            Vec::new()
        }
    }
}

fn name_only<'a>(arena: &'a Arena, reference: Value<'a>) -> Value<'a> {
    let entries: Vec<Entry<'a>> = reference
        .get("name")
        .map(|value| Entry { key: "name", value })
        .into_iter()
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

const HEADINGS: &[Heading] = &[column::NAME, column::AGE];
const HEADINGS_WITH_SECRETS: &[Heading] = &[
    column::NAME,
    column::text("Secrets", "core/v1.ServiceAccount.secrets"),
    column::AGE,
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), row.age()]
}
