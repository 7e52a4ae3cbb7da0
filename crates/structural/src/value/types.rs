//! `type`, `nullable` and the effect of `format` on them. Knows kinds of values, not names, paths or other
//! keywords.

use kindsmith_json::Value;
use kindsmith_schema::Str;

/// Kinds of values that the type check distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Kind {
    Null = 1,
    Bool = 2,
    Int = 4,
    /// A float that counts as an integer.
    Whole = 8,
    /// Any other float.
    Float = 16,
    Str = 32,
    Array = 64,
    Object = 128,
}

const KINDS: [Kind; 8] = [
    Kind::Null,
    Kind::Bool,
    Kind::Int,
    Kind::Whole,
    Kind::Float,
    Kind::Str,
    Kind::Array,
    Kind::Object,
];

impl Kind {
    pub(super) fn of(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Int(_) => Self::Int,
            Value::Float(number) => Self::of_float(number),
            // An integer that needs all 64 bits is too large to count as whole.
            Value::Uint(_) => Self::Float,
            Value::Str(_) => Self::Str,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    // Rounding is a function call, which the compiler would otherwise hoist before the kind is known.
    #[cold]
    #[inline(never)]
    fn of_float(number: f64) -> Self {
        if is_whole(number) {
            Self::Whole
        } else {
            Self::Float
        }
    }

    /// The JSON type, as error texts name it.
    fn json_type(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Int => "integer",
            Self::Whole | Self::Float => "number",
            Self::Str => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The format of the Go type, as messages name it.
    fn go_format(self) -> &'static str {
        match self {
            Self::Int => "int64",
            Self::Whole | Self::Float => "float64",
            _ => "",
        }
    }
}

/// Whether a float counts as an integer (`swag.IsFloat64AJSONInteger`).
pub(super) fn is_whole(number: f64) -> bool {
    const LIMIT: f64 = ((1_u64 << 53) - 1) as f64;
    if !number.is_finite() || number.abs() > LIMIT {
        return false;
    }
    let rounded = number.round();
    number == rounded || (rounded != 0.0 && (number - rounded).abs() < 1e-9 * rounded.abs())
}

/// The kinds that a node accepts, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const ALL: Kinds = Kinds(u8::MAX);

    pub(super) fn has(self, kind: Kind) -> bool {
        self.0 & kind as u8 != 0
    }
}

/// `type`, `format` and `nullable` of a node, as the type check reads them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Types {
    /// Names of the types, joined as error texts show them; empty when there is none.
    pub(super) names: Str,
    /// The format, as written; empty when there is none.
    pub(super) format: Str,
    pub(super) nullable: bool,
}

/// Why a value has the wrong type: the expected type and the found one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mismatch<'t> {
    pub(super) want: &'t str,
    pub(super) actual: &'static str,
}

impl Types {
    /// Whether there is anything to check besides `null`.
    pub(super) fn apply(&self) -> bool {
        !self.names.is_empty() || !self.format.is_empty()
    }

    pub(super) fn kinds(&self) -> Kinds {
        let accepted = |kind: &&Kind| self.mismatch(**kind).is_none();
        Kinds(
            KINDS
                .iter()
                .filter(accepted)
                .fold(0, |bits, &kind| bits | kind as u8),
        )
    }

    /// Whether exactly one type is named.
    pub(super) fn single(&self) -> Option<&str> {
        (!self.names.is_empty() && !self.names.contains(',')).then_some(&*self.names)
    }

    fn names(&self, name: &str) -> bool {
        self.names.split(',').any(|known| known == name)
    }

    /// The result of `typeValidator.Validate` (kube-openapi, validate/type.go) for a kind of value.
    pub(super) fn mismatch(&self, kind: Kind) -> Option<Mismatch<'_>> {
        let by_type = Mismatch {
            want: &self.names,
            actual: kind.json_type(),
        };
        if kind == Kind::Null {
            let refused = !self.names.is_empty() && !self.nullable && !self.names("null");
            return refused.then_some(by_type);
        }
        if !self.apply() {
            return None;
        }
        let numeric = self.names("number") || self.names("integer");
        let named = self.names(kind.json_type())
            || (kind == Kind::Whole && self.names("integer"))
            || (kind == Kind::Int && self.names("number"));
        let text_or_list = matches!(kind, Kind::Str | Kind::Array);
        let formatted = !self.format.is_empty();
        if formatted && !text_or_list && !named && *self.format != *kind.go_format() {
            return Some(Mismatch {
                want: &self.format,
                actual: kind.go_format(),
            });
        }
        // A format implies a string, which also lets every array pass.
        if formatted && text_or_list && !numeric {
            return None;
        }
        (!named).then_some(by_type)
    }
}
