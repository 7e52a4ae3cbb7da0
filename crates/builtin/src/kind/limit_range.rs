//! Limit ranges (`SetDefaults_LimitRangeItem` in pkg/apis/core/v1/defaults.go).

use kindsmith_json::{Arena, Object, Value};

use super::described::Described;
use super::limit_range_rules::validate_limit_range;
use crate::edit::{each, member};
use crate::field_check::{entries, text};

pub(crate) const LIMIT_RANGE: Described = Described {
    short_names: &["limits"],
    names_itself: true,
    creates_on_update: true,
    default: default_limit_range,
    rules: validate_limit_range,
    ..Described::PLAIN
};

/// Defaults of containers follow from the bounds that are given.
pub(crate) fn default_limit_range<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        each(arena, &mut spec, "limits", |limit| default_item(arena, limit));
        spec
    });
    object
}

fn default_item<'a>(arena: &'a Arena, limit: Value<'a>) -> Option<Value<'a>> {
    if text(limit.get("type")) != "Container" {
        return None;
    }
    let mut limits = entries(limit.get("default"));
    fill(arena, &mut limits, entries(limit.get("max")));
    let mut requests = entries(limit.get("defaultRequest"));
    fill(arena, &mut requests, limits);
    fill(arena, &mut requests, entries(limit.get("min")));
    let mut limit = limit;
    limit.set(arena, &["default"], Value::Object(limits));
    limit.set(arena, &["defaultRequest"], Value::Object(requests));
    Some(limit)
}

/// Adds the missing resources.
fn fill<'a>(arena: &'a Arena, to: &mut Object<'a>, from: Object<'a>) {
    let mut edit = to.edit(arena);
    for (name, quantity) in from {
        if to.get(name).is_none() {
            edit.push(name, quantity);
        }
    }
    *to = edit.finish();
}
