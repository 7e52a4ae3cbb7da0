//! Flow schemas (pkg/apis/flowcontrol/v1/defaults.go).

use kindsmith_json::{Arena, Value};

use crate::edit::member;
use crate::rule::number;

/// The default precedence is in the middle of the range.
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
