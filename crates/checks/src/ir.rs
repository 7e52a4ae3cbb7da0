//! Tags before they are laid out flat: calls of checks, as validation-gen would emit them.
//!
//! Knows how generated code is put together (flags, cohorts, levels), not how checks run.

use std::sync::Arc;

use kindsmith_formats::format::Format;
use kindsmith_schema::{FieldId, Level, Literal, Place, Str, TypeId, UpdateConstraint};

/// One call of a check.
#[derive(Debug, Clone)]
pub struct Call {
    /// What the call does.
    pub body: Body,
    /// Whether a failure ends the checks of its cohort.
    pub short_circuit: bool,
    /// Whether a failure is silent.
    pub non_error: bool,
    /// The group of checks that a failure ends; `None` is the first group, whose failure ends all checks.
    pub cohort: Option<Str>,
    /// Stability level of its errors.
    pub level: Option<Level>,
    /// The levels are set inside; an outer level changes nothing.
    pub self_managed: bool,
    /// The rule it comes from.
    pub rule: Option<Place>,
}

/// What a call does.
#[derive(Debug, Clone)]
pub enum Body {
    /// Checks one value.
    Leaf(Leaf),
    /// Calls the function of a named type.
    TypeFunction(TypeId),
    /// Runs on every element of a list or value of a map.
    EachVal {
        /// How elements are matched with old ones.
        matching: Matching,
        /// The call to run.
        inner: Box<Call>,
    },
    /// Runs on every key of a map.
    EachKey(Box<Call>),
    /// Runs on a member of a struct.
    Subfield {
        /// The member.
        field: FieldId,
        /// Its name in paths.
        name: Str,
        /// The call to run.
        inner: Box<Call>,
    },
    /// Runs on the list item that a selector picks.
    Item {
        /// Key members and their values.
        selector: Vec<(FieldId, Literal)>,
        /// The call to run.
        inner: Box<Call>,
    },
    /// Runs only if an option is on, or off.
    IfOption {
        /// Name of the option.
        option: Str,
        /// The required state.
        enabled: bool,
        /// The call to run.
        inner: Box<Call>,
    },
    /// Runs only for one subresource, or for all but that one. KEP only.
    IfSubresource {
        /// Path of the subresource, as `/status`.
        path: Str,
        /// Whether it must be this one.
        matches: bool,
        /// The call to run.
        inner: Box<Call>,
    },
    /// No two elements are equal.
    Unique(Matching),
    /// What an update may not change.
    Update {
        /// In the order of the checks.
        constraints: Vec<UpdateConstraint>,
        /// How elements are matched with old ones.
        matching: Matching,
    },
    /// The KEP's constraints on a list item that may be added and removed.
    ItemUpdate {
        /// Key members and their values.
        selector: Vec<(FieldId, Literal)>,
        /// In the order of the checks.
        constraints: Vec<UpdateConstraint>,
    },
    /// The KEP's reading of `immutable` on lists and maps.
    ImmutableItems(Matching),
    /// A number of members of a group must be set.
    Union(Union),
    /// Whether one member is set decides about another.
    Dependent {
        /// The member that decides.
        trigger: FieldId,
        /// Its name in messages.
        trigger_name: Str,
        /// The member that must or must not be set.
        dependent: FieldId,
        /// Its name in paths.
        dependent_name: Str,
        /// Whether it must be set.
        required: bool,
    },
    /// Checks of a member that depend on a discriminator.
    Mode(Mode),
    /// A bound taken from another field, checked on the struct that holds both.
    Compare(Compare),
}

/// A check that looks at one value only.
#[derive(Debug, Clone)]
pub enum Leaf {
    /// The value is set.
    Required,
    /// The value is set; a failure is silent and ends the checks.
    Optional,
    /// The value is not set.
    Forbidden,
    /// No element is nil.
    NoNils,
    /// No update at all.
    Immutable,
    /// The KEP's reading of `immutable` on single values: may be set once.
    SetOnce,
    /// Never decreases.
    Monotonic,
    /// At least this many characters.
    MinLength(i64),
    /// At most this many characters.
    MaxLength(i64),
    /// At most this many bytes.
    MaxBytes(i64),
    /// At least this many items.
    MinItems(i64),
    /// At most this many items.
    MaxItems(i64),
    /// At least this many entries.
    MinProperties(i64),
    /// At most this many entries.
    MaxProperties(i64),
    /// Not below a limit.
    Minimum {
        /// The limit.
        limit: Number,
        /// Whether the limit itself is rejected.
        exclusive: bool,
    },
    /// Not above a limit.
    Maximum {
        /// The limit.
        limit: Number,
        /// Whether the limit itself is rejected.
        exclusive: bool,
    },
    /// Not this value.
    Neq(Literal),
    /// One of these values.
    Enum(Arc<EnumSet>),
    /// Text of a format.
    Format(&'static Format),
    /// Always fails or always passes; for tests of the machinery.
    Fixed {
        /// Whether it fails.
        fails: bool,
        /// The message.
        message: Str,
    },
    /// A hand-written function of this name.
    Custom(Str),
}

/// A limit: exact for integers, a float otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A fraction.
    Float(f64),
}

