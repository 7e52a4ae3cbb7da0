//! Names that a CEL expression of a manifest misspells.

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_openapi::schema;

use crate::misspelled::{did_you_mean, meant_in_policy, meant_in_rule};

/// The members of policies, webhooks and device classes that are expressions.
const EXPRESSIONS: [&str; 3] = ["expression", "messageExpression", "valueExpression"];

/// What was meant, if the expression at a place of a manifest names what is not there.
pub(super) fn advice(manifest: Value<'_>, path: &PathBuf) -> Option<String> {
    let steps = path.steps();
    let is_root = |step: &Step| matches!(step, Step::Field(name) if **name == *"openAPIV3Schema");
    let Some(root) = steps.iter().position(is_root) else {
        return expression(manifest, path);
    };
    let schema = steps[..=root].iter().try_fold(manifest, Value::step)?;
    let (schema, _) = schema::read(schema).ok()?;
    did_you_mean(&meant_in_rule(&schema, path))
}

fn expression(manifest: Value<'_>, path: &PathBuf) -> Option<String> {
    let Some(Step::Field(name)) = path.steps().last() else {
        return None;
    };
    let text = manifest.follow(path)?.as_str()?;
    EXPRESSIONS
        .contains(&&**name)
        .then(|| did_you_mean(&meant_in_policy(text)))?
}
