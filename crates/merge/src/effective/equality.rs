//! Whether a desired value and a live one are equivalent. All comparisons are here: drift, payloads and hashes of
//! written values use it.

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::duration::{Duration, parse_extended};
use kindsmith_gostd::time::parse_date_time;
use kindsmith_json::{Object, Value};
use kindsmith_schema::JsonSchema;

use super::attributes::{Attribute, Rules};
use super::shape::{Member, Shape};
use crate::MAX_DEPTH;
use crate::order::compare;

/// Unordered lists whose items differ in form are matched one by one up to this length, to limit the time.
const MAX_MATCHED: usize = 1000;

/// A schema node with the attributes of its field.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    pub(super) schema: Option<&'s JsonSchema>,
    pub(super) rules: Rules<'s>,
}

impl<'s> Site<'s> {
    /// The site of a member; `None` if the schema has no such member.
    pub(super) fn field(self, name: &str) -> Option<Site<'s>> {
        let rules = self.rules.field(name);
        match Shape::of(self.schema) {
            Shape::Object(members) => match members.get(name) {
                Member::Known(schema) => Some(Site { schema, rules }),
                Member::Unknown => None,
            },
            _ => self.inside(name),
        }
    }

    /// Same, inside a value that is compared as a whole.
    fn inside(self, name: &str) -> Option<Site<'s>> {
        let schema = self.schema?;
        let member = schema.property(name).or_else(|| schema.additional());
        let open = schema.preserves_unknown_fields() || schema.properties.is_empty();
        (member.is_some() || open).then_some(Site {
            schema: member,
            rules: self.rules.field(name),
        })
    }

    pub(super) fn each(self) -> Site<'s> {
        Site {
            schema: self.schema.and_then(JsonSchema::item),
            rules: self.rules.each(),
        }
    }

    fn has(self, attribute: &Attribute) -> bool {
        self.rules.has(attribute)
    }

    fn is_unordered(self) -> bool {
        self.has(&Attribute::Unordered)
            || matches!(Shape::of(self.schema), Shape::Set | Shape::ListMap { .. })
    }
}

/// What live structs inside a list may have beyond the desired ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Nothing.
    Exact,
    /// Members that the service added.
    Additions,
}

/// Whether both are equivalent. Absent and `null` are the same.
pub(super) fn equal(
    desired: Option<Value<'_>>,
    live: Option<Value<'_>>,
    site: Site<'_>,
    strictness: Strictness,
) -> bool {
    let depth = Depth { of: 0, strictness };
    equal_at(desired, live, site, depth)
}

/// How deep a comparison is.
#[derive(Clone, Copy)]
struct Depth {
    of: usize,
    strictness: Strictness,
}

impl Depth {
    fn below(self) -> Self {
        Depth {
            of: self.of + 1,
            ..self
        }
    }
}

fn equal_at(desired: Option<Value<'_>>, live: Option<Value<'_>>, site: Site<'_>, depth: Depth) -> bool {
    let there = |value: Option<Value<'_>>| value.is_some_and(|value| !is_absent(value, site));
    match (desired, live) {
        (Some(desired), Some(live)) if there(Some(desired)) && there(Some(live)) => {
            same_value(desired, live, site, depth)
        }
        _ => there(desired) == there(live),
    }
}

/// Whether the value is equivalent to an absent one. Empty lists and maps are; an empty struct is not, since it may
/// enable something.
pub(super) fn is_absent(value: Value<'_>, site: Site<'_>) -> bool {
    let is_map = || matches!(Shape::of(site.schema), Shape::Object(members) if members.is_map());
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) if object.is_empty() => is_map() || site.has(&Attribute::ZeroIsAbsent),
        _ if !site.has(&Attribute::ZeroIsAbsent) => false,
        Value::Bool(truth) => !truth,
        Value::Str(text) => {
            text.is_empty() || text.ends_with("_UNSPECIFIED") || (is_integer(site) && text == "0")
        }
        Value::Int(number) => number == 0,
        Value::Uint(number) => number == 0,
        Value::Float(number) => number == 0.0,
        Value::Object(object) => object
            .iter()
            .all(|(key, value)| site.field(key).is_some_and(|below| is_absent(value, below))),
    }
}

fn same_value(desired: Value<'_>, live: Value<'_>, site: Site<'_>, depth: Depth) -> bool {
    if depth.of >= MAX_DEPTH {
        return desired.equals_numerically(live);
    }
    if site.rules.are_same(desired, live) {
        return true;
    }
    match (desired, live) {
        (Value::Object(desired), Value::Object(live)) => same_members(desired, live, site, depth),
        (Value::Array(desired), Value::Array(live)) => same_items(desired, live, site, depth),
        _ => desired.equals_numerically(live) || same_scalar(desired, live, site),
    }
}

fn same_members(desired: Object<'_>, live: Object<'_>, site: Site<'_>, depth: Depth) -> bool {
    let below = |name: &str| {
        site.field(name).unwrap_or(Site {
            schema: None,
            rules: site.rules.field(name),
        })
    };
    let both = |name: &str| equal_at(desired.get(name), live.get(name), below(name), depth.below());
    let is_struct = site.schema.is_some_and(|schema| !schema.properties.is_empty());
    let additions = is_struct && depth.strictness == Strictness::Additions;
    // Members of the live value that are not in the schema belong to the service.
    let known = |name: &&str| !desired.contains_key(name) && site.field(name).is_some();
    desired.keys().all(both) && (additions || live.keys().filter(known).all(both))
}

