//! What kinds do differently in a write. The order of the steps is in [`write_decoded`](crate::write_decoded).

use std::borrow::Cow;
use std::cell::RefCell;

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::KeyOrder;
use kindsmith_object::{FieldError, StorePrefix};

use crate::{Admission, DecodedObject, Mutated, Origin, Status, Target, Undecoded, Warning, Write};

/// The steps of a write that differ between custom resources, built-in kinds and CRDs.
pub trait WriteSteps<'a> {
    /// What the kind keeps in addition to the JSON form of an object.
    type Extra: Clone;

    /// The names of the kind and its resource.
    fn target(&self) -> Target<'_>;

    /// Where objects are stored, with a slash at the end. Errors about the uid show it.
    fn key_prefix(&self) -> Cow<'_, str> {
        let Target { group, resource, .. } = self.target();
        StorePrefix::custom(group, resource).to_string().into()
    }

    /// Whether a generated name ends with random characters.
    fn has_name_suffix(&self) -> bool {
        true
    }

    /// The key order of metadata.
    fn metadata_order(&self) -> KeyOrder {
        KeyOrder::Go
    }

    /// Whether an update may omit `resourceVersion`.
    fn allows_unconditional_update(&self) -> bool {
        false
    }

    /// Whether an update of an object that does not exist creates it.
    fn creates_on_update(&self) -> bool {
        false
    }

    /// Rejects versions and subresources that are not served.
    ///
    /// # Errors
    ///
    /// 404 in most cases.
    fn check_served(&self, write: &Write<'_>) -> Result<(), Status>;

    /// Reads an object from a request: decodes, prunes and defaults it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or has unknown or duplicate fields and the client wants strict decoding.
    fn decode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        origin: Origin<'a>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DecodedObject<'a, Self::Extra>, Status>;

    /// Takes the stored object of an update, which is already decoded.
    ///
    /// # Errors
    ///
    /// If it is malformed.
    fn take_stored(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
    ) -> Result<DecodedObject<'a, Self::Extra>, Status>;

    /// Takes an object that mutating admission changed, and sets its defaults.
    ///
    /// # Errors
    ///
    /// If it no longer fits its type.
    fn take_mutated(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
    ) -> Result<DecodedObject<'a, Self::Extra>, Status>;

    /// Reads an object that one of several mutations changed, before the next one sees it.
    ///
    /// # Errors
    ///
    /// If it no longer fits its type.
    fn decode_mutated(&'a self, arena: &'a Arena, object: Value<'a>) -> Result<Mutated<'a>, Undecoded> {
        let decoded = self
            .take_mutated(arena, object)
            .map_err(Undecoded::Status)?
            .value();
        Ok(Mutated {
            decoded,
            object: decoded,
        })
    }

    /// A decoded object as clients write it, for managed fields: without what the kind tells from absent but never encodes.
    fn versioned(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// A valid object as the kind writes it, for validating admission.
    fn shown(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let _ = arena;
        object
    }

    /// A prepared object as validating admission sees it.
    fn admitted(&'a self, arena: &'a Arena, object: &DecodedObject<'a, Self::Extra>) -> Value<'a> {
        let _ = arena;
        object.value()
    }

    /// Hands out what objects hold exclusively, before anything else changes (`BeginCreate` and `BeginUpdate` in apiserver's
    /// pkg/registry/generic/registry/store.go).
    ///
    /// # Errors
    ///
    /// If a resource that the object needs is missing.
    fn begin(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &mut DecodedObject<'a, Self::Extra>,
        old: Option<&DecodedObject<'a, Self::Extra>>,
    ) -> Result<(), Status> {
        let _ = (context, object, old);
        Ok(())
    }

    /// Puts back what the write may not change, and counts generations.
    fn prepare(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &mut DecodedObject<'a, Self::Extra>,
        old: Option<&DecodedObject<'a, Self::Extra>>,
    );

    /// Group and kind for the message about an invalid object. Called before the object is prepared.
    fn named_kind(&'a self, object: &DecodedObject<'a, Self::Extra>) -> (&'a str, &'a str) {
        let _ = object;
        let Target { group, kind, .. } = self.target();
        (group, kind)
    }

    /// Validates a new object, or a change of `old` with ratcheting.
    ///
    /// # Errors
    ///
    /// If validation itself fails; errors about the object are part of the result.
    fn validate(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &DecodedObject<'a, Self::Extra>,
        old: Option<&DecodedObject<'a, Self::Extra>>,
    ) -> Result<Validation, Status>;

    /// Warnings about a valid object.
    fn warnings(
        &'a self,
        context: &WriteContext<'_, 'a>,
        object: &DecodedObject<'a, Self::Extra>,
        old: Option<&DecodedObject<'a, Self::Extra>>,
    ) -> Vec<String> {
        let _ = (context, object, old);
        Vec::new()
    }

    /// Converts a valid object to its stored form.
    fn canonicalize(&self, context: &WriteContext<'_, 'a>, object: &mut DecodedObject<'a, Self::Extra>) {
        let _ = (context, object);
    }

    /// Encodes an object for the store, and as the store will give it back in the version of the URL.
    ///
    /// # Errors
    ///
    /// If it cannot be converted to the storage version.
    fn encode(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        object: &DecodedObject<'a, Self::Extra>,
    ) -> Result<Encoded<'a>, Status>;

    /// Whether an object that is being deleted must stay for reasons other than its finalizers.
    fn holds(&self, object: &DecodedObject<'a, Self::Extra>) -> bool {
        let _ = object;
        false
    }
}

/// What the steps of one write share.
#[derive(Clone, Copy)]
pub struct WriteContext<'c, 'a> {
    /// The arena of all values.
    pub arena: &'a Arena,
    /// The write.
    pub write: &'c Write<'a>,
    /// Knows the user.
    pub admission: &'c dyn Admission<'a>,
    /// What preparing an object warns of, whether it is valid or not.
    pub notes: &'c RefCell<Vec<String>>,
}

/// The result of validation.
#[derive(Debug, Default)]
pub struct Validation {
    /// The errors; a valid object has none.
    pub errors: Vec<FieldError>,
    /// Warnings that are sent even if there are errors, such as errors that ratcheting tolerates.
    pub warnings: Vec<String>,
}

/// An object ready for the store.
#[derive(Debug, Clone, Copy)]
pub struct Encoded<'a> {
    /// What is stored, in the storage version.
    pub stored: Value<'a>,
    /// What a reader of the version of the URL will get.
    pub object: Value<'a>,
    /// Why no reader of that version will get anything, though the object can be stored.
    pub unreadable: Option<&'a str>,
}
