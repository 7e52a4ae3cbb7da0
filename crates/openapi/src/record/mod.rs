//! Go structs as tables: one list of fields serves decoding, reports of unknown fields, encoding and Go's
//! printing.
//!
//! Knows how encoding/json treats structs; the structs themselves are listed elsewhere.

mod decoder;
mod error;
mod making;
mod members;
mod scalars;

pub(crate) use decoder::{Decoder, Options};
pub(crate) use error::Fault;
pub use error::{DecodeError, Report, ReportKind};
pub(crate) use making::{Form, Making};
pub(crate) use members::{Element, read_pointer};

use kindsmith_json::{Arena, Value};

use crate::crd::ApiVersion;

/// A Go struct.
pub(crate) trait Record: Default + 'static {
    /// Its name in Go.
    const NAME: &'static str;
    /// Its fields in the order of declaration.
    const FIELDS: &'static [Field<Self>];
    /// Known keys without a meaning here.
    const IGNORED: &'static [&'static str] = &[];
    /// A field with a different position in the internal type: its key, and the key that it follows.
    const DECLARED_BEHIND: Option<(&'static str, &'static str)> = None;
}

/// One field of a Go struct.
pub(crate) struct Field<T> {
    /// Key in JSON.
    pub(crate) key: &'static str,
    /// Key in JSON of `v1beta1`.
    pub(crate) beta: &'static str,
    /// Name of the internal type's field.
    pub(crate) go: &'static str,
    /// Go type in error messages; `$` is the package of the API version.
    pub(crate) ty: &'static str,
    /// Whether the zero value is left out.
    pub(crate) omit_empty: bool,
    pub(crate) get: fn(&T) -> &dyn Member,
    pub(crate) get_mut: fn(&mut T) -> &mut dyn Member,
}

/// Lists a field: JSON key, Go name, Go type, Rust field; `always` writes zero values too.
macro_rules! field {
    ($key:literal, $go:literal, $ty:literal, $name:ident) => {
        $crate::record::Field {
            key: $key,
            beta: $key,
            go: $go,
            ty: $ty,
            omit_empty: true,
            get: |record| &record.$name,
            get_mut: |record| &mut record.$name,
        }
    };
    ($key:literal, $go:literal, $ty:literal, $name:ident, always) => {
        $crate::record::Field {
            omit_empty: false,
            ..$crate::record::field!($key, $go, $ty, $name)
        }
    };
    ($key:literal / $beta:literal, $go:literal, $ty:literal, $name:ident, always) => {
        $crate::record::Field {
            omit_empty: false,
            beta: $beta,
            ..$crate::record::field!($key, $go, $ty, $name)
        }
    };
}
pub(crate) use field;

/// What a field holds.
pub(crate) trait Member {
    /// Stores a value, like encoding/json does for a field of Go type `ty`.
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault>;

    /// The value in JSON.
    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a>;

    /// Whether `omitempty` leaves it out.
    fn is_empty(&self) -> bool;
}

/// Reads a whole document as a struct of an API version.
pub(crate) fn read<'v, T: Record>(
    value: Value<'v>,
    api: ApiVersion,
    options: Options<'v>,
) -> Result<(T, Vec<Report>), DecodeError> {
    let mut decoder = Decoder::new(api, options);
    let mut record = T::default();
    let ty = format!("${}", T::NAME);
    let read = record.read(&mut decoder, &ty, value);
    decoder.finish(read).map(|reports| (record, reports))
}

/// Semantic equality of the API: absent and empty are equal, and the order of keys does not matter.
pub(crate) fn semantically_equal<T: Record>(left: &T, right: &T) -> bool {
    let arena = Arena::new();
    let to = Making::new(&arena, Form::Api);
    left.value(&to) == right.value(&to)
}
