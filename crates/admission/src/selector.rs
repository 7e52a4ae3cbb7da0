//! Label selectors (`metav1.LabelSelector`).

use kindsmith_json::{Object, Value};

use crate::configuration::text;

/// A label selector; an empty one matches everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

impl Selector {
    /// Reads a valid selector.
    #[must_use]
    pub fn read(value: Value<'_>) -> Self {
        let labels = value
            .get("matchLabels")
            .and_then(Value::as_object)
            .unwrap_or_default();
        let equal = labels.iter().map(|(key, value)| Requirement {
            key: key.to_owned(),
            operator: Operator::In,
            values: vec![value.as_str().unwrap_or_default().to_owned()],
        });
        let expressions = value.get("matchExpressions").and_then(Value::as_array);
        let expressions = expressions.unwrap_or_default().iter().map(|&expression| {
            let values = expression
                .get("values")
                .and_then(Value::as_array)
                .unwrap_or_default();
            Requirement {
                key: text(expression, "key"),
                operator: match &*text(expression, "operator") {
                    "In" => Operator::In,
                    "NotIn" => Operator::NotIn,
                    "Exists" => Operator::Exists,
                    _ => Operator::DoesNotExist,
                },
                values: values
                    .iter()
                    .filter_map(|value| value.as_str())
                    .map(str::to_owned)
                    .collect(),
            }
        });
        Selector {
            requirements: equal.chain(expressions).collect(),
        }
    }

    /// Whether it matches everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Whether it matches these labels.
    #[must_use]
    pub fn matches(&self, labels: Object<'_>) -> bool {
        self.requirements.iter().all(|wanted| {
            let given = labels.get(&wanted.key).and_then(Value::as_str);
            let is_listed = given.is_some_and(|given| wanted.values.iter().any(|value| value == given));
            match wanted.operator {
                Operator::In => is_listed,
                Operator::NotIn => !is_listed,
                Operator::Exists => given.is_some(),
                Operator::DoesNotExist => given.is_none(),
            }
        })
    }
}

/// The labels of an object.
pub(crate) fn labels<'a>(object: Value<'a>) -> Object<'a> {
    let labels = object.lookup(&["metadata", "labels"]);
    labels.and_then(Value::as_object).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn check(selector: &str, labels: &str, expected: bool) {
        let arena = Arena::new();
        let selector = Selector::read(parse_str(&arena, selector).expect("JSON"));
        let parsed = parse_str(&arena, labels).expect("JSON");
        let parsed = parsed.as_object().expect("an object");
        assert_eq!(selector.matches(parsed), expected, "{labels}");
    }

    #[test]
    fn every_requirement_counts() {
        let selector =
            r#"{"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"NotIn","values":["2"]}]}"#;
        check(selector, r#"{"a":"1"}"#, true);
        check(selector, r#"{"a":"1","b":"3"}"#, true);
        check(selector, r#"{"a":"1","b":"2"}"#, false);
        check(selector, r#"{"a":"2"}"#, false);
        check("{}", "{}", true);
    }
}
