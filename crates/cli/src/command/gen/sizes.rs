//! How large definitions are, and which fields make them so.

use std::fmt::Write;

use kindsmith_json::Arena;
use kindsmith_openapi::generate::Definition;
use kindsmith_openapi::schema;
use kindsmith_schema::JsonSchema;

/// Limits a definition runs into, smallest first: bytes, and what happens beyond.
const LIMITS: [(usize, &str); 3] = [
    (
        256 * 1024,
        "`kubectl apply` keeps a copy in an annotation, which has no room for it; use `--server-side`",
    ),
    (
        1024 * 1024,
        "it does not fit into a ConfigMap or Secret, where packagers keep it",
    ),
    (3 * 512 * 1024, "etcd refuses requests of this size"),
];

/// Fields listed per definition.
const LISTED: usize = 20;

/// What is wrong with a size, if something is.
pub(super) fn complaint(bytes: usize) -> Option<String> {
    let (limit, then) = LIMITS.iter().rev().find(|(limit, _)| bytes > *limit)?;
    Some(format!(
        "the definition has {bytes} bytes, more than {limit}: {then}"
    ))
}

/// The largest fields of a definition.
pub(super) fn table(definition: &Definition) -> String {
    let mut fields = Vec::new();
    for version in &definition.model.spec.versions {
        if let Some(root) = version
            .schema
            .as_ref()
            .and_then(|schema| schema.open_api_v3_schema.as_ref())
        {
            walk(root, &version.name, &mut fields);
        }
    }
    fields.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut out = format!("{:>9}  {}\n", definition.bytes, definition.file_name);
    for (bytes, path) in fields.iter().take(LISTED) {
        writeln!(out, "{bytes:>9}    {path}").expect("a string takes everything");
    }
    out
}

/// Sizes of a schema and all below it.
fn walk(of: &JsonSchema, path: &str, fields: &mut Vec<(usize, String)>) {
    let arena = Arena::new();
    fields.push((
        kindsmith_json::to_string(schema::write(of, &arena)).len(),
        path.to_owned(),
    ));
    for (name, property) in &of.properties {
        walk(property, &format!("{path}.{name}"), fields);
    }
    if let Some(item) = of.item() {
        walk(item, &format!("{path}[]"), fields);
    }
    if let Some(value) = of.additional() {
        walk(value, &format!("{path}.*"), fields);
    }
}
