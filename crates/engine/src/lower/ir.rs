//! What tags become before they are laid out flat: calls of checks, as validation-gen would emit them.
//!
//! Knows how generated code is put together (flags, cohorts, levels, deferred work), not how checks run.

use std::sync::Arc;

use kindsmith_scalar::format::Format;
use kindsmith_schema::{FieldId, Level, Literal, Place, Str, TypeId, UpdateConstraint};

use super::Lowerer;

/// One call of a check.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) body: Body,
    /// A failure ends the checks of its cohort.
    pub(crate) short_circuit: bool,
    /// A failure is not reported.
    pub(crate) non_error: bool,
    pub(crate) cohort: Option<Str>,
    pub(crate) level: Option<Level>,
    /// Levels are inside; a level around it changes nothing.
    pub(crate) self_managed: bool,
    /// The rule it comes from.
    pub(crate) rule: Option<Place>,
}

/// What a call does.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Leaf(Leaf),
    /// The function of a named type.
    TypeFunction(TypeId),
    EachVal {
        matching: Matching,
        inner: Box<Call>,
    },
    EachKey(Box<Call>),
    Subfield {
        field: FieldId,
        name: Str,
        inner: Box<Call>,
    },
    Item {
        selector: Vec<(FieldId, Literal)>,
        inner: Box<Call>,
    },
    IfOption {
        option: Str,
        enabled: bool,
        inner: Box<Call>,
    },
    IfSubresource {
        path: Str,
        matches: bool,
        inner: Box<Call>,
    },
    Unique(Matching),
    Update {
        constraints: Vec<UpdateConstraint>,
        matching: Matching,
    },
    /// The KEP's constraints on a list item that may come and go.
    ItemUpdate {
        selector: Vec<(FieldId, Literal)>,
        constraints: Vec<UpdateConstraint>,
    },
    /// The KEP's reading of `immutable` on lists and maps.
    ImmutableItems(Matching),
    Union(Union),
    Dependent {
        trigger: FieldId,
        trigger_name: Str,
        dependent: FieldId,
        dependent_name: Str,
        required: bool,
    },
    Mode(Mode),
    /// A bound taken from another field, checked on the struct that holds both.
    Compare(Compare),
}

/// A check that looks at one value only.
#[derive(Debug, Clone)]
pub(crate) enum Leaf {
    Required,
    Optional,
    Forbidden,
    NoNils,
    Immutable,
    /// The KEP's reading of `immutable` on single values: may be set once.
    SetOnce,
    Monotonic,
    MinLength(i64),
    MaxLength(i64),
    MaxBytes(i64),
    MinItems(i64),
    MaxItems(i64),
    MinProperties(i64),
    MaxProperties(i64),
    Minimum {
        limit: Number,
        exclusive: bool,
    },
    Maximum {
        limit: Number,
        exclusive: bool,
    },
    Neq(Literal),
    Enum(Arc<EnumSet>),
    Format(&'static Format),
    Fixed {
        fails: bool,
        message: Str,
    },
    Custom(Str),
}

/// A limit: exact for integers, a float otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

/// The values of an enum.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EnumSet {
    /// Sorted by bytes, without those never allowed.
    pub(crate) values: Vec<Str>,
    /// Conditions, by constant name; within one, those that exclude when off come first.
    pub(crate) exclusions: Vec<EnumExclusion>,
}

/// An enum value that an option takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EnumExclusion {
    pub(crate) value: Str,
    pub(crate) option: Str,
    pub(crate) when: bool,
}

/// How an element of a changed list finds its old self.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Matching {
    /// It does not.
    None,
    /// By key members.
    Keys(Vec<FieldId>),
    /// By its whole value.
    Value,
}

/// A group of which some number of members must be set.
#[derive(Debug, Clone)]
pub(crate) struct Union {
    pub(crate) zero_or_one: bool,
    /// Name and field of the discriminator.
    pub(crate) discriminator: Option<(Str, FieldId)>,
    /// In the order of messages: name, and the discriminator's value for it.
    pub(crate) names: Vec<(Str, Str)>,
    /// In the order of tests.
    pub(crate) members: UnionMembers,
}

/// What the members of a union are.
#[derive(Debug, Clone)]
pub(crate) enum UnionMembers {
    Fields(Vec<FieldId>),
    Items(Vec<Vec<(FieldId, Literal)>>),
}