fn same_items(desired: &[Value<'_>], live: &[Value<'_>], site: Site<'_>, depth: Depth) -> bool {
    let each = site.each();
    let same = |desired: Value<'_>, live: Value<'_>| equal_at(Some(desired), Some(live), each, depth.below());
    if desired.len() != live.len() {
        return false;
    }
    if desired
        .iter()
        .zip(live)
        .all(|(desired, live)| same(*desired, *live))
    {
        return true;
    }
    // The order of items matters unless the schema or an attribute says otherwise.
    if !site.is_unordered() {
        return false;
    }
    let sorted = |items: &[Value<'_>]| {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&left, &right| compare(items[left], items[right]));
        order
    };
    let pairs = sorted(desired).into_iter().zip(sorted(live));
    if pairs
        .into_iter()
        .all(|(left, right)| same(desired[left], live[right]))
    {
        return true;
    }
    if desired.len() > MAX_MATCHED {
        return false;
    }
    let mut left: Vec<Value<'_>> = live.to_vec();
    desired.iter().all(|desired| {
        let found = left.iter().position(|live| same(*desired, *live));
        found.map(|at| left.swap_remove(at)).is_some()
    })
}

fn is_integer(site: Site<'_>) -> bool {
    site.schema.is_some_and(|schema| {
        matches!(&*schema.ty, "integer" | "number")
            || schema.int_or_string
            || matches!(&*schema.format, "int64" | "int32" | "uint64" | "uint32")
    })
}

fn same_scalar(desired: Value<'_>, live: Value<'_>, site: Site<'_>) -> bool {
    let format = site.schema.map(|schema| &*schema.format).unwrap_or_default();
    if is_integer(site) && same_number(desired, live) {
        return true;
    }
    if (site.has(&Attribute::Quantity) || format == "quantity") && same_quantity(desired, live) {
        return true;
    }
    let (Value::Str(desired), Value::Str(live)) = (desired, live) else {
        return false;
    };
    (site.has(&Attribute::IgnoreCase) && desired.eq_ignore_ascii_case(live))
        || ((site.has(&Attribute::Duration) || format == "duration") && same_duration(desired, live))
        || ((site.has(&Attribute::Time) || format == "date-time") && same_time(desired, live))
        || (site.has(&Attribute::Reference) && same_reference(desired, live, site.rules.projects()))
}

/// `10` and `"10"`.
fn same_number(desired: Value<'_>, live: Value<'_>) -> bool {
    let number = |value: Value<'_>| match value {
        Value::Str(text) => text.parse::<i128>().ok(),
        Value::Int(number) => Some(number.into()),
        Value::Uint(number) => Some(number.into()),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(number as i128),
        _ => None,
    };
    matches!((number(desired), number(live)), (Some(desired), Some(live)) if desired == live)
}

fn same_quantity(desired: Value<'_>, live: Value<'_>) -> bool {
    let quantity = |value: Value<'_>| match value {
        Value::Str(text) => Quantity::parse(text).ok(),
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
            Quantity::parse(&kindsmith_json::to_string(value)).ok()
        }
        _ => None,
    };
    matches!((quantity(desired), quantity(live)), (Some(desired), Some(live)) if desired == live)
}

fn same_duration(desired: &str, live: &str) -> bool {
    let duration = |text: &str| -> Option<Duration> { parse_extended(text).ok() };
    matches!((duration(desired), duration(live)), (Some(desired), Some(live)) if desired == live)
}

fn same_time(desired: &str, live: &str) -> bool {
    let instant = |text: &str| {
        let time = parse_date_time(text).ok()?;
        Some((time.unix_seconds(), time.nanos()))
    };
    matches!((instant(desired), instant(live)), (Some(desired), Some(live)) if desired == live)
}

/// Whether two texts name the same resource: as full URL, partial URL or path, with the project's number or ID.
fn same_reference(desired: &str, live: &str, projects: &[(Box<str>, Box<str>)]) -> bool {
    let (desired, live) = (canonical(desired, projects), canonical(live, projects));
    let tail = |long: &[String], short: &[String]| !short.is_empty() && long.ends_with(short);
    tail(&desired, &live) || tail(&live, &desired)
}

fn canonical(text: &str, projects: &[(Box<str>, Box<str>)]) -> Vec<String> {
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => text.trim_start_matches('/').trim_start_matches("//"),
    };
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    // API names and versions come before the project.
    let start = segments
        .iter()
        .position(|segment| *segment == "projects")
        .unwrap_or(0);
    let mut segments: Vec<String> = segments[start..]
        .iter()
        .map(|&segment| segment.to_owned())
        .collect();
    if let [first, project, ..] = &mut segments[..]
        && first == "projects"
        && let Some((_, id)) = projects.iter().find(|(number, _)| **number == **project)
    {
        *project = id.to_string();
    }
    segments
}

/// Whether the desired value is smaller than the live one. Texts are compared as numbers.
pub(super) fn shrinks(desired: Value<'_>, live: Value<'_>) -> bool {
    let number = |value: Value<'_>| match value {
        Value::Str(text) => text.parse::<f64>().ok(),
        value => value.as_f64(),
    };
    matches!((number(desired), number(live)), (Some(desired), Some(live)) if desired < live)
}
