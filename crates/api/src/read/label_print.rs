//! Fingerprints of labels: one word says which labels an object certainly does not have. A selector passes over most objects of a list by
//! this word, without looking at their bytes.

use std::hash::{DefaultHasher, Hash, Hasher};

use kindsmith_json::Object;
use kindsmith_object::{LabelSelector, label_selector::Operator};

/// Set in every fingerprint; others are not known.
const KNOWN: u64 = 1 << 63;

/// With more values than this, looking at the labels is as fast.
const FEW: usize = 16;

/// The fingerprint of labels.
pub(crate) fn print(labels: Object<'_>) -> u64 {
    let labels = labels.iter();
    let bits =
        labels.map(|(key, value)| bits(key, None) | bits(key, Some(value.as_str().unwrap_or_default())));
    bits.fold(KNOWN, |all, bits| all | bits)
}

/// The bits of a key, or of a key with a value.
fn bits(key: &str, value: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key, value).hash(&mut hasher);
    let hash = hasher.finish();
    (1 << (hash % 63)) | (1 << ((hash >> 32) % 63))
}

/// What a selector wants to find in a fingerprint.
#[derive(Debug)]
pub(crate) struct Wanted(Vec<Vec<u64>>);

impl Wanted {
    pub(crate) fn new(selector: &LabelSelector) -> Self {
        let wanted = selector.requirements().iter();
        let wanted = wanted.filter_map(|requirement| {
            let key = requirement.key.as_str();
            match requirement.operator {
                Operator::In if requirement.values.len() <= FEW => {
                    let values = requirement.values.iter();
                    Some(values.map(|value| bits(key, Some(value))).collect())
                }
                Operator::Exists | Operator::Greater | Operator::Less | Operator::In => {
                    Some(vec![bits(key, None)])
                }
                Operator::NotIn | Operator::DoesNotExist | Operator::Unknown => None,
            }
        });
        Wanted(wanted.collect())
    }

    /// Whether labels with this fingerprint are certainly not selected.
    pub(crate) fn excludes(&self, print: u64) -> bool {
        let is_absent = |any: &Vec<u64>| any.iter().all(|bits| print & bits != *bits);
        print & KNOWN != 0 && self.0.iter().any(is_absent)
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, Value, parse_str};
    use kindsmith_object::label_selector::Requirement;

    use super::*;

    #[test]
    fn nothing_that_is_selected_is_excluded() {
        let arena = Arena::new();
        let mut excluded = 0;
        for number in 0..100 {
            let text = format!(r#"{{"app":"a{number}","tier":"t{}","n":"{number}"}}"#, number % 3);
            let labels = parse_str(&arena, arena.alloc_str(&text))
                .ok()
                .and_then(Value::as_object);
            let labels = labels.expect("an object");
            for (key, operator, values) in [
                ("app", Operator::In, vec!["a7", "a8"]),
                ("app", Operator::In, vec![]),
                ("tier", Operator::Exists, vec![]),
                ("none", Operator::Exists, vec![]),
                ("none", Operator::DoesNotExist, vec![]),
                ("tier", Operator::NotIn, vec!["t1"]),
                ("n", Operator::Greater, vec!["50"]),
                ("n", Operator::Unknown, vec![]),
            ] {
                let requirement = Requirement {
                    key: key.to_owned(),
                    operator,
                    values: values.into_iter().map(str::to_owned).collect(),
                };
                let selector = LabelSelector::new(vec![requirement]);
                let is_excluded = Wanted::new(&selector).excludes(print(labels));
                assert!(!(is_excluded && selector.matches(labels)), "{selector:?} {text}");
                assert!(!Wanted::new(&selector).excludes(0), "nothing is known");
                excluded += usize::from(is_excluded);
            }
        }
        assert!(excluded > 250, "{excluded} of about 300 that can be");
    }
}
