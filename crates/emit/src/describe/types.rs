//! Fields of Go types in words, shared by `explain` and reference documentation.

use std::collections::HashMap;

use kindsmith_json::Arena;
use kindsmith_schema::{
    Condition, Default as Written, Exclusion, Facet, Field, Json, Rule, Schema, Shape, Type, TypeId, TypeRef,
};

use super::enumeration::{is_enumeration, lists_values};
use super::inherited;
use super::rule_words::rules;
use super::siblings::Siblings;
use super::{Fact, is_deprecated};

/// Structs embedded deeper are ignored.
const MAX_DEPTH: usize = 32;

/// The description of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Described {
    /// The value that it gets when it is not set, and its source.
    pub default: Option<Default>,
    /// Whether it must be set.
    pub required: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The feature gate it belongs to.
    pub feature_gate: Option<String>,
    /// Values of its enumeration.
    pub allowed: Vec<Allowed>,
    /// Its rules.
    pub facts: Vec<Fact>,
    /// Its comment, otherwise that of its type.
    pub prose: String,
}

/// A default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Default {
    /// The value, as JSON.
    pub value: Option<String>,
    /// The constant it comes from.
    pub constant: Option<String>,
}

/// A value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// The value as text.
    pub value: String,
    /// The comment of its constant.
    pub prose: String,
    /// Conditions under which it is rejected.
    pub refused: Vec<String>,
}

/// Fields of a struct, with those of inlined structs in their place. If two have the same name, the outer one
/// counts, as in Go's `encoding/json`.
#[must_use]
pub fn members<'s>(schema: &'s Schema, of: &TypeRef) -> Vec<&'s Field> {
    let mut found = Vec::new();
    collect(schema, of, 0, &mut HashMap::new(), &mut found);
    let mut outermost: HashMap<Option<&str>, usize> = HashMap::new();
    for (depth, field) in &found {
        let known = outermost.entry(field.json_name()).or_insert(*depth);
        *known = (*known).min(*depth);
    }
    found.retain(|(depth, field)| {
        let name = field.json_name();
        // Removed so that a second match at this depth is not counted.
        outermost.get(&name) == Some(depth) && outermost.remove(&name).is_some()
    });
    found.into_iter().map(|(_, field)| field).collect()
}

/// Collects the fields of a struct, unless it was visited before at the same or a smaller depth: those fields
/// would be hidden by the first ones, and structs that embed each other can be reached on many paths.
fn collect<'s>(
    schema: &'s Schema,
    of: &TypeRef,
    depth: usize,
    seen: &mut HashMap<TypeId, usize>,
    found: &mut Vec<(usize, &'s Field)>,
) {
    let view = schema.view();
    let mut of = of;
    while let TypeRef::Pointer(inner) = view.underlying(of) {
        of = inner;
    }
    let TypeRef::Named(id) = view.underlying(of) else {
        return;
    };
    if depth > MAX_DEPTH || seen.get(id).is_some_and(|known| *known <= depth) {
        return;
    }
    seen.insert(*id, depth);
    for field in schema.ty(*id).fields() {
        if field.is_inline() {
            collect(schema, &field.ty, depth + 1, seen, found);
        } else if field.json_name().is_some() {
            found.push((depth, field));
        }
    }
}

/// The named types behind a use, through pointers and typedefs.
fn chain(schema: &Schema, of: &TypeRef) -> Vec<TypeId> {
    let mut chain = Vec::new();
    let mut at = of;
    loop {
        match at {
            TypeRef::Pointer(inner) => at = inner,
            TypeRef::Named(id) if !chain.contains(id) => {
                chain.push(*id);
                match &schema.ty(*id).shape {
                    Shape::Def(target) | Shape::Alias(target) => at = target,
                    _ => return chain,
                }
            }
            _ => return chain,
        }
    }
}

/// Describes a field among the members of its struct. Rules of struct types are left to their own
/// description.
#[must_use]
pub fn describe<'s>(schema: &'s Schema, field: &'s Field, among: &'s [&'s Field]) -> Described {
    let chain = chain(schema, &field.ty);
    let is_struct = |ty: &&Type| matches!(ty.shape, Shape::Struct(_));
    let types: Vec<&Type> = chain
        .iter()
        .map(|id| schema.ty(*id))
        .take_while(|ty| !is_struct(ty))
        .collect();
    let is_opaque = field.rules.iter().any(|rule| is_bare(rule, &Facet::OpaqueType));
    let inherited = inherited::rules(schema, field);
    let written: Vec<&Rule> = field.rules.iter().chain(&inherited).collect();
    let listed = types.iter().find(|ty| !is_opaque && is_enumeration(ty));
    let allowed = listed.map(|ty| allowed(ty)).unwrap_or_default();
    let siblings = Siblings::of(among, field);
    let is_library = chain.iter().any(|id| schema.ty(*id).well_known.is_some());
    let is_said = |rule: &&&Rule| {
        let is_shown = is_bare(rule, &Facet::Required) || is_bare(rule, &Facet::Optional);
        let is_listed = listed.is_some_and(|ty| lists_values(rule) && ty.rules.contains(rule));
        // Library types have no rules that could apply.
        let is_idle = is_library && rule.facet == Facet::OpaqueType;
        !is_shown && !is_listed && !is_idle
    };
    let mut facts = modes(field, siblings);
    facts.extend(rules(written.iter().filter(is_said).copied(), siblings));
    let own = field.docs.prose();
    let prose = if own.trim().is_empty() {
        chain.first().map(|id| schema.ty(*id).docs.prose().into_owned())
    } else {
        Some(own.into_owned())
    };
    let prose = prose.unwrap_or_default();
    let gate = field.markers.iter().find(|(name, _)| &**name == "featureGate");
    Described {
        default: default(field, types.iter().find_map(|ty| ty.default.as_ref())),
        required: is_required(field, &written),
        deprecated: is_deprecated(&prose),
        feature_gate: gate.map(|(_, gate)| gate.to_string()),
        allowed,
        facts,
        prose,
    }
}

