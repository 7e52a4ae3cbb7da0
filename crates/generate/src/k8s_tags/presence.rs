//! Presence of members: what Go treats as unset, in CEL.

use kindsmith_cel::escape::escape;
use kindsmith_checks::{Types, is_zero_default};
use kindsmith_schema::{Facet, Family, Field, JsonSchema, Rule, Scalar, Str, TypeRef, ValidationRule, View};

use super::cel_text::rule_of;
use super::enforcement::{Enforcement, decide};
use super::identity::Identity;
use super::marks::addition;
use super::reading::Reading;

/// The kind of a Go value with regard to presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zero {
    /// A struct, which is always present.
    Never,
    /// A pointer or other type that may be absent.
    Absent,
    Text,
    Number,
    Float,
    Truth,
    /// A list or map.
    Empty,
    /// A library type with an encoding of its own.
    Opaque,
}

/// A value that rules apply to.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: Str,
    /// The name in CEL, if it has one.
    pub(crate) cel: Option<String>,
    pub(crate) zero: Zero,
    /// The kind of the value itself, behind a pointer.
    pub(crate) kind: Zero,
    /// Zero counts as unset and passes all other checks.
    pub(crate) optional: bool,
    /// Zero is rejected.
    pub(crate) required: bool,
    /// How its items are identified, if it is a list.
    pub(crate) identity: Identity,
    /// Whether it is a list of few items, whose comparison one by one is cheap.
    pub(crate) is_short: bool,
    /// Whether the value is behind a pointer.
    pub(crate) is_pointer: bool,
    pub(crate) ty: TypeRef,
}

fn zero(view: View<'_>, of: &TypeRef) -> Zero {
    let of = view.unalias(of);
    if let TypeRef::Named(id) = of
        && view.ty(*id).well_known.is_some()
    {
        return Zero::Opaque;
    }
    match view.underlying(of) {
        TypeRef::Scalar(Scalar::String) => Zero::Text,
        TypeRef::Scalar(Scalar::Bool) => Zero::Truth,
        TypeRef::Scalar(Scalar::Float32 | Scalar::Float64) => Zero::Float,
        TypeRef::Scalar(_) => Zero::Number,
        TypeRef::List(_) | TypeRef::Map(..) => Zero::Empty,
        TypeRef::Pointer(_) | TypeRef::Any { .. } | TypeRef::Interface => Zero::Absent,
        _ => Zero::Never,
    }
}

/// API servers bound the estimated cost of a rule: with more items, texts of any length would exceed it.
const FEW: i64 = 16;

fn is_short(rule: &Rule) -> bool {
    rule.is_plain() && matches!(rule.facet, Facet::MaxItems(most) if most <= FEW)
}

/// Whether the type allows any value, so that CEL cannot see it.
fn is_free_form(view: View<'_>, of: &TypeRef) -> bool {
    match view.underlying(view.deref(of)) {
        TypeRef::Any { .. } | TypeRef::Interface => true,
        TypeRef::List(inner) | TypeRef::Map(_, inner) => is_free_form(view, inner),
        _ => false,
    }
}

impl Member {
    pub(crate) fn new(reading: &Reading<'_>, field: &Field) -> Self {
        let view = reading.view;
        let stands = |facet: &Facet, wanted: Enforcement| {
            field
                .rules
                .iter()
                .any(|rule| rule.facet == *facet && is_plain(reading, rule, wanted))
        };
        let has = |facet: &Facet| stands(facet, Enforcement::Enforced);
        let kind = zero(view, &field.ty);
        let (optional, required) = match &field.default {
            // A value with a default is always set when it is checked; then optional means required.
            Some(default) if has(&Facet::Optional) => {
                let is_zero =
                    kind != Zero::Opaque && is_zero_default(Types::new(reading.schema), &field.ty, default);
                (false, has(&Facet::Required) || !is_zero)
            }
            _ => (
                // A hidden failure of `required` stops all other checks, as `optional` does.
                has(&Facet::Optional)
                    || has(&Facet::Forbidden)
                    || stands(&Facet::Required, Enforcement::Hidden),
                has(&Facet::Required),
            ),
        };
        let name: Str = field.json_name().unwrap_or_default().into();
        Self {
            cel: escape(&name).filter(|_| !is_free_form(view, &field.ty)),
            name,
            zero: kind,
            kind: zero(view, view.deref(&field.ty)),
            optional: optional && !required,
            required,
            identity: Identity::of(view, &field.rules, &field.ty),
            is_short: field.rules.iter().any(is_short),
            is_pointer: zero(view, &field.ty) == Zero::Absent,
            ty: view.deref(&field.ty).clone(),
        }
    }

