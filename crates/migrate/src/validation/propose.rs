//! Tags for errors. A tag is proposed only if error type, field, value and words, or the origin by which Kubernetes compares
//! errors, agree with what the tag reports.

mod companions;
mod members;
mod written;

use std::collections::BTreeSet;

use kindsmith_schema::{Owner, Schema};

use super::target::{member, targets};
use super::value::{Cond, Emit, ErrorType, PathStep, Place, Step};
use members::{dependent, mode, union};
use written::written;

pub use companions::Companion;
pub(super) use companions::companions;
pub(super) use members::{Modes, required_mode};

/// A tag at a place in the types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The tag, with what it is wrapped in.
    pub text: String,
    /// The type or field.
    pub owner: Owner,
    /// Whether the tag is there already, at any level of stability.
    pub present: bool,
}

/// A tag before it is written for a field.
#[derive(Debug, Clone, PartialEq)]
enum Words {
    Plain(String),
    /// One of these texts.
    Enum(BTreeSet<String>),
    /// Unique by value, or by a member.
    Unique(Option<String>),
    /// `dependentRequired` or `dependentForbidden`, with the field that the error names.
    Dependent(&'static str),
}

/// How the field of the error relates to the place of the tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// The error is reported there.
    It,
    /// At the object that has it.
    Parent,
    /// At one of its items.
    Item,
    /// At a sibling.
    Sibling,
}

/// Whether every condition must be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strict {
    Yes,
    No,
}

/// The tags for an error, or why there are none.
pub(super) fn propose(
    schema: &Schema,
    emit: &Emit,
    modes: &Modes,
    strict: Strict,
) -> Result<Vec<Tag>, String> {
    let mut conditions = flat(&emit.conditions);
    if conditions.contains(&Cond::Unknown) {
        if strict == Strict::Yes {
            return Err("a condition is not understood".to_owned());
        }
        conditions.retain(|condition| *condition != Cond::Unknown);
    }
    let mut gates = String::new();
    let mut others = Vec::new();
    for condition in conditions {
        match condition {
            Cond::Gate(name, true) => gates.push_str(&format!("+k8s:ifEnabled({name})=")),
            Cond::Gate(name, false) => gates.push_str(&format!("+k8s:ifDisabled({name})=")),
            other => others.push(other),
        }
    }
    let (names, places) = match mode(schema, emit, &others, modes) {
        Some(mode) => mode?,
        None => said(schema, emit, &others, strict)?,
    };
    let mut tags: Vec<Tag> = Vec::new();
    for (place, words) in &places {
        let found = targets(schema, place);
        if found.is_empty() {
            return Err(format!("the types have no {}", shown(place)));
        }
        for target in found {
            let names = if *words == Words::Plain(DISCRIMINATOR.to_owned()) {
                Names::Sibling
            } else {
                names
            };
            if !agrees(&target.path, &emit.path, names) {
                return Err(format!("the error names another field than {}", shown(place)));
            }
            tags.extend(written(&target, words, &gates, emit)?);
        }
    }
    tags.dedup();
    Ok(tags)
}

const DISCRIMINATOR: &str = "+k8s:modeDiscriminator";

type Places = (Names, Vec<(Place, Words)>);

