//! A field of an object: its path and its value. The rules of kinds walk from field to field and report errors there.

use kindsmith_formats::format::{self, message};
use kindsmith_formats::quantity::Quantity;
use kindsmith_json::{Path, Value};
use kindsmith_object::meta::NameRule;
use kindsmith_object::{BadValue, Behavior, FieldError, Release};

use crate::Change;
use crate::field_check;

/// Errors are collected, in field order.
pub(crate) type Errors = Vec<FieldError>;

/// A field and its value, if it is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'p, 'v> {
    pub(crate) path: Path<'p>,
    pub(crate) value: Option<Value<'v>>,
    /// The release whose rules hold.
    pub(crate) release: Release,
}

impl<'p, 'v> Field<'p, 'v> {
    /// A field of the new object.
    pub(crate) fn root(change: &Change<'v>, key: &'p str) -> Self {
        Field {
            path: Path::root(key),
            value: change.get(&[key]),
            release: change.release,
        }
    }

    /// The same field of the old object, for comparisons.
    pub(crate) fn old_root(change: &Change<'v>, key: &'p str) -> Self {
        Field {
            path: Path::root(key),
            value: change.get_old(&[key]),
            release: change.release,
        }
    }

    pub(crate) fn child<'s>(&'s self, key: &'s str) -> Field<'s, 'v> {
        let value = self.value.and_then(|value| value.get(key));
        Field {
            path: self.path.child(key),
            value: value.filter(|value| !value.is_null()),
            ..*self
        }
    }

    /// The elements of a list.
    pub(crate) fn items<'s>(&'s self) -> impl Iterator<Item = Field<'s, 'v>> + 's {
        let list = field_check::items(self.value).iter().enumerate();
        list.map(|(index, &value)| Field {
            path: self.path.index(index),
            value: Some(value),
            ..*self
        })
    }

    /// The entries of a map, at `field[key]`.
    pub(crate) fn entries<'s>(&'s self) -> impl Iterator<Item = (&'v str, Field<'s, 'v>)> + 's
    where
        'v: 's,
    {
        field_check::entries(self.value).iter().map(|(key, value)| {
            let path = self.path.key(key);
            (
                key,
                Field {
                    path,
                    value: Some(value),
                    ..*self
                },
            )
        })
    }

    /// The field with an empty string if it is not set: Go's strings are never absent.
    pub(crate) fn or_empty(&self) -> Self {
        Field {
            value: self.value.or(Some(Value::Str(""))),
            ..*self
        }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Is it unset, or set to empty text, an empty list or an empty map?
    pub(crate) fn is_blank(&self) -> bool {
        match self.value {
            None | Some(Value::Null) => true,
            Some(Value::Str(text)) => text.is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            Some(Value::Object(members)) => members.is_empty(),
            Some(_) => false,
        }
    }

    /// The value, reported elsewhere.
    pub(crate) fn at<'q>(&self, path: Path<'q>) -> Field<'q, 'v> {
        Field {
            path,
            value: self.value,
            release: self.release,
        }
    }

    /// The number of elements of a list.
    pub(crate) fn len(&self) -> usize {
        field_check::items(self.value).len()
    }

    pub(crate) fn text(&self) -> &'v str {
        field_check::text(self.value)
    }

    pub(crate) fn number(&self) -> i64 {
        field_check::number(self.value)
    }

    pub(crate) fn truth(&self) -> bool {
        field_check::truth(self.value)
    }

    /// The value as a quantity; decoding has checked it.
    pub(crate) fn quantity(&self) -> Option<Quantity> {
        let text = self.value.and_then(Value::as_str)?;
        Quantity::parse(text).ok()
    }

    /// The value as errors show it.
    pub(crate) fn shown(&self) -> BadValue {
        match self.value {
            Some(Value::Str(text)) => BadValue::Text(text.into()),
            value => match value.and_then(Value::as_i64) {
                Some(number) => BadValue::Integer(number.into()),
                None => crate::go_value::json::as_go(value),
            },
        }
    }

    pub(crate) fn invalid(&self, detail: impl Into<kindsmith_schema::Str>, errors: &mut Errors) {
        errors.push(field_check::invalid(&self.path, self.shown(), detail));
    }

    /// Like `invalid`, for a string that has its own type in Go, or is behind a pointer.
    pub(crate) fn invalid_word(&self, detail: impl Into<kindsmith_schema::Str>, errors: &mut Errors) {
        errors.push(field_check::invalid(
            &self.path,
            crate::go_value::json::as_json(self.value),
            detail,
        ));
    }

    pub(crate) fn required(&self, detail: &str, errors: &mut Errors) {
        errors.push(field_check::required(&self.path, detail));
    }

    pub(crate) fn forbidden(&self, detail: &str, errors: &mut Errors) {
        errors.push(field_check::forbidden(&self.path, detail));
    }

    pub(crate) fn duplicate(&self, errors: &mut Errors) {
        errors.push(field_check::duplicate(&self.path, self.text()));
    }

    /// Must be set, to one of these words.
    pub(crate) fn required_word(&self, known: &[&str], errors: &mut Errors) {
        match self.text() {
            "" => self.required("", errors),
            _ => self.one_of(known, errors),
        }
    }

    /// Must be one of these words if it is set.
    pub(crate) fn optional_word(&self, known: &[&str], errors: &mut Errors) {
        if self.is_set() {
            self.one_of(known, errors);
        }
    }

    /// Members that must be set.
    pub(crate) fn required_members(&self, keys: &[&str], errors: &mut Errors) {
        for key in keys {
            let member = self.child(key);
            if member.is_blank() {
                member.required("", errors);
            }
        }
    }

    /// A number that must lie in a range.
    pub(crate) fn between(&self, least: i64, most: i64, errors: &mut Errors) {
        if !(least..=most).contains(&self.number()) {
            self.invalid(format!("must be between {least} and {most}, inclusive"), errors);
        }
    }

    /// Must be the id of a user or a group, if it is set.
    pub(crate) fn user_id(&self, errors: &mut Errors) {
        if self.is_set() {
            self.between(0, i64::from(i32::MAX), errors);
        }
    }

    /// Must be one of these words.
    pub(crate) fn one_of(&self, known: &[&str], errors: &mut Errors) {
        if !known.contains(&self.text()) {
            errors.push(field_check::not_supported(&self.path, self.text(), known));
        }
    }

    /// Must match a name rule.
    pub(crate) fn name(&self, names: NameRule, errors: &mut Errors) {
        names.validate(self.text(), &self.path, errors);
    }

    /// Must be set and match a name rule.
    pub(crate) fn required_name(&self, names: NameRule, errors: &mut Errors) {
        match self.text() {
            "" => self.required("", errors),
            _ => self.name(names, errors),
        }
    }

    /// Must match one of the formats of `+k8s:format`.
    pub(crate) fn format(&self, name: &str, errors: &mut Errors) {
        let Some(format) = format::find(name) else { return };
        (format.check)(self.text(), &mut |violation| {
            self.invalid(violation.detail, errors);
        });
    }

    /// Must be a label key (`IsQualifiedName`).
    pub(crate) fn label_key(&self, errors: &mut Errors) {
        self.format("k8s-label-key", errors);
    }

    /// Must be the number of a port; one that is not set is zero.
    pub(crate) fn port_number(&self, errors: &mut Errors) {
        let number = self.number();
        if !(1..=65535).contains(&number) {
            let detail = "must be between 1 and 65535, inclusive";
            errors.push(field_check::invalid(
                &self.path,
                BadValue::Integer(number.into()),
                detail,
            ));
        }
    }

    /// Must be the number or the name of a port (`ValidatePortNumOrName`).
    pub(crate) fn port(&self, errors: &mut Errors) {
        match self.value {
            Some(Value::Str(_)) => self.port_name(errors),
            _ => self.port_number(errors),
        }
    }

    /// Must be the name of a port (`IsValidPortName`).
    pub(crate) fn port_name(&self, errors: &mut Errors) {
        const LIMIT: usize = 15;
        let name = self.text();
        let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if name.len() > LIMIT {
            self.invalid(format!("must be no more than {LIMIT} characters"), errors);
        }
        if !name.bytes().all(is_part) || name.is_empty() {
            let detail = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)";
            self.invalid(detail, errors);
        }
        if !name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            self.invalid("must contain at least one letter (a-z)", errors);
        }
        if name.contains("--") {
            self.invalid("must not contain consecutive hyphens", errors);
        }
        if name.starts_with('-') || name.ends_with('-') {
            self.invalid("must not begin or end with a hyphen", errors);
        }
    }

    /// Must be a domain-prefixed path (`IsDomainPrefixedPath`).
    pub(crate) fn domain_path(&self, errors: &mut Errors) {
        const PATH: &str = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+";
        let text = self.text();
        if text.is_empty() {
            return self.required("", errors);
        }
        let parts = text.split_once('/');
        let Some((domain, path)) = parts.filter(|(domain, path)| !domain.is_empty() && !path.is_empty())
        else {
            let detail = "must be a domain-prefixed path (such as \"acme.io/foo\")";
            return self.invalid(detail, errors);
        };
        NameRule::Subdomain.validate(domain, &self.path, errors);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
        if !path.bytes().all(is_part) {
            let detail = message::regex("Invalid path", PATH, &[]);
            errors.push(field_check::invalid_text(&self.path, path, detail));
        }
    }

    /// Must be the name of a CSI driver (`ValidateCSIDriverName`).
    pub(crate) fn driver_name(&self, errors: &mut Errors) {
        const LIMIT: i64 = 63;
        let name = self.text();
        if name.is_empty() {
            self.required("", errors);
            if self.release.has(Behavior::EmptyDriverNameOnce) {
                return;
            }
        }
        if name.len() as i64 > LIMIT {
            errors.push(FieldError {
                origin: "maxLength".into(),
                ..field_check::too_long(&self.path, LIMIT)
            });
        }
        for detail in field_check::name_problems(NameRule::Subdomain, &name.to_lowercase()) {
            errors.push(FieldError {
                origin: "format=k8s-long-name-caseless".into(),
                ..field_check::invalid(&self.path, self.shown(), detail)
            });
        }
    }

    /// At most this many items; no tag says so.
    pub(crate) fn at_most(&self, limit: usize, errors: &mut Errors) {
        if self.len() > limit {
            errors.push(FieldError::new(
                kindsmith_object::ErrorKind::TooMany,
                self.path.to_owned(),
                BadValue::Integer(self.len() as i128),
                kindsmith_object::Detail::AtMostItems(limit as i64),
            ));
        }
    }

    pub(crate) fn not_negative(&self, errors: &mut Errors) {
        field_check::not_negative(&self.path, self.value, errors);
    }

    /// Must be greater than zero.
    pub(crate) fn positive(&self, errors: &mut Errors) {
        if self.number() <= 0 {
            self.invalid("must be greater than 0", errors);
        }
    }

    /// Must be a label selector.
    pub(crate) fn selector(&self, errors: &mut Errors) {
        if let Some(selector) = self.value {
            crate::part::selector::validate_selector(selector, &self.path, errors);
        }
    }

    /// Must be a map of labels.
    pub(crate) fn labels(&self, errors: &mut Errors) {
        kindsmith_object::meta::validate_labels(field_check::entries(self.value), &self.path, errors);
    }

    /// Must be unchanged.
    pub(crate) fn unchanged(&self, old: &Field<'_, '_>, errors: &mut Errors) {
        if !crate::go_value::json::is_same(self.value, old.value) {
            field_check::immutable(&self.path, self.shown(), errors);
        }
    }
}
