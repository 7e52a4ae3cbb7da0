//! Fields that a CEL rule of a CRD misspells.

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_openapi::schema;

use crate::misspelled::meant_in_rule;

/// The field that was meant, if the rule at a place of a CRD names one that is not there.
pub(super) fn advice(definition: Value<'_>, rule: &PathBuf) -> Option<String> {
    let is_root = |step: &Step| matches!(step, Step::Field(name) if **name == *"openAPIV3Schema");
    let root = rule.steps().iter().position(is_root)?;
    let schema = rule.steps()[..=root].iter().try_fold(definition, Value::step)?;
    let (schema, _) = schema::read(schema).ok()?;
    let meant = meant_in_rule(&schema, rule);
    meant.first().map(|meant| format!("did you mean `{meant}`?"))
}
