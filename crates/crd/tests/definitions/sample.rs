//! A small valid CRD, and ways to change it.

use kindsmith_crd::definition::{DefinitionValidation, Gates, conditions, create, update};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_openapi::crd::{self, Definition};

use super::patch;

/// The path of the sample's schema; written `P` in cases.
pub(crate) const P: &str = "spec.validation.openAPIV3Schema";

const SAMPLE: &str = "
metadata: {name: things.example.org, resourceVersion: '1'}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";

/// The sample with a merge patch in YAML.
pub(crate) fn definition(change: &str) -> Definition {
    let arena = Arena::new();
    let parse = |text: &str| yaml::parse(&arena, arena.alloc_str(text).as_bytes()).expect("cases are YAML");
    let value = patch::merge(parse(SAMPLE), parse(change), &arena);
    read(value)
}

pub(crate) fn read(value: Value<'_>) -> Definition {
    let mut definition = crd::read(value, crd::Source::Unknown)
        .expect("cases decode")
        .definition;
    definition.default_fields();
    definition
}

/// The sample with another schema, in YAML.
pub(crate) fn with_schema(schema: &str) -> Definition {
    let indented = schema.trim_end().replace('\n', "\n        ");
    definition(&format!(
        "
spec:
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        {indented}
"
    ))
}

/// A CRD as its controllers leave it.
pub(crate) fn established(definition: &Definition) -> Definition {
    let mut internal = definition.to_internal();
    create(&mut internal, Gates::default());
    let mut stored = internal.to_v1();
    stored.status = conditions(&stored, &[], "2026-01-01T00:00:00Z");
    stored
}

pub(crate) fn judge_create(definition: &Definition) -> DefinitionValidation {
    create(&mut definition.to_internal(), Gates::default())
}

pub(crate) fn judge_update(old: &Definition, new: &Definition) -> DefinitionValidation {
    update(&mut new.to_internal(), &old.to_internal(), Gates::default())
}

/// Compares the errors with the expected texts; a leading `P` is the path of the schema.
#[track_caller]
pub(crate) fn expect(verdict: &DefinitionValidation, expected: &[&str], case: &str) {
    let found: Vec<String> = verdict.errors.iter().map(ToString::to_string).collect();
    let expected: Vec<String> = expected
        .iter()
        .map(|text| match text.strip_prefix('P') {
            Some(rest) if rest.starts_with(['.', ':']) => format!("{P}{rest}"),
            _ => (*text).to_owned(),
        })
        .collect();
    assert_eq!(found, expected, "{case}");
}

/// The gates of the release that was recorded.
pub(crate) fn newest() -> Gates {
    Gates {
        release: kindsmith_object::Release::NEWEST,
        ..Gates::default()
    }
}

/// The gates of a release.
pub(crate) fn of_release(minor: u8) -> Gates {
    Gates {
        release: kindsmith_object::Release::minor(minor),
        ..Gates::default()
    }
}
