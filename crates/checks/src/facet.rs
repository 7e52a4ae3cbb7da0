//! Tags that do not wrap another tag.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{
    Bound, Constant, Exclusion, Facet, FieldId, Json, Limit, Literal, Rule, Scalar, Str, TestCheck, TypeRef,
    Wrap,
};

use super::context::{Context, On};
use super::deferred::{Scope, Validations};
use super::ir::{Compare, EnumExclusion, EnumSet, Leaf, Number, RouteStep};
use super::wrap::unquoted;
use super::{Body, Call, Lowerer, Types, item};

impl<'s> Lowerer<'s> {
    /// Lowers the innermost tag of a rule.
    pub(super) fn facet(&mut self, context: &Context, rule: &'s Rule) -> Validations<'s> {
        match &rule.facet {
            Facet::Required => self.required(context),
            Facet::Optional => self.optional(context),
            Facet::Forbidden => self.forbidden(context),
            Facet::Immutable => self.immutable(context),
            Facet::Update(constraints) => self.update(context, constraints),
            Facet::ListType(list_type) => self.list_type(context, *list_type),
            Facet::Unique(kind) => self.unique(context, *kind),
            Facet::ListMapKey(name) => self.list_map_key(context, name),
            Facet::CustomUnique => self.custom_unique(context),
            Facet::UnionDiscriminator { union } => self.union_discriminator(context, union.as_ref()),
            Facet::UnionMember { union, member_name } => {
                self.union_member(context, union.as_ref(), member_name.as_ref(), false)
            }
            Facet::MemberOf { group } if self.spanning.contains(group) => Validations::default(),
            Facet::MemberOf { group } => self.union_member(context, Some(group), None, false),
            Facet::ZeroOrOneOfMember { union, member_name } => {
                self.union_member(context, union.as_ref(), member_name.as_ref(), true)
            }
            Facet::ModeDiscriminator { modality } => self.mode_discriminator(context, modality.as_ref()),
            Facet::DependentRequired(name) => self.dependent(context, name, true),
            Facet::DependentForbidden(name) => self.dependent(context, name, false),
            Facet::OpaqueType => self.opaque_type(context),
            Facet::Test(test) => test_call(context, test),
            facet => match self.leaf(context, facet) {
                Some(leaf) => leaf_call(context, leaf),
                None => Validations::default(),
            },
        }
    }

    /// The call of a tag on one value, unless every value passes.
    fn leaf(&self, context: &Context, facet: &Facet) -> Option<Leaf> {
        match facet {
            Facet::CustomValidation => Some(Leaf::Custom(self.custom_function(context)?)),
            Facet::MinLength(limit) if *limit <= 0 => None,
            Facet::Enum if context.on != On::Type => None,
            facet => value_check(self.types, &context.ty, facet),
        }
    }

    fn opaque_type(&mut self, context: &Context) -> Validations<'s> {
        match (context.on, context.member) {
            (On::Type, _) => {
                if let Some(id) = self.types.function_type(&context.ty) {
                    self.opaque_types.insert(id);
                }
            }
            (On::Field, Some(member)) => {
                self.opaque_members.insert(member);
            }
            _ => {}
        }
        Validations {
            opaque: true,
            ..Validations::default()
        }
    }

    /// The name of the hand-written function upstream calls.
    fn custom_function(&self, context: &Context) -> Option<Str> {
        let name = |ty: &TypeRef| match ty {
            TypeRef::Named(id) => Some(self.types.schema.ty(*id).name.name.clone()),
            _ => None,
        };
        match context.member {
            Some(member) => {
                let owner = name(context.parent.as_ref()?)?;
                let field = &self.types.schema.field(member).name;
                Some(format!("ValidateCustom_{owner}_{field}").into())
            }
            None => Some(format!("ValidateCustom_{}", name(&context.ty)?).into()),
        }
    }

