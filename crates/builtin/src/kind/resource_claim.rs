//! Resource claims and their templates (pkg/apis/resource/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::{each, member};
use crate::rule::{number, text};

/// Requests for an exact count default to one device.
pub(crate) fn default_resource_claim<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    default_devices(arena, object, &["spec", "devices"])
}

/// Same, for claim templates.
pub(crate) fn default_resource_claim_template<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    default_devices(arena, object, &["spec", "spec", "devices"])
}

fn default_devices<'a>(arena: &'a Arena, object: Value<'a>, path: &[&'a str]) -> Value<'a> {
    let mut object = object;
    member(arena, &mut object, path, |devices| {
        let mut devices = devices;
        each(arena, &mut devices, "requests", |request| {
            let mut request = request;
            member(arena, &mut request, &["exactly"], |exact| {
                default_count(arena, exact).unwrap_or(exact)
            });
            each(arena, &mut request, "firstAvailable", |way| {
                default_count(arena, way)
            });
            Some(request)
        });
        devices
    });
    object
}

/// The allocation mode defaults to `ExactCount` by a tag, which is applied later.
fn default_count<'a>(arena: &'a Arena, request: Value<'a>) -> Option<Value<'a>> {
    let wants_number = matches!(text(request.get("allocationMode")), "" | "ExactCount");
    if !wants_number || number(request.get("count")) != 0 {
        return None;
    }
    let mut request = request;
    request.set(arena, &["count"], Value::Int(1));
    Some(request)
}
