//! The defaults of a plan: where there is something to fill in, and with what. [`crate::default`] fills it in.

mod fold;
mod kep;
mod tree;

use kindsmith_checks::{Profile, Types};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Default, Place, Scalar, Str, TypeId};

use super::{Builder, CompileOptions, FieldIx, Slot};
use kep::KepDefaults;

/// The defaulting work of a type: a tree of the places that have something to default.
#[derive(Debug, Default)]
pub(crate) struct DefaultPlan {
    pub(crate) root: Option<DefaultIx>,
    pub(crate) nodes: Vec<DefaultNode>,
    pub(crate) kep: KepDefaults,
}

/// Index of a [`DefaultNode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DefaultIx(pub(crate) u32);

/// What is done to a value.
#[derive(Debug, Default, Clone)]
pub(crate) struct DefaultNode {
    /// Hand-written functions that run first.
    pub(crate) hooks: Vec<TypeId>,
    /// Members of a struct, in order.
    pub(crate) members: Vec<MemberDefault>,
    /// Elements of a list, or values of a map.
    pub(crate) element: Option<ElementDefault>,
}

#[derive(Debug, Clone)]
pub(crate) struct MemberDefault {
    pub(crate) field: FieldIx,
    pub(crate) value: Option<DefaultValue>,
    pub(crate) below: Option<DefaultIx>,
}

#[derive(Debug, Clone)]
pub(crate) struct ElementDefault {
    pub(crate) value: Option<DefaultValue>,
    /// A nil pointer element, or a zero value, is replaced.
    pub(crate) slot: Slot,
    pub(crate) below: Option<DefaultIx>,
    /// The length of an array; zero for lists and maps.
    pub(crate) array_len: usize,
}

/// A default that is ready to use.
#[derive(Debug, Clone)]
pub(crate) struct DefaultValue {
    /// As JSON.
    json: Str,
    ready: Ready,
    pub(crate) source: Option<Place>,
    /// Whether a zero value counts as absent: true unless the type is a pointer, list or map.
    pub(crate) replaces_zero: bool,
}

/// Scalars are parsed in advance.
#[derive(Debug, Clone)]
enum Ready {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Str(Str),
    Parse,
}

pub(crate) fn compile<'s>(
    types: Types<'s>,
    builder: &mut Builder<'s>,
    root: TypeId,
    options: &CompileOptions,
) -> DefaultPlan {
    match options.profile {
        Profile::Upstream => tree::compile(types, builder, root, options),
        Profile::Kep => DefaultPlan {
            kep: kep::compile(types, builder),
            ..DefaultPlan::default()
        },
    }
}

impl DefaultValue {
    pub(super) fn new(
        default: &Default,
        scalar: Option<Scalar>,
        replaces_zero: bool,
        source: Option<Place>,
    ) -> Option<Self> {
        let json = default.value()?;
        let arena = Arena::new();
        let ready = match (json.value(&arena), scalar) {
            (Value::Null, _) => return None,
            (Value::Bool(truth), _) => Ready::Bool(truth),
            (Value::Int(number), _) => Ready::Int(number),
            (Value::Uint(number), _) => Ready::Uint(number),
            // Go accepts the constant 1.0 as an integer.
            (Value::Float(number), Some(scalar))
                if scalar.is_integer() && number.fract() == 0.0 && number.abs() < 9e15 =>
            {
                Ready::Int(number as i64)
            }
            (Value::Float(number), _) => Ready::Float(number),
            (Value::Str(text), _) => Ready::Str(text.into()),
            (Value::Array(_) | Value::Object(_), _) => Ready::Parse,
        };
        Some(Self {
            json: json.as_str().into(),
            ready,
            source,
            replaces_zero,
        })
    }

    pub(crate) fn value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        match &self.ready {
            Ready::Bool(truth) => Value::Bool(*truth),
            Ready::Int(number) => Value::Int(*number),
            Ready::Uint(number) => Value::Uint(*number),
            Ready::Float(number) => Value::Float(*number),
            Ready::Str(text) => Value::Str(text),
            Ready::Parse => kindsmith_json::parse_str(arena, &self.json).unwrap_or_default(),
        }
    }
}