    /// A value that is always present when it is checked.
    pub(crate) fn always_set(view: View<'_>, of: &TypeRef) -> Self {
        Self {
            name: "".into(),
            cel: None,
            zero: Zero::Never,
            kind: zero(view, view.deref(of)),
            optional: false,
            required: false,
            identity: Identity::of(view, &[], of),
            is_short: false,
            is_pointer: zero(view, of) == Zero::Absent,
            ty: view.deref(of).clone(),
        }
    }

    /// Text that is present.
    pub(crate) fn text() -> Self {
        Self {
            name: "".into(),
            cel: None,
            zero: Zero::Never,
            kind: Zero::Text,
            optional: false,
            required: false,
            identity: Identity::Atomic,
            is_short: false,
            is_pointer: false,
            ty: TypeRef::Scalar(Scalar::String),
        }
    }

    /// An element of the list or map.
    pub(crate) fn inner(&self, view: View<'_>) -> Option<Self> {
        match view.underlying(&self.ty) {
            TypeRef::List(inner) | TypeRef::Map(_, inner) => Some(Self::always_set(view, inner)),
            _ => None,
        }
    }

    /// A member of the struct.
    pub(crate) fn sub(&self, reading: &Reading<'_>, name: &str) -> Option<Self> {
        let (_, fields) = reading.view.members(&self.ty)?;
        let field = fields.iter().find(|field| field.json_name() == Some(name))?;
        Some(Self::new(reading, field))
    }

    /// Whether an absent member is checked as zero.
    pub(crate) fn may_be_absent(&self) -> bool {
        !matches!(self.zero, Zero::Never | Zero::Absent | Zero::Opaque)
    }

    /// Whether it is a list of bytes, which is published as a string.
    pub(crate) fn is_bytes(&self, view: View<'_>) -> bool {
        let TypeRef::List(inner) = view.underlying(&self.ty) else {
            return false;
        };
        **inner == TypeRef::Scalar(Scalar::Byte)
    }

    /// Whether it is a map.
    pub(crate) fn is_map(&self, view: View<'_>) -> bool {
        matches!(view.underlying(&self.ty), TypeRef::Map(..))
    }

    /// Reports failures of a rule at the member.
    pub(crate) fn at(&self, mut rule: ValidationRule) -> ValidationRule {
        if let Some(name) = self.cel.as_deref().filter(|name| *name == &*self.name) {
            rule.field_path = format!(".{name}").into();
        }
        rule
    }

    /// Whether the member of `of` is set, in CEL.
    pub(crate) fn is_set(&self, of: &str) -> Option<String> {
        let name = self.cel.as_deref()?;
        Some(match self.zero {
            Zero::Never => "true".to_owned(),
            Zero::Absent | Zero::Opaque => format!("has({of}.{name})"),
            Zero::Text => format!("(has({of}.{name}) && {of}.{name} != '')"),
            Zero::Number => format!("(has({of}.{name}) && {of}.{name} != 0)"),
            Zero::Float => format!("(has({of}.{name}) && {of}.{name} != 0.0)"),
            Zero::Truth => format!("(has({of}.{name}) && {of}.{name})"),
            Zero::Empty => format!("(has({of}.{name}) && size({of}.{name}) > 0)"),
        })
    }

