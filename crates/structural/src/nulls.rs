//! Removal of nulls: a `null` that the schema does not allow and has no default for counts as absent
//! (`PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting/prunenulls.go` in
//! apiextensions-apiserver).
//!
//! List elements stay, because removing one would move the others; nulls without a schema stay too.

use kindsmith_json::{Arena, Path, Value};

use super::layout::{Flags, NodeId, StructuralSchema};
use super::walk::{Fate, NULLS, Passes, Walk};
use kindsmith_object::{Event, NoTrace, Trace};

impl StructuralSchema {
    /// Drops `null` members where the schema neither allows null nor has a default. Runs after pruning and
    /// before defaults.
    #[must_use]
    pub fn remove_nulls<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        Walk::<_, NULLS>::new(self, arena, false, &mut NoTrace).run(object)
    }
}

impl<'a, T: Trace, const PASSES: Passes> Walk<'_, 'a, T, PASSES> {
    /// A member that is `null`.
    pub(super) fn null(&mut self, child: NodeId, path: &Path<'_>) -> Fate<'a> {
        let node = self.structure.node(child);
        if node.flags.has(Flags::NULLABLE) {
            self.check_scalar(node.check, &Value::Null);
            return Fate::Same;
        }
        if Self::DEFAULTS && node.default.is_some() {
            return self.fill(child, path).map_or(Fate::Same, Fate::New);
        }
        if Self::NULLS && node.default.is_none() {
            self.tell(Event::NullRemoved { path });
            return Fate::Gone;
        }
        Fate::Same
    }

    /// An element that is `null`.
    pub(super) fn null_element(&mut self, child: NodeId, path: &Path<'_>) -> Option<Value<'a>> {
        let node = self.structure.node(child);
        let fills = Self::DEFAULTS && !node.flags.has(Flags::NULLABLE);
        let filled = if fills { self.fill(child, path) } else { None };
        if filled.is_none() {
            self.check_scalar(node.check, &Value::Null);
        }
        filled
    }
}
