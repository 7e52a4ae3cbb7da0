//! The markers of openapi-gen: `+name=value` in the oldest syntax, and the keys of `+k8s:validation:`.
//!
//! Same parts and errors as gengo `ExtractCommentTags` and kube-openapi `pkg/generators/markers.go`. Knows no
//! type.

use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_schema::Json;

/// A marker in the oldest syntax: the name is everything up to the first `=`, including blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldMarker<'a> {
    /// The name; may contain any characters.
    pub name: &'a str,
    /// Everything after the first `=`; empty if there is none.
    pub value: &'a str,
    /// Offset of the name in the line.
    pub name_at: usize,
    /// Offset of the value in the line.
    pub value_at: usize,
}

/// The marker on a line. Only blanks are trimmed, so a tab before the `+` hides it.
#[must_use]
pub fn old_marker(line: &str) -> Option<OldMarker<'_>> {
    let text = line.trim_matches(' ').strip_prefix('+')?;
    let name_at = line.len() - line.trim_start_matches(' ').len() + 1;
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    Some(OldMarker {
        name,
        value,
        name_at,
        value_at: (name_at + name.len() + 1).min(line.len()),
    })
}

/// The prefix of validation keys.
pub(crate) const VALIDATION_PREFIX: &str = "+k8s:validation:";

/// One validation: a path of keys and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// The key as written.
    pub key: String,
    /// Its segments.
    pub path: Vec<Segment>,
    /// The value; a key alone is `true`.
    pub value: Json,
    /// The first of its lines.
    pub line: usize,
}

/// One segment of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Name.
    pub name: String,
    /// Index in brackets.
    pub index: Option<usize>,
}

/// An error in the validations of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// openapi-gen's message, without its prefix.
    pub message: String,
    /// The line.
    pub line: usize,
}

/// The `+k8s:validation:` markers of a comment, and their errors. Takes all lines of the comment, because a
/// line in between separates two others.
#[must_use]
pub fn validations<'a>(lines: impl IntoIterator<Item = &'a str>) -> (Vec<Validation>, Vec<ValidationError>) {
    let mut reader = Reader::default();
    for (index, line) in lines.into_iter().enumerate() {
        reader.line(index, line);
    }
    reader.finish()
}

/// A key with its value as JSON text, before it is parsed.
struct Assigned {
    key: String,
    value: String,
    line: usize,
}

#[derive(Default)]
struct Reader {
    assigned: Vec<Assigned>,
    errors: Vec<ValidationError>,
    previous: Previous,
}

/// The state after the previous line.
#[derive(Default)]
struct Previous {
    key: String,
    array: Option<(String, usize)>,
}

impl Reader {
    fn line(&mut self, index: usize, line: &str) {
        let previous = std::mem::take(&mut self.previous);
        let Some(text) = line.trim_matches(' ').strip_prefix(VALIDATION_PREFIX) else {
            return;
        };
        let end = text.find(|c| !is_key(c)).unwrap_or(text.len());
        let (key, rest) = text.split_at(end);
        let known = self.assigned.iter().position(|assigned| assigned.key == key);
        match rest.chars().next() {
            Some('=') if known.is_some() => {
                return self.error(index, format!("cannot have multiple values for key '{key}'"));
            }
            Some('=') => self.assign(index, key, rest[1..].to_owned()),
            Some('>') => {
                let raw = rest[1..].trim_matches(' ');
                match known {
                    None => self.assign(index, key, quote(raw)),
                    Some(_) if previous.key != key => {
                        return self.error(
                            index,
                            format!("concatenations to key '{key}' must be consecutive with its assignment"),
                        );
                    }
                    Some(at) => self.continue_raw(at, raw),
                }
            }
            None => match known {
                None => self.assign(index, key, String::new()),
                Some(at) => self.assigned[at].value.clear(),
            },
            Some(_) => {
                return self.error(
                    index,
                    format!(
                        "invalid marker comment does not match expected `+key=<json formatted value>` pattern: {text}"
                    ),
                );
            }
        }
        self.previous.key = key.to_owned();
        self.subscript(index, text, key, &previous);
    }

    fn assign(&mut self, line: usize, key: &str, value: String) {
        self.assigned.push(Assigned {
            key: key.to_owned(),
            value,
            line,
        });
    }

