//! Label selectors: which labels an object must have (`labels.Selector` in apimachinery). Everything that selects by labels
//! asks here; the text form of the query `labelSelector` is parsed by its owner.

use kindsmith_gostd::strconv::parse_int;
use kindsmith_json::{Object, Value};

/// A label selector; an empty one selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

/// What must hold for the label of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The key.
    pub key: String,
    /// What must hold.
    pub operator: Operator,
    /// The values that the operator compares with.
    pub values: Vec<String>,
}

/// How the value of a label is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// It is one of the values.
    In,
    /// The label is missing, or its value is not listed.
    NotIn,
    /// There is such a label.
    Exists,
    /// There is no such label.
    DoesNotExist,
    /// It is a larger number than the only value.
    Greater,
    /// It is a smaller number than the only value.
    Less,
    /// Nothing that is known: never holds.
    Unknown,
}

impl LabelSelector {
    /// A selector of requirements, which all must hold.
    #[must_use]
    pub fn new(mut requirements: Vec<Requirement>) -> Self {
        for requirement in &mut requirements {
            requirement.values.sort_unstable();
        }
        LabelSelector { requirements }
    }

    /// Reads a `metav1.LabelSelector`.
    #[must_use]
    pub fn read(selector: Value<'_>) -> Self {
        let labels = selector.get("matchLabels").and_then(Value::as_object);
        let equal = labels.unwrap_or_default().iter().map(|(key, value)| Requirement {
            key: key.to_owned(),
            operator: Operator::In,
            values: value.as_str().map(str::to_owned).into_iter().collect(),
        });
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        let expressions = expressions.unwrap_or_default().iter();
        let expressions = expressions.map(|&expression| Requirement::read(expression));
        LabelSelector::new(equal.chain(expressions).collect())
    }

    /// What must hold, all of it.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Whether it selects everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Whether it selects these labels.
    #[must_use]
    pub fn matches(&self, labels: Object<'_>) -> bool {
        let mut requirements = self.requirements.iter();
        requirements.all(|requirement| requirement.holds(labels))
    }

    /// Whether it selects an object.
    #[must_use]
    pub fn selects(&self, object: Value<'_>) -> bool {
        self.is_empty() || self.matches(labels(object))
    }
}

/// The labels of an object.
#[must_use]
pub fn labels(object: Value<'_>) -> Object<'_> {
    let labels = object.lookup(&["metadata", "labels"]);
    labels.and_then(Value::as_object).unwrap_or_default()
}

impl Requirement {
    /// Reads a `metav1.LabelSelectorRequirement`.
    fn read(expression: Value<'_>) -> Self {
        let text = |key: &str| expression.get(key).and_then(Value::as_str).unwrap_or_default();
        let values = expression.get("values").and_then(Value::as_array);
        let values = values.unwrap_or_default().iter();
        Requirement {
            key: text("key").to_owned(),
            operator: match text("operator") {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                _ => Operator::Unknown,
            },
            values: values
                .filter_map(|value| value.as_str())
                .map(str::to_owned)
                .collect(),
        }
    }

    fn holds(&self, labels: Object<'_>) -> bool {
        let label = labels.get(&self.key);
        let label = label.map(|label| label.as_str().unwrap_or_default());
        // Sorted: a selector of a megabyte meets every object of a list.
        let is_value = |label: &str| {
            self.values
                .binary_search_by(|value| value.as_str().cmp(label))
                .is_ok()
        };
        let is_listed = || label.is_some_and(is_value);
        match self.operator {
            Operator::In => is_listed(),
            Operator::NotIn => !is_listed(),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
            Operator::Greater => self.compares(label, |label, bound| label > bound),
            Operator::Less => self.compares(label, |label, bound| label < bound),
            Operator::Unknown => false,
        }
    }

    fn compares(&self, label: Option<&str>, holds: impl Fn(i64, i64) -> bool) -> bool {
        let number = |text: &str| parse_int(text, 10, 64).ok();
        let bound = self.values.first().and_then(|text| number(text));
        matches!((label.and_then(number), bound), (Some(label), Some(bound)) if holds(label, bound))
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn check(selector: &str, labels: &str, expected: bool) {
        let arena = Arena::new();
        let selector = LabelSelector::read(parse_str(&arena, selector).expect("JSON"));
        let labels = parse_str(&arena, labels).expect("JSON");
        let labels = labels.as_object().expect("an object");
        assert_eq!(selector.matches(labels), expected, "{selector:?} {labels:?}");
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

    #[test]
    fn every_operator_has_its_meaning() {
        for (operator, absent, listed, other) in [
            ("In", false, true, false),
            ("NotIn", true, false, true),
            ("Exists", false, true, true),
            ("DoesNotExist", true, false, false),
            ("Sometimes", false, false, false),
        ] {
            let selector = format!(
                r#"{{"matchExpressions":[{{"key":"a","operator":"{operator}","values":["x","y"]}}]}}"#
            );
            check(&selector, "{}", absent);
            check(&selector, r#"{"a":"y"}"#, listed);
            check(&selector, r#"{"a":"z"}"#, other);
        }
    }
}
