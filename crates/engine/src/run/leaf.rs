//! Checks of one value.

use kindsmith_formats::format::{Format, ViolationKind};
use kindsmith_gostd::utf8;
use kindsmith_json::{Path, Value};
use kindsmith_schema::{Literal, Str};

use super::Run;
use crate::plan::{NodeShape, Number, OptionIx, Slot};
use crate::value::{Val, bad_value, integer, items, text};
use kindsmith_checks::{EnumSet, Leaf};
use kindsmith_object::Trace;
use kindsmith_object::{BadValue, Detail, ErrorKind};

impl<T: Trace> Run<'_, T> {
    pub(super) fn leaf(
        &mut self,
        leaf: &Leaf,
        slot: Slot,
        options: &[OptionIx],
        path: &Path<'_>,
        new: Val<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        match leaf {
            Leaf::Required => {
                if !plan.is_set(slot, new) {
                    self.report(path, ErrorKind::Required, "", || {
                        (BadValue::Text("".into()), Detail::None)
                    });
                }
            }
            Leaf::Optional => {
                // The text is never shown; only the failure counts.
                if !plan.is_set(slot, new) {
                    self.report(path, ErrorKind::Required, "", || {
                        let detail = Detail::Text("optional value was not specified".into());
                        (BadValue::Text("".into()), detail)
                    });
                }
            }
            Leaf::Forbidden => {
                let is_set = match plan.node(slot.node).shape {
                    NodeShape::Struct(_) if !slot.pointer => {
                        new.is_some_and(|value| !plan.is_zero(slot.node, value))
                    }
                    _ => plan.is_set(slot, new),
                };
                if is_set {
                    self.report(path, ErrorKind::Forbidden, "", || {
                        (BadValue::Text("".into()), Detail::None)
                    });
                }
            }
            Leaf::NoNils => self.no_nils(path, new),
            Leaf::Immutable => {
                if self.is_update() {
                    self.invalid_nil(path, "immutable", "field is immutable");
                }
            }
            Leaf::SetOnce => {
                // An element without an old value is new, so it may be set.
                if self.is_update() && old.is_some() && plan.is_set(slot, old) {
                    self.invalid_nil(path, "immutable", "field is immutable");
                }
            }
            Leaf::MinItems(limit) => self.at_least(*limit, "minItems", slot, path, new),
            Leaf::MinProperties(limit) => self.at_least(*limit, "minProperties", slot, path, new),
            Leaf::MaxItems(limit) => self.at_most(*limit, "maxItems", slot, path, new),
            Leaf::MaxProperties(limit) => self.at_most(*limit, "maxProperties", slot, path, new),
            Leaf::Fixed { fails, message } => {
                if *fails {
                    self.report(path, ErrorKind::Invalid, "validateFalse", || {
                        (plan.bad_json(slot, new), Detail::Forced(message.clone()))
                    });
                }
            }
            Leaf::Custom(function) => self.custom(function, path, new, old),
            leaf => {
                if let Some(value) = new {
                    self.value(leaf, slot, options, path, value, old);
                }
            }
        }
    }

    /// Checks that ignore nil.
    fn value(
        &mut self,
        leaf: &Leaf,
        slot: Slot,
        options: &[OptionIx],
        path: &Path<'_>,
        value: Value<'_>,
        old: Val<'_>,
    ) {
        let plan = self.plan;
        let bad = || bad_value(plan, slot.node, value);
        match leaf {
            Leaf::MaxLength(limit)
                if utf8::is_longer_than(text(value), usize::try_from(*limit).unwrap_or(0)) =>
            {
                self.report(path, ErrorKind::TooLong, "maxLength", || {
                    (BadValue::Omitted, Detail::AtMostCharacters(*limit))
                });
            }
            Leaf::MaxBytes(limit) if text(value).len() as i64 > *limit => {
                self.report(path, ErrorKind::TooLong, "maxBytes", || {
                    (BadValue::Omitted, Detail::AtMostBytes(*limit))
                });
            }
            Leaf::MinLength(limit) if is_shorter_than(text(value), *limit) => {
                self.report(path, ErrorKind::TooShort, "minLength", || {
                    (bad(), Detail::AtLeastCharacters(*limit))
                });
            }
            Leaf::Minimum { limit, exclusive } if is_below(value, *limit, *exclusive) => {
                let detail = if *exclusive {
                    Detail::Above
                } else {
                    Detail::AtLeast
                };
                self.report(path, ErrorKind::Invalid, "minimum", || {
                    (bad(), detail(limit.text()))
                });
            }
            Leaf::Maximum { limit, exclusive } if is_above(value, *limit, *exclusive) => {
                let detail = if *exclusive { Detail::Below } else { Detail::AtMost };
                self.report(path, ErrorKind::Invalid, "maximum", || {
                    (bad(), detail(limit.text()))
                });
            }
            Leaf::Monotonic => {
                let Some(old) = old.filter(|_| self.is_update()) else {
                    return;
                };
                if integer(value) < integer(old) {
                    let detail = Detail::Decreased(integer(old).to_string().into());
                    self.report(path, ErrorKind::Invalid, "monotonic", || (bad(), detail));
                }
            }
            Leaf::Neq(literal) if matches_literal(value, literal) => {
                self.report(path, ErrorKind::Invalid, "neq", || {
                    (bad(), Detail::NotEqual(literal.clone()))
                });
            }
            Leaf::Enum(set) => self.enumeration(set, options, slot, path, value),
            Leaf::Format(format) => self.format(format, slot, path, value),
            _ => {}
        }
    }

    fn no_nils(&mut self, path: &Path<'_>, new: Val<'_>) {
        for (index, item) in items(new).iter().enumerate() {
            if item.is_null() {
                self.report(&path.index(index), ErrorKind::Required, "", || {
                    (BadValue::Text("".into()), Detail::None)
                });
            }
        }
    }

    fn at_least(&mut self, limit: i64, origin: &'static str, slot: Slot, path: &Path<'_>, new: Val<'_>) {
        let len = new.map_or(0, |value| self.plan.len(slot.node, value));
        if (len as i64) < limit {
            self.report(path, ErrorKind::TooFew, origin, || {
                (BadValue::Integer(len as i128), Detail::AtLeastItems(limit))
            });
        }
    }

    fn at_most(&mut self, limit: i64, origin: &'static str, slot: Slot, path: &Path<'_>, new: Val<'_>) {
        let len = new.map_or(0, |value| self.plan.len(slot.node, value));
        if len as i64 > limit {
            self.report(path, ErrorKind::TooMany, origin, || {
                (BadValue::Integer(len as i128), Detail::AtMostItems(limit))
            });
        }
    }

    fn format(&mut self, format: &'static Format, slot: Slot, path: &Path<'_>, value: Value<'_>) {
        let plan = self.plan;
        let whole = text(value);
        // Most formats show the value in its own type, some as a plain string (VAL/strfmt.go).
        let typed = matches!(
            format.name,
            "k8s-short-name"
                | "k8s-long-name"
                | "k8s-long-name-caseless"
                | "k8s-label-key"
                | "k8s-prefixed-label-key"
                | "k8s-label-value"
                | "k8s-path-segment-name"
        );
        (format.check)(whole, &mut |violation| {
            let origin = format!("format={}", format.name);
            let (kind, bad) = match violation.kind {
                ViolationKind::TooLong { .. } => (ErrorKind::TooLong, BadValue::Omitted),
                ViolationKind::Invalid if typed => (ErrorKind::Invalid, bad_value(plan, slot.node, value)),
                ViolationKind::Invalid => (ErrorKind::Invalid, BadValue::Text(violation.bad.into())),
            };
            let detail = Detail::Text(violation.detail.into());
            self.report(path, kind, origin, || (bad, detail));
        });
    }

    fn enumeration(
        &mut self,
        set: &EnumSet,
        options: &[OptionIx],
        slot: Slot,
        path: &Path<'_>,
        value: Value<'_>,
    ) {
        let plan = self.plan;
        let given = text(value);
        let excluded = match self.is_excluded(set, options, given) {
            Ok(excluded) => excluded,
            Err(option) => return self.undefined_option(option, path),
        };
        if !excluded && set.values.binary_search_by(|known| (**known).cmp(given)).is_ok() {
            return;
        }
        let mut supported: Vec<Str> = Vec::new();
        for known in &set.values {
            match self.is_excluded(set, options, known) {
                Ok(true) => {}
                Ok(false) => supported.push(known.clone()),
                Err(option) => return self.undefined_option(option, path),
            }
        }
        self.report(path, ErrorKind::NotSupported, "", || {
            (bad_value(plan, slot.node, value), Detail::Supported(supported))
        });
    }

    /// Whether an option excludes the value, or the first option that is undefined.
    fn is_excluded(&self, set: &EnumSet, options: &[OptionIx], value: &str) -> Result<bool, OptionIx> {
        for (rule, option) in set.exclusions.iter().zip(options) {
            let on = self.options[option.0 as usize].ok_or(*option)?;
            if &*rule.value == value && rule.when == on {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn custom(&mut self, function: &str, path: &Path<'_>, new: Val<'_>, old: Val<'_>) {
        let Some(custom) = self.custom else { return };
        for mut error in custom.check(function, self.operation, path, new, old) {
            self.failures += 1;
            if self.silent == 0 {
                error.rule = self.rule;
                self.errors.push(error);
            }
        }
    }
}

fn is_shorter_than(text: &str, limit: i64) -> bool {
    // A character takes at most four bytes, so long strings need no decoding.
    (text.len().div_ceil(4) as i64) < limit && (utf8::rune_count(text) as i64) < limit
}

pub(super) fn is_below(value: Value<'_>, limit: Number, exclusive: bool) -> bool {
    match (value, limit) {
        (Value::Float(value), Number::Int(limit)) => is_less(value, limit as f64, exclusive),
        (Value::Float(value), Number::Float(limit)) => is_less(value, limit, exclusive),
        (value, Number::Float(limit)) => is_less(integer(value) as f64, limit, exclusive),
        (value, Number::Int(limit)) => is_less(integer(value), limit, exclusive),
    }
}

pub(super) fn is_above(value: Value<'_>, limit: Number, exclusive: bool) -> bool {
    match (value, limit) {
        (Value::Float(value), Number::Int(limit)) => is_less(limit as f64, value, exclusive),
        (Value::Float(value), Number::Float(limit)) => is_less(limit, value, exclusive),
        (value, Number::Float(limit)) => is_less(limit, integer(value) as f64, exclusive),
        (value, Number::Int(limit)) => is_less(limit, integer(value), exclusive),
    }
}

fn is_less<N: PartialOrd + Copy>(left: N, right: N, or_equal: bool) -> bool {
    left < right || (or_equal && left == right)
}

/// Does a scalar equal the literal in a tag?
pub(super) fn matches_literal(value: Value<'_>, literal: &Literal) -> bool {
    match literal {
        Literal::Str(wanted) => text(value) == &**wanted,
        Literal::Int(wanted) => integer(value) == i128::from(*wanted),
        Literal::Bool(wanted) => value.as_bool().unwrap_or(false) == *wanted,
    }
}
