//! One fact about a field or type, in words.

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

/// A list of values: `1, 2 or 3`.
pub(super) fn choice(values: &[Json]) -> String {
    let texts: Vec<&str> = values.iter().map(Json::as_str).collect();
    match texts.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// A CEL rule in words.
pub(super) fn cel(expression: &str, message: Option<&str>, optional_old_self: bool) -> Fact {
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

/// Whether an expression uses the old value.
fn is_transition(expression: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    expression.match_indices("oldSelf").any(|(at, word)| {
        let before = expression[..at].chars().next_back();
        let after = expression[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}
