//! CSI drivers (pkg/registry/storage/csidriver/strategy.go, and `SetDefaults_CSIDriver` in
//! pkg/apis/storage/v1/defaults.go for what tags do not say).

use kindsmith_json::{Arena, Object, Value};

use super::described::Described;
use crate::rule::{as_json, items};
use crate::{Change, DecodedObject, Preparation, Strategy};

#[derive(Debug)]
pub(crate) struct CsiDriver;

const TOKENS: [&str; 2] = ["spec", "tokenRequests"];

impl Strategy for CsiDriver {
    fn allows_unconditional_update(&self) -> bool {
        false
    }

    /// A driver that names no lifetimes handles persistent volumes.
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
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

    /// Generations are counted, but not from the beginning.
    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let counted = Described {
            starts_at_one: false,
            ..Described::SPEC
        };
        counted.prepare(preparation, draft);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let tokens = change.get(&TOKENS);
        let is_same = change.old.is_some() && as_json(tokens) == as_json(change.get_old(&TOKENS));
        let says_where = change.get(&["spec", "serviceAccountTokenInSecrets"]).is_some();
        if items(tokens).is_empty() || is_same || says_where {
            return Vec::new();
        }
        let text = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent \
                    possible logging of tokens in volume attributes";
        vec![text.to_owned()]
    }
}
