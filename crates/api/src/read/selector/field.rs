//! Field selectors: `metadata.name=a,spec.x!=b` (`fields.ParseSelector` in apimachinery). Knows no field by name.

/// A selector; an object matches if all terms hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSelector {
    /// The terms, sorted by text.
    pub(crate) terms: Vec<Term>,
}

/// Requires a field to be equal, or not equal, to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// The field.
    pub(crate) field: String,
    /// The value.
    pub(crate) value: String,
    /// Whether the field must differ from the value.
    pub(crate) is_negated: bool,
}

impl FieldSelector {
    /// Parses a selector; the error is Kubernetes' text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = split(text);
        parts.sort_unstable();
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let terms = parts.map(|part| {
            term(part)
                .unwrap_or_else(|| Err(format!("invalid selector: '{text}'; can't understand '{part}'")))
        });
        let mut terms = terms.collect::<Result<Vec<_>, _>>()?;
        // Such a term selects everything (`Transform`).
        terms.retain(|term| !term.field.is_empty() || !term.value.is_empty());
        Ok(FieldSelector { terms })
    }

    /// The selector of one object by name.
    pub(crate) fn of_name(name: &str) -> Self {
        FieldSelector {
            terms: vec![Term {
                field: "metadata.name".to_owned(),
                value: name.to_owned(),
                is_negated: false,
            }],
        }
    }

    /// Whether it selects everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The only value a field may have, if the selector requires one (`RequiresExactMatch`).
    pub(crate) fn exact(&self, field: &str) -> Option<&str> {
        let mut terms = self.terms.iter();
        let term = terms.find(|term| term.field == field && !term.is_negated);
        term.map(|term| term.value.as_str())
    }
}

/// The terms between unescaped commas.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut is_escaped) = (Vec::new(), 0, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ',' => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A term; `None` without an operator.
fn term(text: &str) -> Option<Result<Term, String>> {
    let at = (0..text.len()).find(|&at| {
        let rest = &text.as_bytes()[at..];
        rest.starts_with(b"!=") || rest.starts_with(b"=")
    })?;
    let (field, rest) = text.split_at(at);
    let operator = ["!=", "==", "="]
        .into_iter()
        .find(|operator| rest.starts_with(operator))?;
    Some(unescape(&rest[operator.len()..]).map(|value| Term {
        field: field.to_owned(),
        value,
        is_negated: operator == "!=",
    }))
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped @ ('\\' | ',' | '=')) => out.push(escaped),
                Some(other) => {
                    return Err(format!(
                        "invalid field selector: invalid escape sequence: \\{other}"
                    ));
                }
                None => return Err("invalid field selector: invalid escape sequence: \\".to_owned()),
            },
            // Go prints the number of the character.
            ',' | '=' => {
                let number = u32::from(character);
                return Err(format!(
                    "invalid field selector: unescaped character in value: {number}"
                ));
            }
            character => out.push(character),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_and_sorted() {
        let check = |text: &str, expected: &[(&str, &str, bool)]| {
            let selector = FieldSelector::parse(text).expect("the selector parses");
            let terms = selector.terms.iter();
            let terms: Vec<_> = terms
                .map(|term| (term.field.as_str(), term.value.as_str(), term.is_negated))
                .collect();
            assert_eq!(terms, expected, "{text}");
        };
        check("", &[]);
        check("b=1,a!=2,", &[("a", "2", true), ("b", "1", false)]);
        check("a==x", &[("a", "x", false)]);
        check(r"a=x\,y\=z\\", &[("a", r"x,y=z\", false)]);
        check("a=", &[("a", "", false)]);
        check("=,!=,==,a=b", &[("a", "b", false)]);
    }

    #[test]
    fn errors_are_upstreams() {
        let check = |text: &str, expected: &str| {
            assert_eq!(FieldSelector::parse(text), Err(expected.to_owned()), "{text}");
        };
        check("x", "invalid selector: 'x'; can't understand 'x'");
        check("a=b,x>1", "invalid selector: 'a=b,x>1'; can't understand 'x>1'");
        check(
            "a=b=c",
            "invalid field selector: unescaped character in value: 61",
        );
        check(r"a=\x", r"invalid field selector: invalid escape sequence: \x");
    }
}