fn said(schema: &Schema, emit: &Emit, conditions: &[Cond], strict: Strict) -> Result<Places, String> {
    if let Some(union) = union(emit, conditions) {
        return Ok(union);
    }
    if let Some(dependent) = dependent(emit, conditions) {
        return dependent;
    }
    let about = match (main(emit, conditions), strict) {
        (Err(why), Strict::No) => about(schema, emit, conditions).ok_or(why)?,
        (found, _) => found?,
    };
    match (emit.error, about) {
        (ErrorType::Required, Cond::Zero(place) | Cond::Number(place, "==", 0)) => {
            one(place, "+k8s:required".to_owned())
        }
        (ErrorType::Forbidden, Cond::Set(place)) => one(place, "+k8s:forbidden".to_owned()),
        (ErrorType::TooMany | ErrorType::TooLong | ErrorType::TooFew | ErrorType::TooShort, _) => {
            length(emit, about)
        }
        (ErrorType::Invalid | ErrorType::Forbidden, Cond::Zero(place)) if is_origin(emit, "update") => {
            one(place, "+k8s:update=NoUnset".to_owned())
        }
        (ErrorType::Invalid | ErrorType::Forbidden, Cond::OldZero(place)) if is_origin(emit, "update") => {
            one(place, "+k8s:update=NoSet".to_owned())
        }
        (ErrorType::Invalid, Cond::Number(place, operator, value)) => {
            let is_zero_apart = conditions.contains(&Cond::Number(place.clone(), "!=", 0));
            bound(emit, place, operator, *value, is_zero_apart)
        }
        (ErrorType::Invalid, Cond::NotFormat(place, format)) => {
            let words = format!("format={format}");
            if !(is_origin(emit, &words) || is_said_of(emit, &words, place)) {
                return Err("the words are not those of the format".to_owned());
            }
            one(place, format!("+k8s:format={format}"))
        }
        (ErrorType::Invalid, Cond::Changed(place)) if is_origin(emit, "update") => {
            one(place, "+k8s:update=NoModify".to_owned())
        }
        (ErrorType::Invalid, Cond::Changed(place)) => {
            if !is_origin(emit, "immutable") && emit.detail.as_deref() != Some("field is immutable") {
                return Err(
                    "the words are not `field is immutable`, and the origin is not `immutable`".to_owned(),
                );
            }
            one(place, "+k8s:immutable".to_owned())
        }
        (ErrorType::NotSupported, Cond::NotIn(place, texts)) => {
            let [listed, allowed] = [&emit.supported, texts].map(|all| {
                all.iter()
                    .filter(|text| !text.is_empty())
                    .cloned()
                    .collect::<BTreeSet<_>>()
            });
            if !listed.is_empty() && listed != allowed {
                return Err("the error lists other values than it allows".to_owned());
            }
            Ok((Names::It, vec![(place.clone(), Words::Enum(allowed))]))
        }
        (ErrorType::Duplicate, Cond::Seen(place)) => unique(place),
        _ => Err(NO_TAG.to_owned()),
    }
}

const NO_TAG: &str = "no tag reports this error under this condition";

fn one(place: &Place, text: String) -> Result<Places, String> {
    Ok((Names::It, vec![(place.clone(), Words::Plain(text))]))
}

fn is_origin(emit: &Emit, wanted: &str) -> bool {
    emit.origin.as_deref() == Some(wanted)
}

/// Whether the error has these words and shows the value of the place.
fn is_said_of(emit: &Emit, words: &str, place: &Place) -> bool {
    emit.detail.as_deref() == Some(words) && emit.value.as_ref() == Some(place)
}

/// Errors about how long something is.
fn length(emit: &Emit, about: &Cond) -> Result<Places, String> {
    let is_limit = |limit: &i128| emit.limit == Some(*limit);
    let (place, tag, limit) = match (emit.error, about) {
        (ErrorType::TooMany, Cond::Length(place, ">", limit)) if is_limit(limit) => {
            (place, "maxItems", *limit)
        }
        (ErrorType::TooLong, Cond::Length(place, ">", limit)) if is_limit(limit) => {
            let is_of_characters = is_origin(emit, "maxLength");
            let tag = if is_of_characters { "maxLength" } else { "maxBytes" };
            (place, tag, *limit)
        }
        (ErrorType::TooLong, Cond::Characters(place, ">", limit)) if is_limit(limit) => {
            (place, "maxLength", *limit)
        }
        (ErrorType::TooFew, Cond::Length(place, "<", limit)) if is_limit(limit) => {
            (place, "minItems", *limit)
        }
        (ErrorType::TooFew, Cond::Zero(place)) if is_limit(&1) => (place, "minItems", 1),
        (ErrorType::TooShort, Cond::Characters(place, "<", limit)) if is_limit(limit) => {
            (place, "minLength", *limit)
        }
        (ErrorType::TooShort, Cond::Zero(place)) if is_limit(&1) => (place, "minLength", 1),
        _ => return Err(NO_TAG.to_owned()),
    };
    one(place, format!("+k8s:{tag}={limit}"))
}