    fn continue_raw(&mut self, at: usize, raw: &str) {
        let assigned = &mut self.assigned[at];
        let arena = Arena::new();
        let Ok(Value::Str(before)) = parse_str(&arena, &assigned.value) else {
            return;
        };
        assigned.value = quote(&format!("{before}\n{raw}"));
    }

    /// Indexes count up from zero, line by line.
    fn subscript(&mut self, line: usize, text: &str, key: &str, previous: &Previous) {
        let Ok(Some((array, index))) = subscript(key) else {
            return;
        };
        let before = previous.array.as_ref();
        let same_array = before.is_some_and(|(name, _)| name == array);
        let follows = match before {
            Some((_, last)) => index == last + 1 || index == *last,
            None => index == 0,
        };
        if (!same_array && index != 0) || !follows {
            self.error(
                line,
                format!("error parsing {text}: non-consecutive index {index} for key '{array}'"),
            );
        }
        self.previous.array = Some((array.to_owned(), index));
    }

    fn error(&mut self, line: usize, message: String) {
        self.errors.push(ValidationError { message, line });
    }

    fn finish(mut self) -> (Vec<Validation>, Vec<ValidationError>) {
        let mut validations = Vec::new();
        for assigned in std::mem::take(&mut self.assigned) {
            if assigned.key.is_empty() {
                self.error(
                    assigned.line,
                    "cannot have empty key for marker comment".to_owned(),
                );
                continue;
            }
            if !is_known(&assigned.key) || is_reference(&assigned.value) {
                continue;
            }
            match self.validation(&assigned) {
                Ok(validation) => validations.push(validation),
                Err(message) => self.error(assigned.line, message),
            }
        }
        self.errors.sort_by_key(|error| error.line);
        (validations, self.errors)
    }

    fn validation(&self, assigned: &Assigned) -> Result<Validation, String> {
        let value = match assigned.value.as_str() {
            "" => Json::from(true),
            text => Json::parse(text).map_err(|error| {
                format!("failed to parse value for key {} as JSON: {error}", assigned.key)
            })?,
        };
        let path = assigned.key.split(':').map(segment).collect::<Result<_, _>>()?;
        Ok(Validation {
            key: assigned.key.clone(),
            path,
            value,
            line: assigned.line,
        })
    }
}

fn segment(text: &str) -> Result<Segment, String> {
    match subscript(text) {
        Ok(None) => Ok(Segment {
            name: text.to_owned(),
            index: None,
        }),
        // Upstream would allocate an array of that length.
        Ok(Some((_, index))) if index > MAX_INDEX => {
            Err(format!("index {index} for key '{text}' is too large"))
        }
        Ok(Some((name, index))) => Ok(Segment {
            name: name.to_owned(),
            index: Some(index),
        }),
        Err(why) => Err(format!("error parsing subscript for key {text}: {why}")),
    }
}

/// No API has that many rules on one value.
const MAX_INDEX: usize = 10_000;

/// The leftmost index of a key, and the text before it.
fn subscript(key: &str) -> Result<Option<(&str, usize)>, String> {
    let Some((name, rest)) = key.split_once('[') else {
        return Ok(None);
    };
    let digits = rest.split(']').next().unwrap_or_default();
    if digits.is_empty() {
        return Err("empty subscript not allowed".to_owned());
    }
    match digits.parse::<i64>() {
        Ok(index) => usize::try_from(index)
            .map(|index| Some((name, index)))
            .map_err(|_| format!("subscript '{digits}' is invalid. index must be positive")),
        Err(_) => Err(format!("expected integer index in key {key}")),
    }
}

/// The first segments that openapi-gen supports; others are ignored.
pub(crate) const VALIDATION_KEYS: [&str; 20] = [
    "nullable",
    "format",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
    "items",
    "properties",
    "additionalProperties",
    "cel",
];

fn is_known(key: &str) -> bool {
    let first = key.split([':', '[']).find(|part| !part.is_empty());
    first.is_some_and(|first| VALIDATION_KEYS.contains(&first))
}

/// Whether a value is `ref(...)`: a reference to a Go symbol.
#[must_use]
pub fn is_reference(value: &str) -> bool {
    reference(value).is_some()
}

