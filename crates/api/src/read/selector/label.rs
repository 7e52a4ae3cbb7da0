//! The text form of label selectors: `app in (a,b),!old` (`labels.Parse` in apimachinery).

use std::collections::BTreeSet;

use kindsmith_formats::format;
use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv::parse_int;
use kindsmith_object::label_selector::{Operator, Requirement};
use kindsmith_object::meta::older_label_words;
use kindsmith_object::{LabelSelector, Release};
use kindsmith_request::aggregate;

use super::lexer::{Token, words};

/// Parses a selector; the error is the text of a release of Kubernetes.
pub(crate) fn parse(text: &str, release: Release) -> Result<LabelSelector, String> {
    let mut parser = Parser {
        words: words(text),
        at: 0,
        release,
    };
    let mut requirements = parser.selector()?;
    requirements.sort_by(|left, right| left.key.cmp(&right.key));
    Ok(LabelSelector::new(requirements))
}

struct Parser<'t> {
    words: Vec<(Token, &'t str)>,
    at: usize,
    release: Release,
}

impl<'t> Parser<'t> {
    fn selector(&mut self) -> Result<Vec<Requirement>, String> {
        let mut requirements = Vec::new();
        loop {
            match self.peek_value() {
                (Token::Identifier | Token::Not, _) => {}
                (Token::End, _) => return Ok(requirements),
                (_, word) => {
                    return Err(format!(
                        "found '{word}', expected: !, identifier, or 'end of string'"
                    ));
                }
            }
            let requirement = self.requirement();
            requirements.push(requirement.map_err(|error| format!("unable to parse requirement: {error}"))?);
            match self.take() {
                (Token::End, _) => return Ok(requirements),
                (Token::Comma, _) => match self.peek_value() {
                    (Token::Identifier | Token::Not, _) => {}
                    (_, word) => return Err(format!("found '{word}', expected: identifier after ','")),
                },
                (_, word) => return Err(format!("found '{word}', expected: ',' or 'end of string'")),
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let mut word = self.take_value();
        let is_negated = word.0 == Token::Not;
        if is_negated {
            word = self.take_value();
        }
        let (Token::Identifier, key) = word else {
            return Err(format!("found '{}', expected: identifier", word.1));
        };
        if let Some(error) = check("k8s-label-key", "<nil>", key, self.release) {
            return Err(error);
        }
        let stands_alone = matches!(self.peek_value().0, Token::End | Token::Comma);
        let (operator, values) = match (is_negated, stands_alone) {
            // The caller rejects whatever follows a negated key.
            (true, _) => (Operator::DoesNotExist, BTreeSet::new()),
            (false, true) => (Operator::Exists, BTreeSet::new()),
            (false, false) => self.restriction()?,
        };
        let values = values.into_iter().map(str::to_owned).collect();
        checked(key, operator, values, self.release)
    }

    fn restriction(&mut self) -> Result<(Operator, BTreeSet<&'t str>), String> {
        let (token, word) = self.take();
        let operator = match token {
            Token::In => return Ok((Operator::In, self.values()?)),
            Token::NotIn => return Ok((Operator::NotIn, self.values()?)),
            Token::Equals | Token::DoubleEquals => Operator::In,
            Token::NotEquals => Operator::NotIn,
            Token::Greater => Operator::Greater,
            Token::Less => Operator::Less,
            _ => return Err(format!("found '{word}', expected: in, notin, =, ==, !=, gt, lt")),
        };
        Ok((operator, self.exact_value()?))
    }

    fn exact_value(&mut self) -> Result<BTreeSet<&'t str>, String> {
        if matches!(self.peek_value().0, Token::End | Token::Comma) {
            return Ok(BTreeSet::from([""]));
        }
        match self.take_value() {
            (Token::Identifier, value) => Ok(BTreeSet::from([value])),
            (_, word) => Err(format!("found '{word}', expected: identifier")),
        }
    }

    fn values(&mut self) -> Result<BTreeSet<&'t str>, String> {
        let (token, word) = self.take_value();
        if token != Token::Open {
            return Err(format!("found '{word}' expected: '('"));
        }
        match self.peek_value() {
            (Token::Identifier | Token::Comma, _) => {
                let values = self.value_list()?;
                self.take_value();
                Ok(values)
            }
            (Token::Close, _) => {
                self.take_value();
                Ok(BTreeSet::from([""]))
            }
            (_, word) => Err(format!("found '{word}', expected: ',', ')' or identifier")),
        }
    }

