//! Values of a Rust type, defaulted and validated as the API server would do it to objects of its kind.

use std::marker::PhantomData;

use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::validate::as_stored;
use super::{Kind, Resource};
use crate::bridge::{BridgeError, to_json, to_value};
use crate::review::ArenaReview;
use crate::{AdmitError, Kinds, LoadError, Steps, Write};

/// Defaults and validates values of a type. Make it once: the schema is compiled on first use, and any thread may use it.
///
/// A value passes through the engine's own form once, without text in between; CEL rules and ratcheting are those of the
/// server.
///
/// ```
/// # use kindsmith_derive::Resource;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Resource, Serialize, Deserialize)]
/// #[k8s(group = "park.example.org", version = "v1", kind = "Gate")]
/// struct GateSpec {
///     #[k8s(minimum = 60, default = 120)]
///     width: Option<i32>,
/// }
///
/// let gates = kindsmith::rust::Checked::<GateSpec>::new()?;
/// let mut gate = GateSpec { width: None };
/// gates.default(&mut gate)?;
/// assert_eq!(gate.width, Some(120));
///
/// let errors = gates.validate(&GateSpec { width: Some(40) }, None)?;
/// assert_eq!(errors[0].path.to_string(), "spec.width");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checked<T> {
    kinds: Kinds,
    of: PhantomData<fn() -> T>,
}

impl<T: Resource + Serialize> Checked<T> {
    /// Reads the type.
    ///
    /// # Errors
    ///
    /// What is wrong with the type, and the API server's errors for its CRD.
    pub fn new() -> Result<Self, LoadError> {
        Ok(Self {
            kinds: Kinds::of::<T>()?,
            of: PhantomData,
        })
    }

    /// What is wrong with a value; on an update, what the stored one excuses is not told.
    ///
    /// # Errors
    ///
    /// If the value cannot be JSON.
    pub fn validate(&self, new: &T, old: Option<&T>) -> Result<Vec<FieldError>, BridgeError> {
        let arena = Arena::new();
        let object = self.object(&arena, new)?;
        let old = old.map(|old| self.object(&arena, old)).transpose()?;
        let write = match old {
            Some(old) => Write::update(old, object),
            None => Write::create(object),
        };
        let review = self.review(
            &arena,
            &Write {
                steps: Steps::VALIDATE,
                ..write
            },
        )?;
        let of_schema = review.errors.into_iter().filter_map(|rejection| rejection.error);
        let of_metadata = Kind::of::<T>().metadata_errors(&arena, object, old);
        Ok(of_metadata.into_iter().chain(of_schema).collect())
    }

    /// Fills in defaults.
    ///
    /// # Errors
    ///
    /// If the value cannot be JSON, or the defaulted one does not fit the type.
    pub fn default(&self, value: &mut T) -> Result<(), BridgeError>
    where
        T: DeserializeOwned,
    {
        let arena = Arena::new();
        let write = Write::create(self.object(&arena, value)?);
        let review = self.review(
            &arena,
            &Write {
                steps: Steps::DEFAULT,
                ..write
            },
        )?;
        let object = review.object.unwrap_or_default();
        let part = if T::IS_SPEC {
            object.get("spec").unwrap_or_default()
        } else {
            object
        };
        *value = serde_json::from_value(to_json(part)).map_err(serde::ser::Error::custom)?;
        Ok(())
    }

    fn object<'a>(&self, arena: &'a Arena, value: &T) -> Result<Value<'a>, BridgeError> {
        let value = as_stored(arena, to_value(arena, value)?);
        Ok(Kind::of::<T>().object(arena, value))
    }

    fn review<'a>(&'a self, arena: &'a Arena, write: &Write<'a>) -> Result<ArenaReview<'a>, BridgeError> {
        self.kinds.review(arena, write).map_err(|error| match error {
            AdmitError::NotJson(error) => error,
            unknown @ AdmitError::UnknownKind { .. } => serde::ser::Error::custom(unknown),
        })
    }
}