/// Errors about how large a number is.
fn bound(
    emit: &Emit,
    place: &Place,
    operator: &str,
    value: i128,
    is_zero_apart: bool,
) -> Result<Places, String> {
    let (tag, bound, front) = match operator {
        // Zero is another error, so that the tag may begin at one.
        "<" if value == 0 && is_zero_apart => ("minimum", 1, "must be greater than or equal to "),
        "<" | "<=" => {
            let least = value + i128::from(operator == "<=");
            ("minimum", least, "must be greater than or equal to ")
        }
        ">" | ">=" => {
            let most = value - i128::from(operator == ">=");
            ("maximum", most, "must be less than or equal to ")
        }
        _ => return Err(NO_TAG.to_owned()),
    };
    let words = format!("{front}{bound}");
    let names_other = |detail: &String| detail.starts_with(front) && *detail != words;
    if emit.detail.as_ref().is_some_and(names_other) {
        return Err("the words name another bound than the condition".to_owned());
    }
    if !(is_origin(emit, tag) || is_said_of(emit, &words, place)) {
        return Err(format!(
            "the words are not `{words}`, and the origin is not `{tag}`"
        ));
    }
    one(place, format!("+k8s:{tag}={bound}"))
}

/// The one condition that is not about whether the value is there.
fn main<'c>(emit: &Emit, conditions: &'c [Cond]) -> Result<&'c Cond, String> {
    let Some(place) = conditions.iter().rev().find_map(Cond::place) else {
        return Err("it is reported without a condition".to_owned());
    };
    let is_update = emit.origin.as_deref() == Some("update");
    let decides = |condition: &&Cond| match condition {
        Cond::Set(other) => emit.error == ErrorType::Forbidden && other == place || !other.holds(place),
        Cond::Number(other, "!=", 0) => other != place,
        // Tags do not report what did not change.
        Cond::Fresh(other) => !other.holds(place),
        Cond::OldSet(other) => !(is_update && other == place),
        // What is empty is none of the other values of a switch.
        Cond::NotIn(other, texts) if emit.error == ErrorType::Required => {
            other != place || texts.iter().any(String::is_empty)
        }
        // Items of a list that is too long are not looked at.
        Cond::Length(other, "<=" | "<", _) => !(other.holds(place) && other != place),
        _ => true,
    };
    let left: Vec<&Cond> = conditions.iter().filter(decides).collect();
    match &left[..] {
        [only] => Ok(only),
        [] => Err("it is reported without a condition".to_owned()),
        _ => Err("it depends on more than one condition".to_owned()),
    }
}

/// The last condition about the field that the error names.
fn about<'c>(schema: &Schema, emit: &Emit, conditions: &'c [Cond]) -> Option<&'c Cond> {
    conditions.iter().rev().find(|condition| {
        let Some(place) = condition.place() else {
            return false;
        };
        let found = targets(schema, place);
        let is_named = found.iter().any(|target| {
            agrees(&target.path, &emit.path, Names::It) || agrees(&target.path, &emit.path, Names::Item)
        });
        is_named && !(matches!(condition, Cond::Set(_)) && emit.error != ErrorType::Forbidden)
    })
}

