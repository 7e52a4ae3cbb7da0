//! Typed rules and conversions: closures over Rust types, called with objects.

use std::fmt;
use std::sync::Arc;

use kindsmith_crd::{CheckedWrite, ConversionError, Converter, Rules};
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::FieldError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Resource;
use crate::bridge::{to_json, to_value};

/// A write as a rule sees it, and how the rule reports errors.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    write: &'a CheckedWrite<'a>,
}

impl Context<'_> {
    /// `status` for a write of the status, otherwise empty.
    #[must_use]
    pub fn subresource(&self) -> &str {
        self.write.subresource
    }

    /// Whether the schema found nothing wrong.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.write.is_valid
    }

    /// The new object as it will be stored.
    #[must_use]
    pub fn object(&self) -> serde_json::Value {
        to_json(self.write.new)
    }

    /// An error about a field whose value is wrong; the value is shown.
    #[must_use]
    pub fn invalid(&self, field: &str, detail: &str) -> FieldError {
        let value = self.value(field);
        FieldError::invalid(path(field), value, detail)
    }

    /// An error about a field that is missing.
    #[must_use]
    pub fn required(&self, field: &str, detail: &str) -> FieldError {
        FieldError::required(path(field), detail)
    }

    /// An error about a field that may not be set or changed.
    #[must_use]
    pub fn forbidden(&self, field: &str, detail: &str) -> FieldError {
        FieldError::forbidden(path(field), detail)
    }

    fn value(&self, field: &str) -> kindsmith_object::BadValue {
        let mut at = Some(self.write.new);
        for step in path(field).steps() {
            at = at.and_then(|value| match step {
                Step::Field(name) | Step::Key(name) => value.get(name),
                Step::Index(index) => value.as_array()?.get(*index).copied(),
            });
        }
        match at {
            Some(Value::Str(text)) => text.into(),
            Some(Value::Int(number)) => number.into(),
            Some(Value::Bool(value)) => value.into(),
            None | Some(Value::Null) => kindsmith_object::BadValue::Nil,
            Some(other) => kindsmith_json::to_string(other).into(),
        }
    }
}

/// A path as errors show it: `spec.hours[0].to`, `metadata.labels[app]`.
#[must_use]
pub fn path(text: &str) -> PathBuf {
    let mut path = PathBuf::default();
    for part in text.split('.') {
        let mut pieces = part.split('[');
        if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
            path.push(Step::Field(name.into()));
        }
        for piece in pieces {
            let key = piece.trim_end_matches(']');
            path.push(match key.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => Step::Key(key.into()),
            });
        }
    }
    path
}

/// Rules of a closure over a type.
pub(super) struct Typed<F>(F);

impl<F> Typed<F> {
    pub(super) fn rules<T>(check: F) -> Arc<dyn Rules>
    where
        T: Resource + DeserializeOwned + 'static,
        F: Fn(&T, Option<&T>, &Context<'_>) -> Vec<FieldError> + Send + Sync + 'static,
    {
        Arc::new(Typed(move |write: &CheckedWrite<'_>| {
            // Other versions have their own types.
            if write.version != T::VERSION {
                return Vec::new();
            }
            let new = match decode::<T>(write.new) {
                Ok(new) => new,
                // What the schema rejects need not fit the type.
                Err(_) if !write.is_valid => return Vec::new(),
                Err(error) => {
                    let path = if T::IS_SPEC {
                        path("spec")
                    } else {
                        PathBuf::default()
                    };
                    let detail = format!("cannot be read as {}: {error}", std::any::type_name::<T>());
                    return vec![FieldError::internal(path, detail)];
                }
            };
            let old = write.old.and_then(|old| decode::<T>(old).ok());
            check(&new, old.as_ref(), &Context { write })
        }))
    }
}

impl<F: Fn(&CheckedWrite<'_>) -> Vec<FieldError> + Send + Sync> Rules for Typed<F> {
    fn check(&self, write: &CheckedWrite<'_>) -> Vec<FieldError> {
        (self.0)(write)
    }
}

impl<F> fmt::Debug for Typed<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Typed").finish_non_exhaustive()
    }
}

fn decode<T: Resource + DeserializeOwned>(object: Value<'_>) -> serde_json::Result<T> {
    let value = if T::IS_SPEC {
        object.get("spec").unwrap_or_default()
    } else {
        object
    };
    serde_json::from_value(to_json(value))
}

type Conversion = dyn for<'a> Fn(&'a Arena, Object<'a>) -> Result<Object<'a>, String> + Send + Sync;

/// Conversions between versions of a kind.
#[derive(Clone, Default)]
pub(super) struct Conversions(Vec<(String, String, Arc<Conversion>)>);

impl Conversions {
    /// Adds a conversion between two types of the same kind.
    pub(super) fn add<A, B>(&mut self, convert: impl Fn(A) -> Result<B, String> + Send + Sync + 'static)
    where
        A: Resource + DeserializeOwned,
        B: Resource + Serialize,
    {
        let version = |group: &str, version: &str| format!("{group}/{version}");
        let (from, to) = (version(A::GROUP, A::VERSION), version(B::GROUP, B::VERSION));
        let target = to.clone();
        let step = move |arena: &Arena, object: Object<'_>| -> Result<serde_json::Value, String> {
            let _ = arena;
            let text = |error: serde_json::Error| error.to_string();
            let given = decode::<A>(Value::Object(object)).map_err(text)?;
            let made = serde_json::to_value(convert(given)?).map_err(text)?;
            let mut all = to_json(Value::Object(object));
            if B::IS_SPEC {
                all["spec"] = made;
            } else {
                // Metadata is the server's.
                let metadata = all["metadata"].take();
                all = made;
                all["metadata"] = metadata;
            }
            all["apiVersion"] = target.as_str().into();
            all["kind"] = B::KIND.into();
            Ok(all)
        };
        self.0.push((
            from,
            to,
            Arc::new(move |arena, object| {
                let made = step(arena, object)?;
                let value = to_value(arena, &made).map_err(|error| error.to_string())?;
                value.as_object().ok_or_else(|| "not an object".to_owned())
            }),
        ));
    }
}

impl Conversions {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Converter for Conversions {
    fn convert<'a>(
        &self,
        arena: &'a Arena,
        object: Object<'a>,
        api_version: &str,
    ) -> Result<Object<'a>, ConversionError> {
        let from = object
            .get("apiVersion")
            .and_then(Value::as_str)
            .unwrap_or_default();
        match self
            .0
            .iter()
            .find(|(known, to, _)| known == from && to == api_version)
        {
            Some((.., step)) => step(arena, object).map_err(ConversionError::Converter),
            None => Err(ConversionError::Converter(format!(
                "no conversion from {from} to {api_version}"
            ))),
        }
    }
}

impl fmt::Debug for Conversions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.iter().map(|(from, to, _)| format!("{from} → {to}"));
        out.debug_list().entries(steps).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn paths_are_written_as_errors_show_them() {
        for text in ["spec", "spec.hours[0].to", "metadata.labels[app]", "spec.a[1][2]"] {
            assert_eq!(path(text).to_string(), text);
        }
    }
}
