//! The checks that a rule can make.

use crate::{Json, Literal, Str};

/// The check of a rule.
///
/// One variant per meaning, not per spelling: `+k8s:maxLength` and `+kubebuilder:validation:MaxLength` are
/// both [`Facet::MaxLength`]; [`Rule::family`](crate::Rule::family) distinguishes them.
#[derive(Debug, Clone, PartialEq)]
pub enum Facet {
    /// The value must be set.
    Required,
    /// The value may be unset.
    Optional,
    /// The value must not be set.
    Forbidden,
    /// `null` is a value of its own.
    Nullable,

    /// At least this many characters.
    MinLength(i64),
    /// At most this many characters.
    MaxLength(i64),
    /// At most this many bytes.
    MaxBytes(i64),
    /// Matches the regular expression somewhere.
    Pattern(Str),
    /// Text in a named format.
    Format(Str),

    /// Not below the limit (or above it, when exclusive).
    Minimum(Bound),
    /// Not above the limit (or below it, when exclusive).
    Maximum(Bound),
    /// Whether `minimum` of the same value is exclusive.
    ExclusiveMinimum(bool),
    /// Whether `maximum` of the same value is exclusive.
    ExclusiveMaximum(bool),
    /// A multiple of the number.
    MultipleOf(Json),
    /// Not this value.
    Neq(Literal),

    /// At least this many items.
    MinItems(i64),
    /// At most this many items.
    MaxItems(i64),
    /// No two items are equal (JSON schema's keyword).
    UniqueItems(bool),
    /// How the list is merged and how its items are identified.
    ListType(ListType),
    /// A key member of a list map; repeated for several.
    ListMapKey(Str),
    /// How items of an atomic list are identified.
    Unique(UniqueKind),
    /// Uniqueness is checked elsewhere.
    CustomUnique,

    /// At least this many entries.
    MinProperties(i64),
    /// At most this many entries.
    MaxProperties(i64),
    /// How a map is merged.
    MapType(MapType),
    /// How a struct is merged.
    StructType(MapType),

    /// One of the constants of the type.
    Enum,
    /// One of these values.
    EnumValues(Vec<Json>),

    /// Never changes.
    Immutable,
    /// What an update may not change.
    Update(Vec<UpdateConstraint>),
    /// Never decreases.
    Monotonic,

    /// Member of a union in which exactly one must be set.
    UnionMember {
        /// Name of the union; `None` is the unnamed one.
        union: Option<Str>,
        /// The discriminator's value for this member.
        member_name: Option<Str>,
    },
    /// Names the member of the union that is set.
    UnionDiscriminator {
        /// Name of the union.
        union: Option<Str>,
    },
    /// Declares a union whose members are virtual fields.
    Union {
        /// Name of the union.
        union: Option<Str>,
    },
    /// Makes the place a virtual field and a member of a group.
    MemberOf {
        /// Name of the group.
        group: Str,
    },
    /// Member of a group in which at most one may be set.
    ZeroOrOneOfMember {
        /// Name of the group; `None` is the unnamed one.
        union: Option<Str>,
        /// Has no effect; kept as written.
        member_name: Option<Str>,
    },
    /// Selects the mode of its siblings.
    ModeDiscriminator {
        /// Name of the group; `None` is the unnamed one.
        modality: Option<Str>,
    },
    /// When this is set the named sibling must be set.
    DependentRequired(Str),
    /// When this is set the named sibling must not be set.
    DependentForbidden(Str),

    /// Rules of the value's own type do not apply here.
    OpaqueType,
    /// A hand-written function checks it.
    CustomValidation,
    /// The field has no hand-written checks beside these rules.
    DeclarativeValidationNative,
    /// A check for tests of the machinery.
    Test(TestCheck),