/// The error with the condition that its type, field and origin speak of, if none was understood. Only running the function shows
/// whether it is right.
pub(super) fn assumed(schema: &Schema, emit: Emit) -> Emit {
    let conditions = flat(&emit.conditions);
    let Some(place) = place_at(schema, &emit.root, &emit.path) else {
        return emit;
    };
    if conditions
        .iter()
        .any(|condition| condition.place() == Some(&place) && !matches!(condition, Cond::Set(_)))
    {
        return emit;
    }
    let origin = emit.origin.as_deref().unwrap_or_default();
    let condition = match (emit.error, emit.limit) {
        (ErrorType::Required, _) => Cond::Zero(place),
        (ErrorType::TooMany | ErrorType::TooLong, Some(limit)) => Cond::Length(place, ">", limit),
        (ErrorType::Invalid, _) if origin == "immutable" || origin == "update" => Cond::Changed(place),
        (ErrorType::Invalid, _) => {
            let named = origin.strip_prefix("format=").and_then(super::library::format);
            match named {
                Some(format) => Cond::NotFormat(place, format),
                None => return emit,
            }
        }
        _ => return emit,
    };
    let mut emit = emit;
    emit.conditions.push(condition);
    emit
}

/// The part of an object at a path.
fn place_at(schema: &Schema, root: &str, path: &[PathStep]) -> Option<Place> {
    let mut place = Place {
        root: root.to_owned(),
        steps: Vec::new(),
    };
    for step in path {
        place = match step {
            PathStep::Index | PathStep::Key => place.then(Step::Item),
            PathStep::Child(json) => member(schema, &place, json)?,
        };
    }
    (!path.is_empty()).then_some(place)
}

/// Items that occur twice.
fn unique(place: &Place) -> Result<Places, String> {
    let Some(at) = place.steps.iter().rposition(|step| *step == Step::Item) else {
        return Err("the repeated value is not an item of a list".to_owned());
    };
    let list = Place {
        root: place.root.clone(),
        steps: place.steps[..at].to_vec(),
    };
    let key = match &place.steps[at + 1..] {
        [] => None,
        [Step::Field(key)] => Some(key.clone()),
        _ => return Err("the key is not a field of the items".to_owned()),
    };
    Ok((Names::Item, vec![(list, Words::Unique(key))]))
}

pub(crate) fn flat(conditions: &[Cond]) -> Vec<Cond> {
    let mut made: Vec<Cond> = Vec::new();
    let mut pending: Vec<&Cond> = conditions.iter().rev().collect();
    while let Some(one) = pending.pop() {
        match one {
            Cond::All(inner) => pending.extend(inner.iter().rev()),
            Cond::Any(any) => {
                let condition = Cond::fresh(any).unwrap_or(Cond::Unknown);
                if !made.contains(&condition) {
                    made.push(condition);
                }
            }
            Cond::Reported => made.push(Cond::Unknown),
            Cond::NotIn(place, texts) => match made.iter_mut().find_map(|known| match known {
                Cond::NotIn(other, known) if other == place => Some(known),
                _ => None,
            }) {
                Some(known) => known.extend(texts.iter().cloned()),
                None => made.push(one.clone()),
            },
            other if !made.contains(other) => made.push(other.clone()),
            _ => {}
        }
    }
    made
}

/// Whether the field of the error is the one that the tag would name.
fn agrees(place: &[PathStep], error: &[PathStep], names: Names) -> bool {
    let parent = |path: &[PathStep]| path.split_last().map(|(_, parent)| parent.to_vec());
    match names {
        Names::It => place == error,
        Names::Parent => parent(place).is_some_and(|parent| parent == error),
        Names::Item => error.starts_with(place) && error.get(place.len()) == Some(&PathStep::Index),
        Names::Sibling => place != error && parent(place) == parent(error),
    }
}

fn shown(place: &Place) -> String {
    let mut out = place.root.clone();
    for step in &place.steps {
        match step {
            Step::Field(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Item => out.push_str("[*]"),
            Step::Key => out.push_str("[key]"),
        }
    }
    out
}
