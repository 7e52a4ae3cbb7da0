//! `+kubebuilder:validation:XValidation:rule=<cel>,message=<text>,…`: a CEL rule.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::Tag;
use kindsmith_schema::{CelRule, CelRuleReason, Facet};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("x_validation.md"),
    ..Tag::validation("kubebuilder:validation:XValidation", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::needed("rule", ArgumentType::Text),
    Argument::optional("message", ArgumentType::Text),
    Argument::optional("messageExpression", ArgumentType::Text),
    Argument::optional("reason", ArgumentType::Text),
    Argument::optional("fieldPath", ArgumentType::Text),
    Argument::optional("optionalOldSelf", ArgumentType::Bool),
]);

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let reason = match values.text("reason").unwrap_or_default() {
        "" => None,
        "FieldValueRequired" => Some(CelRuleReason::Required),
        "FieldValueInvalid" => Some(CelRuleReason::Invalid),
        "FieldValueForbidden" => Some(CelRuleReason::Forbidden),
        "FieldValueDuplicate" => Some(CelRuleReason::Duplicate),
        other => {
            return Err(Unfit::Value(format!(
                "invalid reason {other}, valid values are FieldValueRequired, FieldValueInvalid, FieldValueForbidden \
                 and FieldValueDuplicate"
            )));
        }
    };
    // In Go, absent arguments are empty text.
    let text = |name| values.text(name).filter(|text| !text.is_empty()).map(Into::into);
    Ok(Some(Facet::Cel(CelRule {
        rule: values.text("rule").unwrap_or_default().into(),
        message: text("message"),
        message_expression: text("messageExpression"),
        reason,
        field_path: text("fieldPath"),
        optional_old_self: values.bool("optionalOldSelf"),
    })))
}