    /// A CEL rule.
    Cel(CelRule),
    /// The published type, whatever the Go type is.
    Type(Str),
    /// Unknown members are kept.
    PreserveUnknownFields,
    /// The value is a whole Kubernetes object.
    EmbeddedResource,
    /// The value is an integer or a string.
    IntOrString,
    /// The Go type is ignored.
    Schemaless,
    /// At most one of the named members is set.
    AtMostOneOf(Vec<Str>),
    /// Exactly one of the named members is set.
    ExactlyOneOf(Vec<Str>),
    /// At least one of the named members is set.
    AtLeastOneOf(Vec<Str>),
    /// A title.
    Title(Json),
    /// A sample value.
    Example(Json),
    /// A link to documentation.
    ExternalDocs(ExternalDocs),
    /// How strategic merge patch treats the list or struct.
    PatchStrategy(Str),
    /// The key by which strategic merge patch identifies items.
    PatchMergeKey(Str),
    /// An `x-kubernetes-` extension given verbatim.
    Extension {
        /// Key.
        name: Str,
        /// Value as written.
        value: Str,
    },
}

/// A lower or upper bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The limit.
    pub limit: Limit,
    /// Whether the limit itself is rejected.
    pub exclusive: bool,
}

/// Where a bound's number comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Limit {
    /// A number, as JSON so that no digit is lost.
    Number(Json),
    /// The value of another field: JSON names, starting at the struct that holds the tagged field.
    Field(Vec<Str>),
}

/// How a list is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListType {
    /// As a whole.
    Atomic,
    /// Item by item; equal items are the same.
    Set,
    /// Item by item; items with equal keys are the same.
    Map,
}

/// How items of an atomic list are identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UniqueKind {
    /// By their whole value.
    Set,
    /// By their key members.
    Map,
}

/// How a map or struct is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapType {
    /// As a whole.
    Atomic,
    /// Member by member.
    Granular,
}

/// What an update may not change, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UpdateConstraint {
    /// Unset to set.
    NoSet,
    /// Set to unset.
    NoUnset,
    /// One value to another.
    NoModify,
    /// A new item or entry.
    NoAddItem,
    /// A removed item or entry.
    NoRemoveItem,
}

/// A check for tests of the machinery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCheck {
    /// Whether it always fails.
    pub fails: bool,
    /// Message of its failure.
    pub message: Option<Str>,
    /// A failure ends the checks of its cohort.
    pub short_circuit: bool,
    /// A failure is silent.
    pub non_error: bool,
    /// Name of its cohort.
    pub cohort: Option<Str>,
}

/// A CEL rule with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CelRule {
    /// The expression.
    pub rule: Str,
    /// Fixed message.
    pub message: Option<Str>,
    /// Expression for the message.
    pub message_expression: Option<Str>,
    /// Machine-readable reason of the failure.
    pub reason: Option<CelRuleReason>,
    /// Where the failure is reported, relative to the rule's place.
    pub field_path: Option<Str>,
    /// Whether `oldSelf` is optional.
    pub optional_old_self: Option<bool>,
}

/// Reasons that a CEL rule can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CelRuleReason {
    /// `FieldValueRequired`.
    Required,
    /// `FieldValueInvalid`.
    Invalid,
    /// `FieldValueForbidden`.
    Forbidden,
    /// `FieldValueDuplicate`.
    Duplicate,
}

/// A link to documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalDocs {
    /// Address.
    pub url: Str,
    /// Description of the link.
    pub description: Option<Str>,
}

impl ListType {
    /// The value of the tag.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Set => "set",
            Self::Map => "map",
        }
    }
}

impl UniqueKind {
    /// The value of the tag.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Map => "map",
        }
    }
}

impl MapType {
    /// The value of the tag.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Granular => "granular",
        }
    }
}

impl UpdateConstraint {
    /// All constraints, in the order of the checks.
    pub const ALL: [Self; 5] = [
        Self::NoSet,
        Self::NoUnset,
        Self::NoModify,
        Self::NoAddItem,
        Self::NoRemoveItem,
    ];

    /// The value of the tag.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSet => "NoSet",
            Self::NoUnset => "NoUnset",
            Self::NoModify => "NoModify",
            Self::NoAddItem => "NoAddItem",
            Self::NoRemoveItem => "NoRemoveItem",
        }
    }
}

impl CelRuleReason {
    /// The value of the argument.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::Forbidden => "FieldValueForbidden",
            Self::Duplicate => "FieldValueDuplicate",
        }
    }
}