    /// The values up to the closing parenthesis; values may be empty.
    fn value_list(&mut self) -> Result<BTreeSet<&'t str>, String> {
        let mut values = BTreeSet::new();
        loop {
            match self.take_value() {
                (Token::Identifier, value) => {
                    values.insert(value);
                    match self.peek_value() {
                        (Token::Comma, _) => {}
                        (Token::Close, _) => return Ok(values),
                        (_, word) => return Err(format!("found '{word}', expected: ',' or ')'")),
                    }
                }
                (Token::Comma, _) => {
                    let next = self.peek_value().0;
                    if values.is_empty() || matches!(next, Token::Close | Token::Comma) {
                        values.insert("");
                    }
                    if next == Token::Close {
                        return Ok(values);
                    }
                }
                (_, word) => return Err(format!("found '{word}', expected: ',', or identifier")),
            }
        }
    }

    fn peek(&self) -> (Token, &'t str) {
        self.words.get(self.at).copied().unwrap_or((Token::End, ""))
    }

    /// The next token, where `in` and `notin` may also be keys or values.
    fn peek_value(&self) -> (Token, &'t str) {
        match self.peek() {
            (Token::In | Token::NotIn, word) => (Token::Identifier, word),
            word => word,
        }
    }

    fn take(&mut self) -> (Token, &'t str) {
        let word = self.peek();
        self.at += 1;
        word
    }

    fn take_value(&mut self) -> (Token, &'t str) {
        let word = self.peek_value();
        self.at += 1;
        word
    }
}

/// Validates the key and values of a requirement (`NewRequirement`).
fn checked(
    key: &str,
    operator: Operator,
    values: Vec<String>,
    release: Release,
) -> Result<Requirement, String> {
    let mut errors = Vec::new();
    if matches!(operator, Operator::Greater | Operator::Less) {
        for (index, value) in values.iter().enumerate() {
            if parse_int(value, 10, 64).is_err() {
                let value = quote(value);
                errors.push(format!("values[{index}]: Invalid value: {value}: for 'Gt', 'Lt' operators, the value must be an integer"));
            }
        }
    }
    for (index, value) in values.iter().enumerate() {
        errors.extend(check(
            "k8s-label-value",
            &format!("values[{index}][{key}]"),
            value,
            release,
        ));
    }
    if !errors.is_empty() {
        return Err(aggregate(errors));
    }
    Ok(Requirement {
        key: key.to_owned(),
        operator,
        values,
    })
}

/// The field error for text that does not match a format.
fn check(format: &str, path: &str, text: &str, release: Release) -> Option<String> {
    let mut details = Vec::new();
    if let Some(format) = format::find(format) {
        (format.check)(text, &mut |violation| {
            let older = older_label_words(release, &violation.detail);
            details.push(older.unwrap_or(violation.detail));
        });
    }
    if details.is_empty() {
        return None;
    }
    Some(format!(
        "{path}: Invalid value: {}: {}",
        quote(text),
        details.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn selectors_match_labels() {
        let check = |selector: &str, labels: &str, expected: bool| {
            let arena = Arena::new();
            let text = format!(r#"{{"metadata":{{"labels":{labels}}}}}"#);
            let object = parse_str(&arena, &text).expect("the labels are JSON");
            let selector = parse(selector, Release::NEWEST).expect("the selector parses");
            assert_eq!(selector.selects(object), expected, "{selector:?} {labels}");
        };
        let labels = r#"{"app":"x","num":"5","empty":""}"#;
        for (selector, expected) in [
            ("", true),
            ("app", true),
            ("!app", false),
            ("other", false),
            ("!other", true),
            ("app=x", true),
            ("app == y", false),
            ("app!=y", true),
            ("other!=y", true),
            ("app in (x,y)", true),
            ("app notin (x)", false),
            ("other notin (x)", true),
            ("in", false),
            ("app in (in)", false),
            ("empty=", true),
            ("empty in ()", true),
            ("empty in (a,)", true),
            ("app in (,x)", true),
            ("num>4", true),
            ("num<5", false),
            ("app>1", false),
            ("app=x,num=5,!other", true),
            (" app = x , num ", true),
        ] {
            check(selector, labels, expected);
        }
    }

    #[test]
    fn errors_are_upstreams() {
        let check = |selector: &str, expected: &str| {
            assert_eq!(
                parse(selector, Release::NEWEST),
                Err(expected.to_owned()),
                "{selector}"
            );
        };
        let requirement = "unable to parse requirement: ";
        for (selector, expected) in [
            (
                "=x",
                "found '=', expected: !, identifier, or 'end of string'".to_owned(),
            ),
            ("a,", "found '', expected: identifier after ','".to_owned()),
            ("a,,b", "found ',', expected: identifier after ','".to_owned()),
            ("a=b c", "found 'c', expected: ',' or 'end of string'".to_owned()),
            (
                "a b",
                format!("{requirement}found 'b', expected: in, notin, =, ==, !=, gt, lt"),
            ),
            ("a in b", format!("{requirement}found 'b' expected: '('")),
            ("a in (b", format!("{requirement}found '', expected: ',' or ')'")),
            (
                "a in (",
                format!("{requirement}found '', expected: ',', ')' or identifier"),
            ),
            (
                "a in (=)",
                format!("{requirement}found '=', expected: ',', ')' or identifier"),
            ),
            ("a=(b)", format!("{requirement}found '(', expected: identifier")),
            ("!", format!("{requirement}found '', expected: identifier")),
            ("!a=b", "found '=', expected: ',' or 'end of string'".to_owned()),
            (
                "a>b",
                format!(
                    "{requirement}values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer"
                ),
            ),
            (
                "/x=y",
                format!("{requirement}<nil>: Invalid value: \"/x\": prefix part must be non-empty"),
            ),
        ] {
            check(selector, &expected);
        }
    }
}
