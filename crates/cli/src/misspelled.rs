//! Fields, functions and variables that rules misspell, with the ones that were probably meant.

use kindsmith::cel::Scope;
use kindsmith_cel::check::CheckFailure;
use kindsmith_cel::escape::escape;
use kindsmith_cel::eval::NAMES;
use kindsmith_cel::misspelled::misspelled;
use kindsmith_cel::types::decl::{Declarations, NodeShape};
use kindsmith_cel::validation_rule::{OLD_SELF, SELF, check_text};
use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::JsonSchema;

/// The variables of a rule of a CRD.
pub(crate) const RULE_VARIABLES: &[&str] = &[SELF, OLD_SELF];

/// The existing fields, functions and variables that misspelled ones of a rule were probably meant to be, for the path of an error in a CRD:
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
    let fields = errors
        .iter()
        .filter_map(|error| meant(error.unknown_field.as_deref()?, &scope.declarations));
    let names = misspelled(&rule.rule, RULE_VARIABLES);
    Some(fields.chain(names.into_iter().map(|name| name.meant)).collect())
}

/// What an expression of a policy, a webhook or a device class was probably meant to call or to name.
pub(crate) fn meant_in_policy(expression: &str) -> Vec<String> {
    let names = misspelled(expression, &NAMES);
    names.into_iter().map(|name| name.meant).collect()
}

/// `did you mean `startsWith`?`, or nothing.
pub(crate) fn did_you_mean(meant: &[String]) -> Option<String> {
    let mut words: Vec<String> = meant.iter().map(|word| format!("`{word}`")).collect();
    words.dedup();
    (!words.is_empty()).then(|| format!("did you mean {}?", words.join(", ")))
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