impl Number {
    /// The limit as Go prints it.
    #[must_use]
    pub fn text(self) -> Str {
        match self {
            Number::Int(limit) => limit.to_string().into(),
            Number::Float(limit) => kindsmith_gostd::float::format_f64(limit).into(),
        }
    }
}

/// The values of an enum.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumSet {
    /// Sorted by bytes, without values that are never allowed.
    pub values: Vec<Str>,
    /// Conditions, by constant name; within one, those that exclude when off come first.
    pub exclusions: Vec<EnumExclusion>,
}

/// An enum value that an option excludes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumExclusion {
    /// The value.
    pub value: Str,
    /// Name of the option.
    pub option: Str,
    /// The state of the option that excludes the value.
    pub when: bool,
}

/// How an element of a changed list finds its old value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matching {
    /// Not at all.
    None,
    /// By key members.
    Keys(Vec<FieldId>),
    /// By its whole value.
    Value,
}

/// A group in which some number of members must be set.
#[derive(Debug, Clone)]
pub struct Union {
    /// Whether it is valid to set no member.
    pub zero_or_one: bool,
    /// Name and field of the discriminator.
    pub discriminator: Option<(Str, FieldId)>,
    /// In message order: name, and the discriminator's value for it.
    pub names: Vec<(Str, Str)>,
    /// In checking order.
    pub members: UnionMembers,
}

/// What the members of a union are.
#[derive(Debug, Clone)]
pub enum UnionMembers {
    /// Members of a struct.
    Fields(Vec<FieldId>),
    /// Items of a list, each by its key members and their values.
    Items(Vec<Vec<(FieldId, Literal)>>),
    /// Values below a struct, each by the way to it. KEP only.
    Routes(Vec<Vec<RouteStep>>),
}

/// One step on the way to a value below a struct.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteStep {
    /// To a member.
    Field(FieldId),
    /// To the list item with these key members and values.
    Item(Vec<(FieldId, Literal)>),
    /// To any element of a list or value of a map.
    Each,
}

/// Checks of a member that depend on a discriminator.
#[derive(Debug, Clone)]
pub struct Mode {
    /// The member that chooses.
    pub discriminator: FieldId,
    /// The member that is checked.
    pub field: FieldId,
    /// Its name in paths.
    pub name: Str,
    /// Sorted by value.
    pub rules: Vec<(Str, Vec<Call>)>,
    /// Level of the error for a mode without rules.
    pub forbidden_level: Option<Level>,
}

/// A bound taken from another field.
#[derive(Debug, Clone)]
pub struct Compare {
    /// The member that is checked.
    pub field: FieldId,
    /// The way from the member to what is compared; empty for the member itself.
    pub below: Vec<RouteStep>,
    /// Members from the struct down to the limit.
    pub limit: Vec<FieldId>,
    /// Whether the limit is a lower one.
    pub at_least: bool,
    /// Whether the limit itself is rejected.
    pub exclusive: bool,
}

impl Call {
    /// A call without flags, cohort or level.
    #[must_use]
    pub fn new(body: Body, rule: Option<Place>) -> Self {
        Self {
            body,
            short_circuit: false,
            non_error: false,
            cohort: None,
            level: None,
            self_managed: false,
            rule,
        }
    }

    /// Wraps the call in another body: flags stay outside, cohort and level go inside.
    pub(crate) fn wrapped(self, wrap: impl FnOnce(Box<Call>) -> Body) -> Self {
        let mut outer = Self::new(Body::Leaf(Leaf::Required), self.rule);
        outer.short_circuit = self.short_circuit;
        outer.non_error = self.non_error;
        outer.body = wrap(Box::new(self));
        outer
    }

    /// Makes the call stop other checks of its field when it fails.
    #[must_use]
    pub fn short_circuiting(mut self) -> Self {
        self.short_circuit = true;
        self
    }

    pub(crate) fn silent(mut self) -> Self {
        self.non_error = true;
        self
    }

    /// Whether the call takes arguments. Inside a wrapper upstream names a function without arguments directly, so
    /// the level on it is lost (VG/validation.go, `toGolangSourceDataLiteral`).
    #[must_use]
    pub fn has_arguments(&self) -> bool {
        match &self.body {
            Body::Leaf(leaf) => !matches!(
                leaf,
                Leaf::Required
                    | Leaf::Optional
                    | Leaf::Forbidden
                    | Leaf::NoNils
                    | Leaf::Immutable
                    | Leaf::SetOnce
                    | Leaf::Monotonic
                    | Leaf::Format(_)
                    | Leaf::Custom(_)
            ),
            Body::TypeFunction(_) => false,
            _ => true,
        }
    }
}
