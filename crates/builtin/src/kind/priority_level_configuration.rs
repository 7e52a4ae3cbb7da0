//! Priority levels (pkg/apis/flowcontrol/v1/defaults.go). Shares have defaults by tags.

use kindsmith_json::{Arena, Value};

use crate::edit::member;
use crate::rule::number;

/// How many queues there are, and how long.
const QUEUING: [(&str, i64); 3] = [("queues", 64), ("handSize", 8), ("queueLengthLimit", 50)];

/// Numbers of queues that are zero or left out.
pub(crate) fn default_priority_level<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    let path = ["spec", "limited", "limitResponse", "queuing"];
    member(arena, &mut object, &path, |queuing| {
        let mut queuing = queuing;
        for (key, number_of) in QUEUING {
            if number(queuing.get(key)) == 0 {
                queuing.set(arena, &[key], Value::Int(number_of));
            }
        }
        queuing
    });
    object
}
