//! What the API server does with a field, in words: for `explain` and reference documentation.
//!
//! Knows rules and keywords, not layouts: a [`Fact`] is a label and a sentence part, in reading order.

mod facet;
mod format;
mod inherited;
mod keyword;
mod rule;
mod siblings;
mod types;

pub use inherited::struct_facts;
pub use keyword::{Ratchet, keywords};
pub use rule::{rule, rules};
pub use siblings::Siblings;
pub use types::{Allowed, Default, Described, allowed, describe, is_enumeration, members};

use kindsmith_schema::Json;

/// One thing the server does with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// `default`, `bounds`, `length`, `rule`, `on update` …
    pub label: &'static str,
    /// The rest of the line.
    pub text: String,
}

impl Fact {
    /// A fact.
    pub fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self {
            label,
            text: text.into(),
        }
    }
}

/// Whether a comment marks something as deprecated: a paragraph that begins with `Deprecated:`, as in Go.
#[must_use]
pub(crate) fn is_deprecated(prose: &str) -> bool {
    const WORD: &str = "deprecated";
    let begins = |line: &str| {
        let line = line.trim_start();
        line.get(..WORD.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(WORD))
            && line[WORD.len()..].starts_with([':', '.'])
    };
    prose.lines().any(begins)
}

/// A range in words: `1 to 64`, `at least 1`, `at most 64`; `exactly 3` if both are equal.
fn range<T: std::fmt::Display + PartialEq>(least: Option<T>, most: Option<T>) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(format!("exactly {least}")),
        (Some(least), Some(most)) => Some(format!("{least} to {most}")),
        (Some(least), None) => Some(format!("at least {least}")),
        (None, Some(most)) => Some(format!("at most {most}")),
        (None, None) => None,
    }
}

/// A list of values: `1, 2 or 3`.
fn choice(values: &[Json]) -> String {
    let texts: Vec<&str> = values.iter().map(Json::as_str).collect();
    match texts.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Whether an expression uses the old value.
fn is_transition(expression: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    expression.match_indices("oldSelf").any(|(at, word)| {
        let before = expression[..at].chars().next_back();
        let after = expression[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// A CEL rule in words.
fn cel(expression: &str, message: Option<&str>, optional_old_self: bool) -> Fact {
    let expression = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    if expression == "self == oldSelf" || expression == "oldSelf == self" {
        let text = match message {
            Some(message) => format!("may not change ({message})"),
            None => "may not change".to_owned(),
        };
        return Fact::new("on update", text);
    }
    let label = if is_transition(&expression) && !optional_old_self {
        "on update"
    } else {
        "rule"
    };
    match message {
        Some(message) => {
            let message = message.trim_end_matches(['.', ':']);
            Fact::new(label, format!("{message}: `{expression}`"))
        }
        None => Fact::new(label, format!("`{expression}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_in_words() {
        assert_eq!(range(Some(1), Some(3)).as_deref(), Some("1 to 3"));
        assert_eq!(range(Some(2), Some(2)).as_deref(), Some("exactly 2"));
        assert_eq!(range(Some(1), None).as_deref(), Some("at least 1"));
        assert_eq!(range(None, Some(9)).as_deref(), Some("at most 9"));
        assert_eq!(range::<i64>(None, None), None);
    }

    #[test]
    fn transition_rules_are_recognized() {
        for (expression, label, text) in [
            ("self == oldSelf", "on update", "may not change"),
            ("self  ==\n oldSelf", "on update", "may not change"),
            ("self >= oldSelf", "on update", "`self >= oldSelf`"),
            ("self.oldSelfish > 1", "rule", "`self.oldSelfish > 1`"),
        ] {
            assert_eq!(cel(expression, None, false), Fact::new(label, text));
        }
    }
}