    /// A bound given by another field, hoisted to the struct that holds both. KEP only.
    pub(super) fn compare(&self, context: &Context, rule: &Rule, depth: usize) -> Option<Validations<'s>> {
        let (bound, at_least) = match &rule.facet {
            Facet::Minimum(bound) => (bound, true),
            Facet::Maximum(bound) => (bound, false),
            _ => return None,
        };
        let Limit::Field(names) = &bound.limit else {
            return None;
        };
        // Only levels and conditions may stand around the place.
        let (before, after) = rule.wraps.split_at(depth.min(rule.wraps.len()));
        if before
            .iter()
            .any(|wrap| !matches!(wrap, Wrap::Level { .. } | Wrap::If(_)))
        {
            return Some(Validations::default());
        }
        if after
            .iter()
            .any(|wrap| matches!(wrap, Wrap::Level { .. } | Wrap::If(_)))
        {
            return None;
        }
        let (Some(field), Some(parent)) = (context.member, &context.parent) else {
            return Some(Validations::default());
        };
        let (Some(below), Some(limit)) = (self.steps(&context.ty, after), self.path(parent, names)) else {
            return Some(Validations::default());
        };
        let compare = Compare {
            field,
            below,
            limit,
            at_least,
            exclusive: bound.exclusive,
        };
        let call = Call::new(Body::Compare(compare), context.rule);
        Some(Validations::later(Scope::Parent, move |_| Validations::one(call)))
    }
}

impl Lowerer<'_> {
    /// The way that wrappers lead from a value of a type.
    fn steps(&self, of: &TypeRef, wraps: &[Wrap]) -> Option<Vec<RouteStep>> {
        let mut here = of.clone();
        let mut steps = Vec::new();
        for wrap in wraps {
            let element = || {
                let list = self.types.list_element(&here);
                list.or_else(|| self.types.map_parts(&here).map(|(_, value)| value))
            };
            let (step, below) = match wrap {
                Wrap::Subfield(name) => {
                    let (member, field) = self.types.member(&here, name)?;
                    (RouteStep::Field(member), field.ty.clone())
                }
                Wrap::Item(selector) => {
                    let element = self.types.non_pointer(&element()?);
                    let keys = item::criteria(self.types, &element, selector);
                    (RouteStep::Item(keys), element)
                }
                Wrap::EachVal => (RouteStep::Each, element()?),
                _ => return None,
            };
            steps.push(step);
            here = self.types.unalias(&below);
        }
        Some(steps)
    }

    /// The members that JSON names lead to, through embedded structs.
    fn path(&self, of: &TypeRef, names: &[Str]) -> Option<Vec<FieldId>> {
        let mut here = of.clone();
        let mut path = Vec::new();
        for name in names {
            let found = self.types.member_within(&here, name)?;
            let last = *found.last()?;
            path.extend(found);
            here = self.types.unalias(&self.types.schema.field(last).ty);
        }
        Some(path)
    }
}

/// The check that a tag declares for single values of a type; `None` if the type makes it meaningless, or if the tag
/// is about something else.
#[must_use]
pub fn value_check(types: Types<'_>, of: &TypeRef, facet: &Facet) -> Option<Leaf> {
    let is_string = types.is_string(of);
    let is_list = types.list_element(of).is_some();
    let is_map = types.map_parts(of).is_some();
    let scalar = types.scalar(of);
    let is_number = scalar.is_some_and(|scalar| !matches!(scalar, Scalar::Bool | Scalar::String));
    match facet {
        Facet::MinLength(limit) if is_string => Some(Leaf::MinLength(*limit)),
        Facet::MaxLength(limit) if is_string => Some(Leaf::MaxLength(*limit)),
        Facet::MaxBytes(limit) if is_string => Some(Leaf::MaxBytes(*limit)),
        Facet::Format(name) if is_string => Some(Leaf::Format(kindsmith_formats::format::find(name)?)),
        Facet::MinItems(limit) if is_list => Some(Leaf::MinItems(*limit)),
        Facet::MaxItems(limit) if is_list => Some(Leaf::MaxItems(*limit)),
        Facet::MinProperties(limit) if is_map => Some(Leaf::MinProperties(*limit)),
        Facet::MaxProperties(limit) if is_map => Some(Leaf::MaxProperties(*limit)),
        Facet::Minimum(Bound {
            limit: Limit::Number(limit),
            exclusive,
        }) if is_number => Some(Leaf::Minimum {
            limit: number(limit)?,
            exclusive: *exclusive,
        }),
        Facet::Maximum(Bound {
            limit: Limit::Number(limit),
            exclusive,
        }) if is_number => Some(Leaf::Maximum {
            limit: number(limit)?,
            exclusive: *exclusive,
        }),
        Facet::Neq(literal) => match (literal, scalar?) {
            (Literal::Str(text), Scalar::String) => Some(Leaf::Neq(Literal::Str(unquoted(text)))),
            (Literal::Bool(_), Scalar::Bool) => Some(Leaf::Neq(literal.clone())),
            (Literal::Int(_), scalar) if scalar.is_integer() => Some(Leaf::Neq(literal.clone())),
            _ => None,
        },
        Facet::Monotonic if scalar.is_some_and(Scalar::is_integer) => Some(Leaf::Monotonic),
        Facet::Enum if is_string => {
            let TypeRef::Named(id) = types.unalias(of) else {
                return None;
            };
            Some(Leaf::Enum(enum_set(&types.schema.ty(id).constants).into()))
        }
        _ => None,
    }
}

