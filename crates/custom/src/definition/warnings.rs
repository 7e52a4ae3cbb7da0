//! What the server warns of without refusing it.

use kindsmith_openapi::crd::InternalSpec;
use kindsmith_scalar::quote::quote;
use kindsmith_schema::JsonSchema;

use super::demands::schemas;
use super::visit;

/// String formats that are checked, without dashes.
const STRING_FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// The warnings for a new definition, or for what an update adds to an old one.
pub(super) fn warnings(new: &InternalSpec, old: Option<&InternalSpec>) -> Vec<String> {
    let known = old.map(formats).unwrap_or_default();
    let mut warnings: Vec<String> = Vec::new();
    for format in formats(new) {
        let warning = format!("unrecognized format {}", quote(&format));
        // The server sends a warning once, however often it comes up.
        if !known.contains(&format) && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let known = old.map(sets).unwrap_or_default();
    warnings.extend(sets(new).into_iter().filter(|warning| !known.contains(warning)));
    warnings
}

/// Formats that mean nothing, once for each place that names one.
fn formats(spec: &InternalSpec) -> Vec<String> {
    let mut found = Vec::new();
    for schema in schemas(spec) {
        visit::any(schema, &mut |node| {
            if !node.format.is_empty() && !is_recognized(node) {
                found.push(node.format.to_string());
            }
            false
        });
    }
    found
}

fn is_recognized(schema: &JsonSchema) -> bool {
    match &*schema.ty {
        "" | "string" => STRING_FORMATS.contains(&&*schema.format.replace('-', "")),
        "integer" => matches!(&*schema.format, "int32" | "int64"),
        "number" => matches!(&*schema.format, "float" | "double"),
        _ => false,
    }
}

/// Sets whose items cannot be told apart by apply, each type of items once, sorted.
fn sets(spec: &InternalSpec) -> Vec<String> {
    let mut found = Vec::new();
    for schema in schemas(spec) {
        visit::any(schema, &mut |node| {
            let item = node.item().filter(|_| node.list_type.as_deref() == Some("set"));
            if let Some(item) = item.filter(|item| matches!(&*item.ty, "object" | "array")) {
                found.push(format!(
                    "x-kubernetes-list-type: set for items of type \"{}\" is not supported by server-side apply or CEL \
                     validation rules",
                    item.ty
                ));
            }
            false
        });
    }
    found.sort();
    found.dedup();
    found
}
