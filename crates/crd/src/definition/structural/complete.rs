//! Fields in the root's junctors must also be in its structural part (`validateStructuralCompleteness`).
//!
//! Junctors of other nodes are not checked, as upstream.

use kindsmith_json::Path;
use kindsmith_schema::JsonSchema;

use super::super::faults::Faults;

pub(super) fn check(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    junctors(schema, schema, path, path, faults);
}

fn junctors(nested: &JsonSchema, spine: &JsonSchema, at: &Path<'_>, from: &Path<'_>, faults: &mut Faults) {
    if let Some(not) = &nested.not {
        branch(not, Some(spine), at, &from.child("not"), faults);
    }
    let lists = [
        ("allOf", &nested.all_of),
        ("anyOf", &nested.any_of),
        ("oneOf", &nested.one_of),
    ];
    for (keyword, schemas) in lists {
        let list = from.child(keyword);
        for (index, schema) in schemas.iter().enumerate() {
            branch(schema, Some(spine), at, &list.index(index), faults);
        }
    }
}

fn branch(
    nested: &JsonSchema,
    spine: Option<&JsonSchema>,
    at: &Path<'_>,
    from: &Path<'_>,
    faults: &mut Faults,
) {
    let Some(spine) = spine else {
        faults.required(at, &format!("because it is defined in {from}"));
        return;
    };
    junctors(nested, spine, at, from, faults);
    if let Some(item) = nested.item() {
        branch(
            item,
            spine.item(),
            &at.child("items"),
            &from.child("items"),
            faults,
        );
    }
    let (at, from) = (at.child("properties"), from.child("properties"));
    for (name, property) in &nested.properties {
        branch(
            property,
            spine.property(name),
            &at.key(name),
            &from.key(name),
            faults,
        );
    }
}
