//! `enum`: compares values with Go's conversions. Does not know the other keywords.

use kindsmith_gostd::float;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_schema::{Json, Str};

use super::number::cut;
use kindsmith_json::is_same_key;
use kindsmith_object::go_value;

/// Up to this many strings are compared linearly.
const FEW: usize = 12;

/// The allowed values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Enumeration {
    members: Box<[Member]>,
    /// The strings among them, sorted.
    texts: Box<[Str]>,
}

/// One allowed value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Member {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a float.
    Float(u64),
    Text(Str),
    /// A list or an object.
    Compound(Json),
}

impl Enumeration {
    pub(super) fn new(values: &[Json]) -> Self {
        let members: Box<[Member]> = values.iter().map(Member::new).collect();
        let mut texts: Vec<Str> = members
            .iter()
            .filter_map(|member| match member {
                Member::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        texts.sort_unstable();
        Self {
            members,
            texts: texts.into(),
        }
    }

    /// Whether the value is allowed (`basicCommonValidator.Validate` in kube-openapi, validate/validator.go).
    /// A value is first converted to the Go type of the enum's value, if Go can; `null` is never allowed, not
    /// even when listed.
    pub(super) fn allows(&self, value: Value<'_>) -> bool {
        match value {
            Value::Null => false,
            Value::Str(text) => self.has_text(text),
            Value::Bool(truth) => self.members.contains(&Member::Bool(truth)),
            Value::Int(int) => self.allows_int(int),
            Value::Uint(int) => self.allows_float(int as f64),
            Value::Float(float) => self.allows_float(float),
            Value::Array(_) | Value::Object(_) => self.members.iter().any(|member| match member {
                Member::Compound(json) => untyped(json, &Arena::new()) == value,
                _ => false,
            }),
        }
    }

    fn has_text(&self, text: &str) -> bool {
        if self.texts.len() <= FEW {
            return self.texts.iter().any(|known| is_same_key(known, text));
        }
        self.texts.binary_search_by(|known| (**known).cmp(text)).is_ok()
    }

    fn allows_int(&self, int: i64) -> bool {
        // Go converts an integer to a string by reading it as a code point.
        let code_point = || {
            let found = u32::try_from(int).ok().and_then(char::from_u32);
            found.unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        let same = |member: &Member| match member {
            Member::Int(known) => *known == int,
            Member::Float(bits) => f64::from_bits(*bits) == int as f64,
            _ => false,
        };
        self.members.iter().any(same)
            || (!self.texts.is_empty() && self.has_text(code_point().encode_utf8(&mut [0; 4])))
    }

    fn allows_float(&self, float: f64) -> bool {
        self.members.iter().any(|member| match member {
            Member::Int(known) => *known == cut(float),
            Member::Float(bits) => f64::from_bits(*bits) == float,
            _ => false,
        })
    }

    /// Memory in bytes outside of itself.
    pub(super) fn memory(&self) -> usize {
        let content = |member: &Member| match member {
            Member::Text(text) => text.len(),
            Member::Compound(json) => json.as_str().len(),
            _ => 0,
        };
        size_of_val(&*self.members)
            + size_of_val(&*self.texts)
            + self.members.iter().map(content).sum::<usize>()
    }

    /// The values as messages list them.
    pub(super) fn shown(&self) -> Vec<Str> {
        self.members.iter().map(Member::shown).collect()
    }

    /// The list as `%v` prints it, by which errors are compared.
    pub(super) fn printed(&self) -> String {
        let members: Vec<String> = self.members.iter().map(Member::printed).collect();
        members.join(" ")
    }
}

impl Member {
    fn new(json: &Json) -> Self {
        let arena = Arena::new();
        match untyped(json, &arena) {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(truth),
            Value::Int(int) => Self::Int(int),
            Value::Uint(int) => Self::Float((int as f64).to_bits()),
            Value::Float(float) => Self::Float(float.to_bits()),
            Value::Str(text) => Self::Text(text.into()),
            Value::Array(_) | Value::Object(_) => Self::Compound(json.clone()),
        }
    }

    fn shown(&self) -> Str {
        match self {
            Self::Null => "null".into(),
            Self::Bool(truth) => truth.to_string().into(),
            Self::Int(int) => int.to_string().into(),
            Self::Float(bits) => float::format_f64_json(f64::from_bits(*bits))
                .unwrap_or_default()
                .into(),
            Self::Text(text) => text.clone(),
            Self::Compound(json) => go_value::json(untyped(json, &Arena::new())).into(),
        }
    }

    fn printed(&self) -> String {
        match self {
            Self::Null => "<nil>".into(),
            Self::Float(bits) => float::format_f64(f64::from_bits(*bits)),
            Self::Compound(json) => go_value::printed(untyped(json, &Arena::new())),
            _ => self.shown().to_string(),
        }
    }
}

/// The value in untyped form: integers beyond signed 64 bits are floats.
fn untyped<'a>(json: &'a Json, arena: &'a Arena) -> Value<'a> {
    parse_str(arena, json.as_str()).expect("the text was made by the JSON writer")
}
