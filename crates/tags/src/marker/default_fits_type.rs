//! Whether a Go type can hold a JSON value.
//!
//! The generators do not check this; their output does not compile, fails at run time, or is rejected by the
//! API server.

use kindsmith_json::{Kind as JsonKind, Value, to_string};
use kindsmith_schema::{Facet, Limit, Rule, Scalar, TypeId, TypeRef, View, WellKnown};

/// Why a value does not fit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// Our own message, with the path of the part that does not fit.
    pub(super) message: String,
    /// Whether Go cannot even decode it.
    pub(super) hard: bool,
}

/// Deeper values are not checked.
const MAX_DEPTH: usize = 64;

/// The parts of a value that do not fit.
pub(super) fn misfits(view: View<'_>, of: &TypeRef, value: Value<'_>) -> Vec<Misfit> {
    let mut fit = Fit {
        view,
        path: String::new(),
        found: Vec::new(),
    };
    fit.check(of, value, MAX_DEPTH);
    fit.found
}

/// Why a default does not fit its type, if it does not.
pub(crate) fn default_problem(view: View<'_>, of: &TypeRef, value: Value<'_>) -> Option<String> {
    misfits(view, of, value)
        .into_iter()
        .next()
        .map(|misfit| misfit.message)
}

struct Fit<'a> {
    view: View<'a>,
    path: String,
    found: Vec<Misfit>,
}

impl Fit<'_> {
    fn say(&mut self, what: &str, hard: bool) {
        let message = if self.path.is_empty() {
            format!("the default {what}")
        } else {
            format!("the default's `{}` {what}", self.path.trim_start_matches('.'))
        };
        self.found.push(Misfit { message, hard });
    }

    fn check(&mut self, of: &TypeRef, value: Value<'_>, depth: usize) {
        // Go ignores null for every type.
        if depth == 0 || value.is_null() {
            return;
        }
        if let Some(known) = self.well_known(of) {
            return self.check_well_known(known, value);
        }
        if self.decodes_itself(of) {
            return;
        }
        let view = self.view;
        match view.underlying(of) {
            TypeRef::Scalar(scalar) => self.check_scalar(*scalar, value),
            TypeRef::Pointer(inner) => self.check(inner, value, depth - 1),
            TypeRef::List(inner) => match (view.scalar(inner), value) {
                (Some(Scalar::Byte | Scalar::Uint8), Value::Str(_)) => {}
                (_, Value::Array(items)) => self.check_items(inner, items, depth),
                _ => self.wrong_kind("a list", value),
            },
            TypeRef::Array(_, inner) => match value {
                Value::Array(items) => self.check_items(inner, items, depth),
                _ => self.wrong_kind("a list", value),
            },
            TypeRef::Map(_, inner) => match value {
                Value::Object(object) => {
                    for entry in object.entries() {
                        self.inside(&format!("[{}]", entry.key), |fit| {
                            fit.check(inner, entry.value, depth - 1);
                        });
                    }
                }
                _ => self.wrong_kind("an object", value),
            },
            TypeRef::Named(_) => self.check_struct(of, value, depth),
            TypeRef::Any { .. } | TypeRef::Interface | TypeRef::Unsupported { .. } => {}
        }
    }

    fn inside(&mut self, step: &str, check: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        self.path.push_str(step);
        check(self);
        self.path.truncate(before);
    }

    fn wrong_kind(&mut self, wanted: &str, value: Value<'_>) {
        let found = match value.kind() {
            JsonKind::Array => "a list",
            JsonKind::Object => "an object",
            JsonKind::String => "a string",
            JsonKind::Number => "a number",
            JsonKind::Bool => "a boolean",
            JsonKind::Null => "null",
        };
        self.say(&format!("must be {wanted}, not {found}"), true);
    }

    fn check_items(&mut self, inner: &TypeRef, items: &[Value<'_>], depth: usize) {
        for (index, item) in items.iter().enumerate() {
            self.inside(&format!("[{index}]"), |fit| fit.check(inner, *item, depth - 1));
        }
    }

    fn check_struct(&mut self, of: &TypeRef, value: Value<'_>, depth: usize) {
        let Some((_, fields)) = self.view.members(of) else {
            return;
        };
        let Value::Object(object) = value else {
            return self.wrong_kind("an object", value);
        };
        for entry in object.entries() {
            // Go ignores the case of names.
            let same = |name: &str| name == entry.key || name.eq_ignore_ascii_case(entry.key);
            let member = fields.iter().find(|field| field.json_name().is_some_and(same));
            match member {
                Some(field) if field.json.string => {}
                Some(field) => {
                    let step = format!(".{}", entry.key);
                    self.inside(&step, |fit| fit.check(&field.ty, entry.value, depth - 1));
                }
                // Inlined structs are not followed.
                None if fields.iter().any(kindsmith_schema::Field::is_inline) => {}
                None => self.say(
                    &format!("has a member `{}` that the struct has not", entry.key),
                    false,
                ),
            }
        }
    }

    fn check_scalar(&mut self, scalar: Scalar, value: Value<'_>) {
        match (scalar, value.kind()) {
            (Scalar::Bool, JsonKind::Bool) | (Scalar::String, JsonKind::String) => {}
            (Scalar::Float32 | Scalar::Float64, JsonKind::Number) => {}
            (Scalar::Bool, _) => self.wrong_kind("a boolean", value),
            (Scalar::String, _) => self.wrong_kind("a string", value),
            (_, JsonKind::Number) => {
                let (low, high) = scalar.range().unwrap_or((i128::MIN, i128::MAX));
                match whole(value) {
                    None => self.say(&format!("must be an integer, not {}", to_string(value)), true),
                    Some(number) if number < low || number > high => {
                        self.say(
                            &format!("{number} is out of the range of {}", scalar.name()),
                            true,
                        );
                    }
                    Some(_) => {}
                }
            }
            _ => self.wrong_kind("a number", value),
        }
    }

    fn check_well_known(&mut self, known: WellKnown, value: Value<'_>) {
        let kind = value.kind();
        match known {
            WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime | WellKnown::Duration
                if kind != JsonKind::String =>
            {
                self.wrong_kind("a string", value);
            }
            WellKnown::Quantity if !matches!(kind, JsonKind::String | JsonKind::Number) => {
                self.wrong_kind("a string or a number", value);
            }
            WellKnown::IntOrString => {
                if kind == JsonKind::Number && whole(value).is_none() {
                    self.say("must be an integer or a string", true);
                } else if !matches!(kind, JsonKind::String | JsonKind::Number) {
                    self.wrong_kind("an integer or a string", value);
                }
            }
            WellKnown::GoDuration => self.check_scalar(Scalar::Int64, value),
            _ => {}
        }
    }

    fn well_known(&self, of: &TypeRef) -> Option<WellKnown> {
        match self.view.unalias(of) {
            TypeRef::Named(id) => self.view.ty(*id).well_known,
            _ => None,
        }
    }

    fn decodes_itself(&self, of: &TypeRef) -> bool {
        self.inherits_decoder(of, &mut Vec::new())
    }

    fn inherits_decoder(&self, of: &TypeRef, seen: &mut Vec<TypeId>) -> bool {
        let TypeRef::Named(id) = self.view.unalias(of) else {
            return false;
        };
        if seen.contains(id) {
            return false;
        }
        seen.push(*id);
        let ty = self.view.ty(*id);
        let mut embedded = ty.fields().iter().filter(|field| field.embedded);
        ty.has_method("UnmarshalJSON")
            || ty.has_method("UnmarshalText")
            || embedded.any(|field| self.inherits_decoder(self.view.deref(&field.ty), seen))
    }
}

