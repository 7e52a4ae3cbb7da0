//! Bad values that are structs: the JSON that Go prints for the API server's internal types.
//!
//! These types have no JSON tags: keys are Go names in declaration order, nothing is left out, `nil` is
//! `null`.

use kindsmith_json::write::{Escape, Format};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{JsonSchema, ValidationRule};

use super::internal::InternalConversion;
use super::types::{Names, Version};
use crate::List;
use crate::record::{Form, Making, Member};

/// Prints a schema.
#[must_use]
pub fn print_schema(schema: &JsonSchema) -> String {
    print(schema)
}

/// Prints a rule of `x-kubernetes-validations`.
///
/// ```
/// # use kindsmith_schema::ValidationRule;
/// let rule = ValidationRule { rule: "self > 1".into(), ..ValidationRule::default() };
/// assert_eq!(
///     kindsmith_openapi::crd::print_rule(&rule),
///     r#"{"Rule":"self \u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}"#
/// );
/// ```
#[must_use]
pub fn print_rule(rule: &ValidationRule) -> String {
    print(rule)
}

/// Prints the versions of a CRD in the internal form.
#[must_use]
pub fn print_versions(versions: &List<Version>) -> String {
    print(versions)
}

/// Prints the names of a CRD.
#[must_use]
pub fn print_names(names: &Names) -> String {
    print(names)
}

/// Prints a conversion in the internal form.
#[must_use]
pub fn print_conversion(conversion: &InternalConversion) -> String {
    print(conversion)
}

fn print(member: &dyn Member) -> String {
    let arena = Arena::new();
    let value: Value<'_> = member.value(&Making::new(&arena, Form::Go));
    Format::default().escape(Escape::Html).to_string(value)
}
