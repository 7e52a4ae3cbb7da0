//! What the API server does with a field, in words: for `explain` and reference documentation.
//!
//! Knows rules and keywords, not layouts: a [`Fact`] is a label and a sentence part, in reading order.

mod enumeration;
mod facet;
mod fact;
mod format;
mod inherited;
mod keyword;
mod rule_words;
mod siblings;
mod types;

pub use enumeration::is_enumeration;
pub use fact::Fact;
pub use inherited::struct_facts;
pub use keyword::{Ratchet, keywords};
pub use rule_words::{rule, rules};
pub use siblings::Siblings;
pub use types::{Allowed, Default, Described, allowed, describe, members};

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

#[cfg(test)]
mod tests {
    use super::fact::cel;
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
