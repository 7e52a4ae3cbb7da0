//! Which types are enumerations.

use kindsmith_schema::{Facet, Rule, Type};

/// Whether a type has named values: its constants are all its values, or a marker lists some of them.
#[must_use]
pub fn is_enumeration(ty: &Type) -> bool {
    let is_marked = ty.options.markers.iter().any(|(name, _)| &**name == "enum");
    !ty.constants.is_empty() && (is_marked || ty.rules.iter().any(lists_values))
}

/// Whether a rule only repeats the list of allowed values.
pub(super) fn lists_values(rule: &Rule) -> bool {
    rule.is_plain() && matches!(rule.facet, Facet::Enum | Facet::EnumValues(_))
}
