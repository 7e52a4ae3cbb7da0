//! CSI drivers (`SetDefaults_CSIDriver` in pkg/apis/storage/v1/defaults.go). The other defaults are tags.

use kindsmith_json::{Arena, Object, Value};

use crate::rule::items;

/// A driver that names no lifetimes handles persistent volumes.
pub(crate) fn default_csi_driver<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    const PERSISTENT: &[Value<'static>] = &[Value::Str("Persistent")];
    let path = ["spec", "volumeLifecycleModes"];
    let mut object = object;
    if object.get("spec").is_none_or(Value::is_null) {
        object.set(arena, &["spec"], Value::Object(Object::EMPTY));
    }
    if items(object.lookup(&path)).is_empty() {
        object.set(arena, &path, Value::Array(PERSISTENT));
    }
    object
}
