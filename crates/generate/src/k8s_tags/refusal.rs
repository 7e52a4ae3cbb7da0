//! Conditions under which an update rejects a value because it is new.

/// A condition under which a new value is rejected, and the message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) when: String,
    pub(crate) message: &'static str,
}

impl Refusal {
    /// Adds another condition.
    pub(crate) fn and(&self, other: &str) -> Self {
        let when = match &*self.when {
            ALWAYS => other.to_owned(),
            when => format!("{other} && ({when})"),
        };
        Self { when, ..*self }
    }
}

/// The conditions that reject an added value; `None` if CEL cannot express them.
pub(crate) type Refusals = Option<Vec<Refusal>>;

pub(crate) const ALWAYS: &str = "true";
pub(crate) const IMMUTABLE: &str = "field is immutable";

/// Combines refusals with the same message.
pub(crate) fn by_message(refused: Vec<Refusal>) -> Vec<Refusal> {
    let mut found: Vec<(&'static str, Vec<String>)> = Vec::new();
    for Refusal { when, message } in refused {
        match found.iter_mut().find(|(known, _)| *known == message) {
            Some((_, all)) if all.contains(&when) => {}
            Some((_, all)) => all.push(when),
            None => found.push((message, vec![when])),
        }
    }
    let joined = |(message, all): (&'static str, Vec<String>)| {
        let is_always = all.iter().any(|when| when == ALWAYS);
        let when = if is_always {
            ALWAYS.to_owned()
        } else {
            all.join(" || ")
        };
        Refusal { when, message }
    };
    found.into_iter().map(joined).collect()
}
