//! Pieces of CEL rules as text.

use kindsmith_schema::{ValidationRule, WithoutOld};

/// A CEL rule with a message.
pub(super) fn rule_of(rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        rule: rule.into(),
        message: message.trim().into(),
        ..ValidationRule::default()
    }
}

/// A rule that compares with the old value.
pub(super) fn transition_of(rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        without_old: WithoutOld::Dropped,
        ..rule_of(rule, message)
    }
}

/// controller-gen's rule for `immutable`, which does not see when a member is set.
pub(crate) fn immutable() -> ValidationRule {
    rule_of("self == oldSelf", "field is immutable")
}

/// The same, marked, so that it is not mistaken for an equal rule that a user wrote.
pub(crate) fn marked_immutable() -> ValidationRule {
    ValidationRule {
        without_old: WithoutOld::Immutable,
        ..immutable()
    }
}

/// A rule that is skipped while the values it checks are unchanged.
pub(crate) fn ratcheted(unchanged: &str, rule: &str, message: &str) -> ValidationRule {
    ValidationRule {
        optional_old_self: Some(true),
        without_old: WithoutOld::Plain(format!("({rule})").into()),
        ..rule_of(
            &format!("({rule}) || (oldSelf.hasValue() && {unchanged})"),
            message,
        )
    }
}

/// Text as a CEL literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for character in text.chars() {
        match character {
            '\\' | '\'' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// Variable names for nested macros.
pub(crate) fn variable(depth: usize) -> String {
    match depth {
        0 => "item".to_owned(),
        deeper => format!("item{}", deeper + 1),
    }
}