    /// The member's value as Go has it, in CEL; scalars only.
    pub(crate) fn value(&self, of: &str) -> Option<String> {
        let name = self.cel.as_deref()?;
        let zero = self.zero_literal()?;
        Some(format!("(has({of}.{name}) ? {of}.{name} : {zero})"))
    }

    /// The zero value of a scalar, in CEL.
    pub(crate) fn zero_literal(&self) -> Option<&'static str> {
        match self.zero {
            Zero::Text => Some("''"),
            Zero::Number => Some("0"),
            Zero::Float => Some("0.0"),
            Zero::Truth => Some("false"),
            _ => None,
        }
    }

    /// Whether `of` is zero, in CEL; `None` if zero is an ordinary value.
    pub(crate) fn is_unset_value(&self, of: &str) -> Option<String> {
        match self.zero {
            Zero::Empty => Some(format!("size({of}) == 0")),
            Zero::Truth => Some(format!("!{of}")),
            _ => self.zero_literal().map(|zero| format!("{of} == {zero}")),
        }
    }
}

/// Whether a rule is about the value itself and has this state.
fn is_plain(reading: &Reading<'_>, rule: &Rule, wanted: Enforcement) -> bool {
    let (standing, wraps) = decide(reading.switches, rule);
    standing == wanted && wraps.is_empty()
}

/// Says in the schemas what Go says of a member that is not there.
pub(crate) fn require(
    field: &Field,
    member: &Member,
    zero_fails: bool,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    if member.required {
        demand(member, node, parent);
    } else if is_demanded(field) && node.default.is_none() && !member.name.is_empty() {
        add_required(&member.name, parent);
    } else if member.zero == Zero::Never && !member.name.is_empty() {
        // An absent struct is a zero struct.
        if node.default.is_some() {
            parent.required.retain(|name| *name != member.name);
        } else {
            add_required(&member.name, parent);
        }
    } else if member.optional || field.default.is_some() || field.crd_default.is_some() {
        parent.required.retain(|name| *name != member.name);
    } else if member.may_be_absent() && !member.name.is_empty() {
        if zero_fails {
            add_required(&member.name, parent);
        } else {
            // Go writes zero for an absent value, and accepts it.
            parent.required.retain(|name| *name != member.name);
        }
    } else if member.zero == Zero::Absent {
        parent.required.retain(|name| *name != member.name);
    }
    parent.required.sort();
}

/// Whether controller-gen's own marker demands the member: it must be there, and may be zero.
pub(crate) fn is_demanded(field: &Field) -> bool {
    let demands = |rule: &Rule| rule.family == Family::Kubebuilder && rule.facet == Facet::Required;
    field.rules.iter().any(demands)
}

/// Requires a member, once.
fn add_required(name: &Str, parent: &mut JsonSchema) {
    if !parent.required.contains(name) {
        parent.required.push(name.clone());
    }
}

/// The member must be present and not zero.
pub(crate) fn demand(member: &Member, node: &mut JsonSchema, parent: &mut JsonSchema) {
    if member.zero == Zero::Never {
        return;
    }
    add_required(&member.name, parent);
    let mut refused = addition();
    match member.zero {
        Zero::Text => refused.min_length = Some(1),
        Zero::Number | Zero::Truth | Zero::Float => {
            let unset = member.is_unset_value("self").unwrap_or_default();
            node.validations
                .push(rule_of(&format!("!({unset})"), "must be set"));
            return;
        }
        Zero::Empty if &*node.ty == "array" => refused.min_items = Some(1),
        Zero::Empty if &*node.ty == "string" => refused.min_length = Some(1),
        Zero::Empty => refused.min_properties = Some(1),
        _ => return,
    }
    node.all_of.push(refused);
}
