//! What a rule can demand.

use crate::{Json, Literal, Str};

/// What a rule demands of the value it applies to.
///
/// One variant per meaning, not per spelling: `+k8s:maxLength` and `+kubebuilder:validation:MaxLength` are both
/// [`Facet::MaxLength`]; [`Rule::family`](crate::Rule::family) tells them apart.
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

    /// At least so many characters.
    MinLength(i64),
    /// At most so many characters.
    MaxLength(i64),
    /// At most so many bytes.
    MaxBytes(i64),
    /// Matches the regular expression somewhere.
    Pattern(Str),
    /// Is text of a named format.
    Format(Str),

    /// Not below the limit (or above it, when exclusive).
    Minimum(Bound),
    /// Not above the limit (or below it, when exclusive).
    Maximum(Bound),
    /// The `minimum` of the same value is itself refused or not.
    ExclusiveMinimum(bool),
    /// The `maximum` of the same value is itself refused or not.
    ExclusiveMaximum(bool),
    /// A multiple of the number.
    MultipleOf(Json),
    /// Not this value.
    Neq(Literal),

    /// At least so many items.
    MinItems(i64),
    /// At most so many items.
    MaxItems(i64),
    /// No two items are equal (JSON schema's keyword).
    UniqueItems(bool),
    /// How the list is merged, and what its items are known by.
    ListType(ListType),
    /// A member that identifies items of a list map; repeated for several.
    ListMapKey(Str),
    /// What items of an atomic list are known by.
    Unique(UniqueKind),
    /// Uniqueness is checked elsewhere.
    CustomUnique,

    /// At least so many entries.
    MinProperties(i64),
    /// At most so many entries.
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
    /// What an update may not do.
    Update(Vec<UpdateConstraint>),
    /// Never decreases.
    Monotonic,

    /// Member of a union, of which exactly one is set.
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
    /// Member of a group, of which at most one is set.
    ZeroOrOneOfMember {
        /// Name of the group; `None` is the unnamed one.
        union: Option<Str>,
        /// Has no effect; kept because it was written.
        member_name: Option<Str>,
    },
    /// Chooses the mode of its siblings.
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
    /// The rules on this field are the only ones there are; no hand-written check mirrors them.
    DeclarativeValidationNative,
    /// A check that exists for tests of the machinery.
    Test(TestCheck),

    /// A CEL rule.
    Cel(CelRule),
    /// The published type, whatever the Go type is.
    Type(Str),
    /// Unknown members are kept.
    PreserveUnknownFields,
    /// The value is a whole Kubernetes object.
    EmbeddedResource,
    /// The value is an integer or text.
    IntOrString,
    /// The Go type is not looked at.
    Schemaless,
    /// At most one of the named members is set.
    AtMostOneOf(Vec<Str>),
    /// Exactly one of the named members is set.
    ExactlyOneOf(Vec<Str>),
    /// At least one of the named members is set.
    AtLeastOneOf(Vec<Str>),
    /// A title for people.
    Title(Json),
    /// A sample value.
    Example(Json),
    /// A link to documentation.
    ExternalDocs(ExternalDocs),
    /// How strategic merge patch treats the list or struct.
    PatchStrategy(Str),
    /// The key by which strategic merge patch knows items.
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
    /// Whether the limit itself is refused.
    pub exclusive: bool,
}

/// Where a bound's number comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Limit {
    /// A number, as JSON so that no digit is lost.
    Number(Json),
    /// The value of another field: JSON names from the struct that holds the tagged field.
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

/// What items of an atomic list are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UniqueKind {
    /// Their whole value.
    Set,
    /// Their key members.
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

/// What an update may not do, in the order the checks run.
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
    /// An item or entry less.
    NoRemoveItem,
}

/// A check that exists for tests of the machinery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCheck {
    /// Whether it always fails.
    pub fails: bool,
    /// Text of its failure.
    pub message: Option<Str>,
    /// A failure ends the checks of its cohort.
    pub short_circuit: bool,
    /// A failure is not reported.
    pub non_error: bool,
    /// Name of its cohort.
    pub cohort: Option<Str>,
}

/// A CEL rule with everything around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CelRule {
    /// The expression.
    pub rule: Str,
    /// Fixed failure text.
    pub message: Option<Str>,
    /// Expression that gives the failure text.
    pub message_expression: Option<Str>,
    /// Kind of the failure.
    pub reason: Option<CelRuleReason>,
    /// Where the failure is reported, relative to the rule's place.
    pub field_path: Option<Str>,
    /// Whether `oldSelf` is optional.
    pub optional_old_self: Option<bool>,
}

/// Kinds of failure a CEL rule can choose.
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
    /// Text beside it.
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
    /// All constraints, in the order the checks run.
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
