//! Keywords that are forbidden below `allOf`, `anyOf`, `oneOf` and `not` (`validateNestedValueValidation`).

use kindsmith_json::Path;
use kindsmith_schema::{JsonSchema, SchemaOrBool};

use super::super::faults::Faults;
use super::super::known::Known;
use super::pattern::pattern;

/// Which junctors of a node may have types, for the int-or-string pattern.
#[derive(Clone, Copy, Default)]
pub(super) struct Exempt {
    any_of: bool,
    first_all_of: bool,
}

/// The exemptions of a node. Upstream does not check whether `x-kubernetes-int-or-string` is set.
pub(super) fn exempt(schema: &JsonSchema) -> Exempt {
    Exempt {
        any_of: is_int_or_string(&schema.any_of),
        first_all_of: schema
            .all_of
            .first()
            .is_some_and(|first| is_int_or_string(&first.any_of)),
    }
}

fn is_int_or_string(any_of: &[JsonSchema]) -> bool {
    let [integer, string] = any_of else {
        return false;
    };
    is_only(integer, "integer") && is_only(string, "string")
}

fn is_only(schema: &JsonSchema, ty: &str) -> bool {
    if &*schema.ty != ty {
        return false;
    }
    let mut rest = schema.clone();
    rest.ty = "".into();
    // `additionalProperties: false` is dropped by the conversion to a structural schema.
    if matches!(
        rest.additional_properties.as_deref(),
        Some(SchemaOrBool::Allowed(false))
    ) {
        rest.additional_properties = None;
    }
    rest == JsonSchema::default()
}

pub(super) fn junctors(
    schema: &JsonSchema,
    exempt: Exempt,
    path: &Path<'_>,
    known: &Known,
    faults: &mut Faults,
) {
    let lists = [
        ("anyOf", if exempt.any_of { &[][..] } else { &schema.any_of }),
        ("allOf", &schema.all_of),
        ("oneOf", &schema.one_of),
    ];
    for (keyword, schemas) in lists {
        let list = path.child(keyword);
        for (index, branch) in schemas.iter().enumerate() {
            let below = Exempt {
                any_of: keyword == "allOf" && index == 0 && exempt.first_all_of,
                first_all_of: false,
            };
            check(branch, below, &list.index(index), known, faults);
        }
    }
    if let Some(not) = &schema.not {
        check(not, Exempt::default(), &path.child("not"), known, faults);
    }
}

fn check(schema: &JsonSchema, exempt: Exempt, path: &Path<'_>, known: &Known, faults: &mut Faults) {
    junctors(schema, exempt, path, known, faults);
    pattern(schema, path, known, faults);
    if let Some(item) = schema.item() {
        check(item, Exempt::default(), &path.child("items"), known, faults);
    }
    let properties = path.child("properties");
    for (name, property) in &schema.properties {
        check(property, Exempt::default(), &properties.key(name), known, faults);
    }
    forbidden(schema, path, faults);
    if schema.property("metadata").is_some() {
        faults.forbidden(
            &properties.key("metadata"),
            "must not be specified in a nested context",
        );
    }
}

fn forbidden(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    const EMPTY: &str = "must be empty to be structural";
    const UNDEFINED: &str = "must be undefined to be structural";
    const FALSE: &str = "must be false to be structural";
    let additional = match schema.additional_properties.as_deref() {
        Some(SchemaOrBool::Allowed(allowed)) => *allowed,
        Some(SchemaOrBool::Schema(_)) => true,
        None => false,
    };
    let found = [
        (!schema.ty.is_empty(), "type", EMPTY),
        (additional, "additionalProperties", UNDEFINED),
        (schema.default.is_some(), "default", UNDEFINED),
        (!schema.title.is_empty(), "title", EMPTY),
        (!schema.description.is_empty(), "description", EMPTY),
        (schema.nullable, "nullable", FALSE),
        (
            schema.preserves_unknown_fields(),
            "x-kubernetes-preserve-unknown-fields",
            FALSE,
        ),
        (schema.embedded_resource, "x-kubernetes-embedded-resource", FALSE),
        (schema.int_or_string, "x-kubernetes-int-or-string", FALSE),
        (
            !schema.list_map_keys.is_empty(),
            "x-kubernetes-list-map-keys",
            EMPTY,
        ),
        (schema.list_type.is_some(), "x-kubernetes-list-type", UNDEFINED),
        (schema.map_type.is_some(), "x-kubernetes-map-type", UNDEFINED),
        (!schema.validations.is_empty(), "x-kubernetes-validations", EMPTY),
    ];
    for (_, keyword, detail) in found.iter().filter(|(present, ..)| *present) {
        faults.forbidden(&path.child(keyword), detail);
    }
}