/// Values of an enumeration, in declaration order, without those that are always rejected.
#[must_use]
pub fn allowed(ty: &Type) -> Vec<Allowed> {
    let mut found: Vec<Allowed> = Vec::new();
    let listed = ty.rules.iter().find_map(|rule| match &rule.facet {
        Facet::EnumValues(values) if rule.is_plain() => Some(values),
        _ => None,
    });
    for constant in &ty.constants {
        let Some(value) = &constant.value else {
            continue;
        };
        let text = plain(value);
        let is_known = found.iter().any(|known| known.value == text);
        let is_listed = listed.is_none_or(|values| values.iter().any(|other| plain(other) == text));
        if is_listed && !is_known && !constant.exclusions.contains(&Exclusion::Always) {
            found.push(Allowed {
                value: text,
                prose: constant.docs.prose().into_owned(),
                refused: constant.exclusions.iter().filter_map(refusal).collect(),
            });
        }
    }
    for text in listed.into_iter().flatten().map(plain) {
        if found.iter().all(|known| known.value != text) {
            found.push(Allowed {
                value: text,
                prose: String::new(),
                refused: Vec::new(),
            });
        }
    }
    found
}

/// A value as a user would type it; text without quotation marks.
fn plain(value: &Json) -> String {
    let arena = Arena::new();
    match value.value(&arena).as_str() {
        Some("") => "\"\"".to_owned(),
        Some(text) => text.to_owned(),
        None => value.as_str().to_owned(),
    }
}

fn refusal(exclusion: &Exclusion) -> Option<String> {
    match exclusion {
        Exclusion::Always => None,
        Exclusion::When { option, enabled } => {
            let state = if *enabled { "on" } else { "off" };
            Some(format!("refused if the option `{option}` is {state}"))
        }
    }
}

/// A field with rules for some modes must not be set in others.
fn modes(field: &Field, siblings: Siblings<'_>) -> Vec<Fact> {
    let conditions = field.rules.iter().flat_map(Rule::conditions);
    let mut groups: Vec<(&Option<_>, Vec<String>)> = Vec::new();
    for condition in conditions {
        let Condition::Mode { modality, mode } = condition else {
            continue;
        };
        let mode = format!("{mode:?}");
        match groups.iter_mut().find(|(group, _)| *group == modality) {
            Some((_, modes)) if modes.contains(&mode) => {}
            Some((_, modes)) => modes.push(mode),
            None => groups.push((modality, vec![mode])),
        }
    }
    let say = |(group, modes): (&Option<_>, Vec<String>)| {
        let which = match siblings.mode(group) {
            Some(field) => format!("`{field}`"),
            None => "the mode".to_owned(),
        };
        Fact::new(
            "presence",
            format!("may only be set if {which} is {}", modes.join(" or ")),
        )
    };
    groups.into_iter().map(say).collect()
}

/// Its markers decide, otherwise its JSON tag.
fn is_required(field: &Field, written: &[&Rule]) -> bool {
    let has = |facet: &Facet| written.iter().any(|rule| is_bare(rule, facet));
    if has(&Facet::Required) {
        return true;
    }
    let has_default = field.default.is_some() || field.crd_default.is_some();
    !has(&Facet::Optional) && !field.json.omitempty && !field.json.omitzero && !has_default
}

/// Whether a rule is this facet, on the field itself and unconditional.
fn is_bare(rule: &Rule, facet: &Facet) -> bool {
    rule.is_plain() && rule.facet == *facet
}

fn default(field: &Field, typed: Option<&Written>) -> Option<Default> {
    let plain = |value: String| Default {
        value: Some(value),
        constant: None,
    };
    if let Some(value) = &field.crd_default {
        return Some(plain(value.to_string()));
    }
    Some(match field.default.as_ref().or(typed)? {
        Written::Value(value) => plain(value.to_string()),
        Written::Ref { package, name, value } => Default {
            value: value.as_ref().map(ToString::to_string),
            constant: Some(format!("{package}.{name}")),
        },
    })
}
