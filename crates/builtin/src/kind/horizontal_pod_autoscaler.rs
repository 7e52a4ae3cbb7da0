//! Horizontal pod autoscalers (pkg/apis/autoscaling/v2/defaults.go).

use kindsmith_json::{Arena, Object, Value, parse_str};

use crate::edit::member;
use crate::rule::{entries, items};

/// The default metric: 80 percent CPU.
const METRICS: &str = r#"[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]"#;

/// The default for scaling up: per 15 seconds four pods or 100 percent, whichever is more.
const SCALE_UP: &str = r#"{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[
    {"type":"Pods","value":4,"periodSeconds":15},{"type":"Percent","value":100,"periodSeconds":15}]}"#;

/// The default for scaling down: all pods at once.
const SCALE_DOWN: &str =
    r#"{"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}"#;

/// Adds default metrics, and defaults for scaling rules if there is a `behavior`.
pub(crate) fn default_autoscaler<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    if object.get("spec").is_none_or(Value::is_null) {
        object.set(arena, &["spec"], Value::Object(Object::EMPTY));
    }
    let metrics = ["spec", "metrics"];
    if items(object.lookup(&metrics)).is_empty() {
        object.set(arena, &metrics, constant(arena, METRICS));
    }
    member(arena, &mut object, &["spec", "behavior"], |behavior| {
        let mut behavior = behavior;
        for (key, rules) in [("scaleUp", SCALE_UP), ("scaleDown", SCALE_DOWN)] {
            let mut filled = entries(Some(constant(arena, rules)));
            for (name, value) in entries(behavior.get(key)) {
                if !value.is_null() {
                    filled.insert(arena, name, value);
                }
            }
            behavior.set(arena, &[key], Value::Object(filled));
        }
        behavior
    });
    object
}

fn constant<'a>(arena: &'a Arena, text: &'static str) -> Value<'a> {
    parse_str(arena, text).expect("the constants above are JSON")
}