/// The integer value of a number without a fraction.
fn whole(value: Value<'_>) -> Option<i128> {
    match value {
        Value::Int(number) => Some(number.into()),
        Value::Uint(number) => Some(number.into()),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => Some(number as i128),
        _ => None,
    }
}

/// The rules of a field or type that the value breaks, in our own words.
pub(super) fn broken(rules: &[&Rule], constants: Option<&[&str]>, value: Value<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let arena = kindsmith_json::Arena::new();
    let length = value.as_str().map(|text| text.chars().count() as i64);
    let count = value.as_array().map(|items| items.len() as i64);
    for rule in rules.iter().filter(|rule| rule.is_plain()) {
        let number = |limit: &Limit| match limit {
            Limit::Number(json) => json.value(&arena).as_f64(),
            Limit::Field(_) => None,
        };
        let shown = to_string(value);
        match &rule.facet {
            Facet::Maximum(bound) if over(value.as_f64(), number(&bound.limit), f64::gt) => {
                found.push(format!("the default {shown} is above the maximum"));
            }
            Facet::Minimum(bound) if over(value.as_f64(), number(&bound.limit), f64::lt) => {
                found.push(format!("the default {shown} is below the minimum"));
            }
            Facet::MaxLength(limit) if length.is_some_and(|length| length > *limit) => {
                found.push(format!("the default {shown} is longer than {limit}"));
            }
            Facet::MinLength(limit) if length.is_some_and(|length| length < *limit) => {
                found.push(format!("the default {shown} is shorter than {limit}"));
            }
            Facet::MaxItems(limit) if count.is_some_and(|count| count > *limit) => {
                found.push(format!("the default has more than {limit} items"));
            }
            Facet::MinItems(limit) if count.is_some_and(|count| count < *limit) => {
                found.push(format!("the default has fewer than {limit} items"));
            }
            Facet::EnumValues(values) if !values.iter().any(|known| known.value(&arena) == value) => {
                found.push(format!("the default {shown} is not one of the enum's values"));
            }
            Facet::Enum => {
                let outside = |known: &[&str]| {
                    value
                        .as_str()
                        .is_some_and(|text| !known.is_empty() && !known.contains(&text))
                };
                if constants.is_some_and(outside) {
                    found.push(format!("the default {shown} is not one of the type's constants"));
                }
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

fn over(value: Option<f64>, limit: Option<f64>, is_over: fn(&f64, &f64) -> bool) -> bool {
    matches!((value, limit), (Some(value), Some(limit)) if is_over(&value, &limit))
}
