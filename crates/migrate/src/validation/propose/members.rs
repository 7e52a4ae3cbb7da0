//! Rules about several members of an object: modes, dependent members, unions.

use kindsmith_json::Arena;
use kindsmith_schema::{Schema, TypeRef};

use super::{DISCRIMINATOR, Names, Places, Words, flat};
use crate::validation::target::targets;
use crate::validation::value::{Cond, Emit, ErrorType, PathStep, Place, Step};

/// Members that a value of another member makes required.
pub(in crate::validation) type Modes = Vec<(Place, String)>;

/// The member that this error requires, and the value that does.
pub(in crate::validation) fn required_mode(emit: &Emit) -> Option<(Place, String)> {
    match &flat(&emit.conditions)[..] {
        [Cond::In(by, values), Cond::Zero(member)] | [Cond::Zero(member), Cond::In(by, values)]
            if emit.error == ErrorType::Required && are_siblings(by, member) && values.len() == 1 =>
        {
            Some((member.clone(), values[0].clone()))
        }
        _ => None,
    }
}

/// Members that belong to values of another member.
pub(super) fn mode(
    schema: &Schema,
    emit: &Emit,
    conditions: &[Cond],
    modes: &Modes,
) -> Option<Result<Places, String>> {
    let [first, second] = conditions else {
        return None;
    };
    let is_set = |condition: &Cond| matches!(condition, Cond::Set(_) | Cond::Zero(_));
    let (by, member) = if is_set(second) {
        (first, second)
    } else {
        (second, first)
    };
    let (allowed, discriminator, member) = match (emit.error, by, member) {
        (ErrorType::Required, Cond::In(by, values), Cond::Zero(member)) if values.len() == 1 => {
            (values.clone(), by, member)
        }
        (ErrorType::Forbidden, Cond::NotIn(by, values), Cond::Set(member)) => (values.clone(), by, member),
        (ErrorType::Forbidden, Cond::In(by, values), Cond::Set(member)) => {
            (others(schema, by, values), by, member)
        }
        _ => return None,
    };
    if !are_siblings(discriminator, member) || allowed.is_empty() {
        return None;
    }
    let mut tags = vec![(discriminator.clone(), Words::Plain(DISCRIMINATOR.to_owned()))];
    for value in allowed {
        let is_required = modes.iter().any(|(of, by)| of == member && *by == value);
        let presence = if is_required { "required" } else { "optional" };
        let text = format!("+k8s:ifMode(\"{value}\")=+k8s:{presence}");
        tags.push((member.clone(), Words::Plain(text)));
    }
    Some(Ok((Names::It, tags)))
}

/// The other values of an enum.
fn others(schema: &Schema, place: &Place, without: &[String]) -> Vec<String> {
    let arena = Arena::new();
    let found = targets(schema, place);
    let Some(TypeRef::Named(id)) = found.first().map(|target| &target.ty) else {
        return Vec::new();
    };
    let constants = schema.ty(*id).constants.iter();
    let texts =
        constants.filter_map(|constant| Some(constant.value.as_ref()?.value(&arena).as_str()?.to_owned()));
    texts.filter(|text| !without.contains(text)).collect()
}

/// One field is set, and another must be or may not be.
pub(super) fn dependent(emit: &Emit, conditions: &[Cond]) -> Option<Result<Places, String>> {
    let [first, second] = conditions else {
        return None;
    };
    let (tag, one, other) = match (emit.error, first, second) {
        (ErrorType::Required, Cond::Set(one), Cond::Zero(other))
        | (ErrorType::Required, Cond::Zero(other), Cond::Set(one)) => ("dependentRequired", one, other),
        (ErrorType::Forbidden, Cond::Set(one), Cond::Set(other)) => ("dependentForbidden", one, other),
        _ => return None,
    };
    if !are_siblings(one, other) {
        return None;
    }
    if emit.origin.as_deref() != Some(tag) {
        return Some(Err(format!("the origin is not `{tag}`, and the words differ")));
    }
    // Which of two set fields is the one that is not allowed is seen in the error.
    let named = |place: &Place| match (place.steps.last(), emit.path.last()) {
        (Some(Step::Field(go)), Some(PathStep::Child(json))) => go.eq_ignore_ascii_case(json),
        _ => false,
    };
    let one = if named(one) { other } else { one };
    Some(Ok((Names::Sibling, vec![(one.clone(), Words::Dependent(tag))])))
}

/// Members of which exactly one, or at most one, is set.
pub(super) fn union(emit: &Emit, conditions: &[Cond]) -> Option<Places> {
    let tag = match emit.origin.as_deref()? {
        "union" => "+k8s:unionMember",
        "zeroOrOneOf" => "+k8s:zeroOrOneOfMember",
        _ => return None,
    };
    let mut members: Vec<&Place> = Vec::new();
    for condition in conditions {
        match condition {
            Cond::Count(places, ..) => members.extend(places),
            Cond::Set(place) | Cond::Zero(place) => members.push(place),
            _ => return None,
        }
    }
    let mut distinct: Vec<&Place> = Vec::new();
    for member in members {
        if !distinct.contains(&member) {
            distinct.push(member);
        }
    }
    let members = distinct;
    let first = *members.first()?;
    let are_members = members.iter().skip(1).all(|other| are_siblings(first, other));
    if members.len() < 2 || !are_members {
        return None;
    }
    let tags = members
        .into_iter()
        .map(|member| (member.clone(), Words::Plain(tag.to_owned())));
    Some((Names::Parent, tags.collect()))
}

fn are_siblings(one: &Place, other: &Place) -> bool {
    let parents = [one, other].map(|place| place.steps.split_last().map(|(_, parents)| parents));
    one.root == other.root && one != other && parents[0].is_some() && parents[0] == parents[1]
}
