//! Fields that rules misspell, with the ones that were probably meant.

use kindsmith::cel::Scope;
use kindsmith_cel::check::CheckFailure;
use kindsmith_cel::escape::escape;
use kindsmith_cel::types::decl::{Declarations, NodeShape};
use kindsmith_cel::validation_rule::check_text;
use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::JsonSchema;

/// The existing fields that misspelled ones of a rule were probably meant to be, for the path of an error in a CRD:
/// `….openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule`. The schema is the one at `openAPIV3Schema`.
pub(crate) fn meant_in_rule(schema: &JsonSchema, path: &PathBuf) -> Vec<String> {
    rule(schema, path).unwrap_or_default()
}

fn rule(schema: &JsonSchema, path: &PathBuf) -> Option<Vec<String>> {
    let name = |step: &Step, name: &str| matches!(step, Step::Field(field) if **field == *name);
    let steps = path.steps();
    let start = steps.iter().position(|step| name(step, "openAPIV3Schema"))? + 1;
    let end = steps
        .iter()
        .position(|step| name(step, "x-kubernetes-validations"))?;
    let Step::Index(index) = steps.get(end + 1)? else {
        return None;
    };
    let mut pointer = String::new();
    for step in steps.get(start..end)? {
        pointer.push('/');
        match step {
            Step::Field(name) | Step::Key(name) => {
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    let rule = schema.at(&pointer)?.validations.get(*index)?;
    let scope = Scope::new(schema, &pointer).ok()?;
    let optional_old = rule.optional_old_self.unwrap_or_default();
    let Err(CheckFailure::Errors(errors)) = check_text(&rule.rule, &scope.declarations, optional_old) else {
        return None;
    };
    let meant = errors
        .iter()
        .filter_map(|error| meant(error.unknown_field.as_deref()?, &scope.declarations));
    Some(meant.collect())
}

/// The existing field that a misspelled one was probably meant to be.
pub(crate) fn meant(name: &str, declarations: &Declarations) -> Option<String> {
    let mut fields = Vec::new();
    let mut waiting = vec![&declarations.root];
    while let Some(node) = waiting.pop() {
        waiting.extend(node.element());
        let NodeShape::Object(object) = &node.shape else {
            continue;
        };
        for (property, node) in object.properties.iter().filter(|(_, node)| node.visible) {
            waiting.push(node);
            fields.extend(escape(property));
        }
    }
    nearest_of(name, fields)
}
