//! Flow schemas (pkg/apis/flowcontrol/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::member;
use crate::rule::number;

/// A schema that names no precedence has one in the middle.
pub(crate) fn default_flow_schema<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    const PRECEDENCE: i64 = 1000;
    let mut object = object;
    member(arena, &mut object, &["spec"], |spec| {
        let mut spec = spec;
        if number(spec.get("matchingPrecedence")) == 0 {
            spec.set(arena, &["matchingPrecedence"], Value::Int(PRECEDENCE));
        }
        spec
    });
    object
}
