//! Removal of nulls: a `null` where the schema wants a value and has none to offer is as good as absent
//! (`PruneNonNullableNullsWithoutDefaults` of `pkg/apiserver/schema/defaulting/prunenulls.go` in
//! apiextensions-apiserver).
//!
//! Elements of lists stay, as the others would move; so do nulls that no schema speaks of.

use kindsmith_json::{Arena, Path, Value};

use super::layout::{Flags, NodeId, StructuralSchema};
use super::walk::{Fate, NULLS, Passes, Walk};
use kindsmith_object::{Event, NoTrace, Trace};

impl StructuralSchema {
    /// Drops members that are `null` where the schema neither allows it nor has a default. Comes after pruning and
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