/// Checks of a member that depend on a discriminator.
#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub(crate) discriminator: FieldId,
    pub(crate) field: FieldId,
    pub(crate) name: Str,
    /// Sorted by value.
    pub(crate) rules: Vec<(Str, Vec<Call>)>,
    /// Level of the error when no rule is for the mode.
    pub(crate) forbidden_level: Option<Level>,
}

/// A bound taken from another field.
#[derive(Debug, Clone)]
pub(crate) struct Compare {
    pub(crate) field: FieldId,
    pub(crate) each: bool,
    /// Members from the struct down to the limit.
    pub(crate) limit: Vec<FieldId>,
    pub(crate) at_least: bool,
    pub(crate) exclusive: bool,
}

/// Where a deferred piece of work puts its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// On the field or type that has the tag.
    This,
    /// On the struct around the field.
    Parent,
}

type Work<'s> = Box<dyn FnOnce(&mut Lowerer<'s>) -> Validations<'s> + 's>;

/// Work left for when all tags of a place have been seen.
pub(crate) struct Deferred<'s> {
    pub(crate) scope: Scope,
    pub(crate) work: Work<'s>,
}

/// What tags become.
#[derive(Default)]
pub(crate) struct Validations<'s> {
    pub(crate) calls: Vec<Call>,
    pub(crate) deferred: Vec<Deferred<'s>>,
    /// Something was said that runs nothing but still counts as a validation.
    pub(crate) comment: bool,
    pub(crate) opaque: bool,
    pub(crate) opaque_keys: bool,
    pub(crate) opaque_values: bool,
}

impl Call {
    pub(crate) fn new(body: Body, rule: Option<Place>) -> Self {
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

    /// The same with another body: flags stay, cohort and level go inside.
    pub(crate) fn wrapped(self, wrap: impl FnOnce(Box<Call>) -> Body) -> Self {
        let mut outer = Self::new(Body::Leaf(Leaf::Required), self.rule);
        outer.short_circuit = self.short_circuit;
        outer.non_error = self.non_error;
        outer.body = wrap(Box::new(self));
        outer
    }

    pub(crate) fn short_circuiting(mut self) -> Self {
        self.short_circuit = true;
        self
    }

    pub(crate) fn silent(mut self) -> Self {
        self.non_error = true;
        self
    }

    /// Whether the call takes arguments. Inside a wrapper upstream names a function without arguments directly, so
    /// the level on it is lost (VG/validation.go, `toGolangSourceDataLiteral`).
    pub(crate) fn has_arguments(&self) -> bool {
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

impl<'s> Validations<'s> {
    pub(crate) fn one(call: Call) -> Self {
        Self {
            calls: vec![call],
            ..Self::default()
        }
    }

    pub(crate) fn later(scope: Scope, work: impl FnOnce(&mut Lowerer<'s>) -> Validations<'s> + 's) -> Self {
        Self {
            deferred: vec![Deferred {
                scope,
                work: Box::new(work),
            }],
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.calls.extend(other.calls);
        self.deferred.extend(other.deferred);
        self.comment |= other.comment;
        self.opaque |= other.opaque;
        self.opaque_keys |= other.opaque_keys;
        self.opaque_values |= other.opaque_values;
    }

    /// Changes every call, those of deferred work included.
    pub(crate) fn map(self, change: impl Fn(Call, Scope) -> Call + Clone + 's) -> Self {
        self.map_in(Scope::This, change)
    }

    pub(crate) fn map_in(mut self, scope: Scope, change: impl Fn(Call, Scope) -> Call + Clone + 's) -> Self {
        self.calls = self.calls.into_iter().map(|call| change(call, scope)).collect();
        self.deferred = self
            .deferred
            .into_iter()
            .map(|deferred| {
                let change = change.clone();
                let (scope, work) = (deferred.scope, deferred.work);
                Deferred {
                    scope,
                    work: Box::new(move |lowerer| work(lowerer).map_in(scope, change)),
                }
            })
            .collect();
        self
    }

    /// Runs all deferred work at once, whatever its scope.
    pub(crate) fn resolved(deferred: Vec<Deferred<'s>>, lowerer: &mut Lowerer<'s>) -> Self {
        let mut resolved = Self::default();
        for one in deferred {
            resolved.add((one.work)(lowerer));
        }
        resolved
    }
}