fn leaf_call<'s>(context: &Context, leaf: Leaf) -> Validations<'s> {
    let stops = matches!(leaf, Leaf::MaxItems(_) | Leaf::MaxProperties(_));
    let mut call = Call::new(Body::Leaf(leaf), context.rule);
    call.short_circuit = stops;
    Validations::one(call)
}

fn test_call<'s>(context: &Context, test: &TestCheck) -> Validations<'s> {
    let leaf = Leaf::Fixed {
        fails: test.fails,
        message: test.message.as_ref().map(unquoted).unwrap_or_default(),
    };
    let mut call = Call::new(Body::Leaf(leaf), context.rule);
    call.short_circuit = test.short_circuit;
    call.non_error = test.non_error;
    call.cohort = test.cohort.clone().filter(|name| !name.is_empty());
    Validations::one(call)
}

fn number(json: &Json) -> Option<Number> {
    if let Ok(int) = json.as_str().parse() {
        return Some(Number::Int(int));
    }
    json.value(&Arena::new()).as_f64().map(Number::Float)
}

/// The allowed values of a type with these constants (VG/validators/enum.go).
fn enum_set(constants: &[Constant]) -> EnumSet {
    let arena = Arena::new();
    let mut kept: Vec<(&Constant, Str)> = Vec::new();
    for constant in constants {
        let value = constant.value.as_ref().map(|json| json.value(&arena));
        let Some(Value::Str(value)) = value else { continue };
        if constant.exclusions.contains(&Exclusion::Always) {
            continue;
        }
        // If several constants have the same value, the one with the longest comment counts.
        match kept.iter_mut().find(|(_, known)| &**known == value) {
            Some((known, _)) if is_better(known, constant) => *known = constant,
            Some(_) => {}
            None => kept.push((constant, value.into())),
        }
    }
    kept.sort_by(|(left, _), (right, _)| left.name.cmp(&right.name));
    let mut exclusions = Vec::new();
    for (constant, value) in &kept {
        let mut rules: Vec<(bool, &Str)> = constant
            .exclusions
            .iter()
            .filter_map(|exclusion| match exclusion {
                Exclusion::When { option, enabled } => Some((*enabled, option)),
                Exclusion::Always => None,
            })
            .collect();
        rules.sort();
        exclusions.extend(rules.into_iter().map(|(when, option)| EnumExclusion {
            value: value.clone(),
            option: unquoted(option),
            when,
        }));
    }
    let mut values: Vec<Str> = kept.into_iter().map(|(_, value)| value).collect();
    values.sort();
    EnumSet { values, exclusions }
}

fn is_better(known: &Constant, other: &Constant) -> bool {
    let text = |constant: &Constant| {
        constant
            .docs
            .text
            .as_deref()
            .unwrap_or_default()
            .replace('\n', " ")
    };
    let (known, other) = (text(known), text(other));
    (known.len(), std::cmp::Reverse(&known)) < (other.len(), std::cmp::Reverse(&other))
}
