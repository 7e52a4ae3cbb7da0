//! Warnings about valid CRDs.

use kindsmith_gostd::quote::quote;
use kindsmith_object::{Behavior, Release};
use kindsmith_openapi::crd::InternalSpec;
use kindsmith_schema::JsonSchema;

use super::gates::Gates;
use super::known::{Check, Known};
use super::visit;
use super::visit::schemas;

/// String formats that are validated, as people write them. The server ignores dashes.
const STRING_FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
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

/// The warnings for a new CRD, or for what an update adds.
pub(super) fn warnings(new: &InternalSpec, old: Option<&InternalSpec>, known: &Known) -> Vec<String> {
    let before = old.map(|old| Found::of(old, known)).unwrap_or_default();
    let found = Found::of(new, known);
    let mut warnings: Vec<String> = Vec::new();
    for format in found.formats {
        let warning = format!("unrecognized format {}", quote(&format));
        // The server sends each warning only once.
        if !before.formats.contains(&format) && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let sets = found.sets.into_iter();
    warnings.extend(sets.filter(|warning| !before.sets.contains(warning)));
    warnings
}

/// The formats of a CRD's schemas that no server checks, sorted.
#[must_use]
pub fn unrecognized_formats(spec: &InternalSpec) -> Vec<String> {
    let newest = Gates {
        release: Release::NEWEST,
        ..Gates::default()
    };
    let mut formats = Found::of(spec, &Known::new(newest)).formats;
    formats.sort();
    formats.dedup();
    formats
}

/// The formats of texts that servers check. Dashes in them do not matter.
pub fn string_formats() -> impl Iterator<Item = &'static str> {
    STRING_FORMATS.into_iter()
}

/// What a CRD contains that deserves a warning.
#[derive(Default)]
struct Found {
    /// Unrecognized formats, once for each occurrence.
    formats: Vec<String>,
    /// Item types of sets that apply cannot tell apart, without duplicates and sorted.
    sets: Vec<String>,
}

impl Found {
    fn of(spec: &InternalSpec, known: &Known) -> Self {
        let mut found = Self::default();
        for schema in schemas(spec) {
            visit::each_unknown(schema, known, Check::Warnings, &mut |node| {
                found.see(node, known.release())
            });
        }
        found.sets.sort();
        found.sets.dedup();
        found
    }

    /// Records what deserves a warning in a node; returns whether there was something.
    fn see(&mut self, node: &JsonSchema, release: Release) -> bool {
        let format = !node.format.is_empty() && !is_recognized(node, release);
        if format {
            self.formats.push(node.format.to_string());
        }
        let is_set = node.list_type.as_deref() == Some("set") && release.has(Behavior::SetsOfObjectsWarned);
        let item = node.item().filter(|_| is_set);
        let set = item.filter(|item| matches!(&*item.ty, "object" | "array"));
        if let Some(item) = set {
            self.sets.push(format!(
                "x-kubernetes-list-type: set for items of type \"{}\" is not supported by server-side apply or CEL \
                 validation rules",
                item.ty
            ));
        }
        format || set.is_some()
    }
}

fn is_string_format(format: &str, release: Release) -> bool {
    if format.starts_with("k8s-") && !release.has(Behavior::NameFormats) {
        return false;
    }
    let letters = |format: &str| format.replace('-', "");
    STRING_FORMATS
        .iter()
        .any(|known| letters(known) == letters(format))
}

fn is_recognized(schema: &JsonSchema, release: Release) -> bool {
    match &*schema.ty {
        ty if ty != "string" && !release.has(Behavior::FormatsOfNumbersWarned) => true,
        "" | "string" => is_string_format(&schema.format, release),
        "integer" => matches!(&*schema.format, "int32" | "int64"),
        "number" => matches!(&*schema.format, "float" | "double"),
        _ => false,
    }
}