/// The target of `ref(...)`.
#[must_use]
pub fn reference(value: &str) -> Option<&str> {
    let inner = value.strip_prefix("ref(")?.strip_suffix(')')?;
    (!inner.is_empty() && !inner.contains(['"', '\n'])).then_some(inner)
}

fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '[' | ']' | '-')
}

fn quote(text: &str) -> String {
    to_string(Value::Str(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expected: &[(&str, &str)], errors: &[&str]) {
        let lines = comment.split('\n').map(str::trim);
        let (found, complaints) = validations(lines);
        let found: Vec<_> = found.iter().map(|v| (v.key.as_str(), v.value.as_str())).collect();
        assert_eq!(found, expected, "{comment}");
        let complaints: Vec<_> = complaints.iter().map(|e| e.message.as_str()).collect();
        assert_eq!(complaints, errors, "{comment}");
    }

    #[test]
    fn old_names_end_at_the_equals_sign() {
        let name = |line| old_marker(line).map(|marker| (marker.name, marker.value));
        assert_eq!(name(" +listType=map"), Some(("listType", "map")));
        assert_eq!(name("+optional # note"), Some(("optional # note", "")));
        assert_eq!(name("+default(x)=1"), Some(("default(x)", "1")));
        assert_eq!(name("\t+optional"), None);
        assert_eq!(name("text"), None);
        let marker = old_marker("  +a=b").expect("a marker");
        assert_eq!((marker.name_at, marker.value_at), (3, 5));
    }

    #[test]
    fn values_are_json() {
        check("+k8s:validation:maxLength=5", &[("maxLength", "5")], &[]);
        check("+k8s:validation:uniqueItems", &[("uniqueItems", "true")], &[]);
        check("+k8s:validation:other=oak\n+listType=map", &[], &[]);
        check("+k8s:validation:maximum=ref(Limit)", &[], &[]);
        check(
            "+k8s:validation:cel[0]:rule>self > 0\n+k8s:validation:cel[0]:rule>&& true",
            &[("cel[0]:rule", r#""self > 0\n&& true""#)],
            &[],
        );
    }

    #[test]
    fn paths_have_segments_and_indexes() {
        let (found, _) = validations(["+k8s:validation:items:cel[0]:rule=\"true\""]);
        let path: Vec<_> = found[0].path.iter().map(|s| (s.name.as_str(), s.index)).collect();
        assert_eq!(path, [("items", None), ("cel", Some(0)), ("rule", None)]);
    }

    #[test]
    fn errors_have_upstreams_messages() {
        check(
            "+k8s:validation:maxLength=five",
            &[],
            &[
                "failed to parse value for key maxLength as JSON: invalid character 'i' in literal false (expecting 'a')",
            ],
        );
        check(
            "+k8s:validation:=5",
            &[],
            &["cannot have empty key for marker comment"],
        );
        check(
            "+k8s:validation:cel[1]:rule=\"true\"\n+k8s:validation:cel[1]:message=\"m\"",
            &[("cel[1]:rule", "\"true\""), ("cel[1]:message", "\"m\"")],
            &["error parsing cel[1]:rule=\"true\": non-consecutive index 1 for key 'cel'"],
        );
        check(
            "+k8s:validation:maxLength=1\n+k8s:validation:maxLength=2",
            &[("maxLength", "1")],
            &["cannot have multiple values for key 'maxLength'"],
        );
        check(
            "+k8s:validation:cel[0]:rule>a\n+k8s:validation:cel[0]:message=\"m\"\n+k8s:validation:cel[0]:rule>b",
            &[("cel[0]:rule", "\"a\""), ("cel[0]:message", "\"m\"")],
            &["concatenations to key 'cel[0]:rule' must be consecutive with its assignment"],
        );
        check(
            "+k8s:validation:a b",
            &[],
            &["invalid marker comment does not match expected `+key=<json formatted value>` pattern: a b"],
        );
    }

    proptest::proptest! {
        #[test]
        fn no_comment_panics(comment in "(\\+k8s:validation:[a-z:\\[\\]0-9=>\" -]{0,20}\n?){0,4}") {
            _ = validations(comment.split('\n'));
        }
    }
}
