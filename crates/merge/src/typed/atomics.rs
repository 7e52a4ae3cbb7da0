//! What an apply configuration of a policy may not set: values that merge as a whole (`findAtomics` in apiserver's
//! pkg/admission/plugin/policy/mutating/patch/smd.go).

use kindsmith_json::Value;

use crate::MAX_DEPTH;
use crate::topology::{AtomId, Topology};

impl Topology {
    /// The paths of atomic lists, maps and structs in a valid value, in its order.
    #[must_use]
    pub fn atomics(&self, value: Value<'_>) -> Vec<String> {
        let mut found = Vec::new();
        self.collect_atomics(self.root(), value, &mut String::new(), 0, &mut found);
        found
    }

    fn collect_atomics(
        &self,
        id: AtomId,
        value: Value<'_>,
        path: &mut String,
        depth: usize,
        found: &mut Vec<String>,
    ) {
        if depth == MAX_DEPTH {
            return;
        }
        let atom = self.atom(id);
        let length = path.len();
        match value {
            Value::Object(object) => {
                let Some(map) = &atom.map else { return };
                if map.atomic {
                    found.push(path.clone());
                }
                for (name, child) in object {
                    // Entries of maps are not looked into, only fields of structs.
                    if let Some(field) = map.field(name) {
                        path.push('.');
                        path.push_str(name);
                        self.collect_atomics(field.ty, child, path, depth + 1, found);
                        path.truncate(length);
                    }
                }
            }
            Value::Array(items) => {
                let Some(list) = &atom.list else { return };
                if !list.associative {
                    found.push(path.clone());
                }
                for (position, &item) in items.iter().enumerate() {
                    path.push_str(&format!("[{position}]"));
                    self.collect_atomics(list.element, item, path, depth + 1, found);
                    path.truncate(length);
                }
            }
            _ => {}
        }
    }
}
