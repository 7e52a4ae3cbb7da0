//! Pruning: drops unknown members (`PruneWithOptions` of `pkg/apiserver/schema/pruning/algorithm.go` in
//! apiextensions-apiserver).
//!
//! Ignores types: a scalar always stays. `additionalProperties` with a plain `true` or `false` keeps a member
//! but has no schema for its value, so objects in it come out empty.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, ArrayEdit, Entry, Object, Path, Value};

use super::layout::{Additional, StructuralSchema};
use super::walk::{Fate, Members, PRUNE, Passes, Unknown, Walk, is_meta, step};
use kindsmith_object::{Event, NoTrace, Trace};

/// The depth limit for arrays without a schema; deeper ones stay as they are.
const MAX_DEPTH: usize = 256;

impl StructuralSchema {
    /// Drops unknown members.
    ///
    /// With `resource`, the object's `apiVersion`, `kind` and `metadata` stay, as in every embedded resource.
    ///
    /// ```
    /// use kindsmith_structural::StructuralSchema;
    /// use kindsmith_json::{Arena, parse_str, to_string};
    /// use kindsmith_schema::JsonSchema;
    ///
    /// let mut schema = JsonSchema { ty: "object".into(), ..JsonSchema::default() };
    /// let size = JsonSchema { ty: "integer".into(), ..JsonSchema::default() };
    /// schema.properties = vec![("size".into(), size)].into();
    /// let structure = StructuralSchema::compile(&schema)?;
    ///
    /// let arena = Arena::new();
    /// let object = parse_str(&arena, r#"{"kind": "Thing", "size": "any", "sise": 3}"#)?;
    /// let pruned = structure.prune(&arena, object, true);
    /// assert_eq!(to_string(pruned), r#"{"kind":"Thing","size":"any"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prune<'a>(&'a self, arena: &'a Arena, object: Value<'a>, resource: bool) -> Value<'a> {
        self.prune_traced(arena, object, resource, &mut NoTrace)
    }

    /// Drops unknown members and reports them to the trace.
    pub fn prune_traced<'a, T: Trace>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        resource: bool,
        trace: &mut T,
    ) -> Value<'a> {
        Walk::<T, PRUNE>::new(self, arena, resource, trace).run(object)
    }
}

/// Collects the paths of dropped members as strict decoding reports them: every step into an object is a field, a
/// dropped object is listed once.
///
/// Pass every event to [`note`](Self::note).
#[derive(Debug, Clone, Default)]
pub struct PrunedPaths(Vec<PathBuf>);

impl PrunedPaths {
    /// Records an event; only dropped members count.
    pub fn note(&mut self, event: &Event<'_>) {
        if let Event::Pruned { path } = event {
            let fields = Path::to_owned(path).into_iter().map(|step| match step {
                Step::Key(key) => Step::Field(key),
                step => step,
            });
            self.0.push(fields.collect());
        }
    }

    /// The paths, sorted as they are printed.
    #[must_use]
    pub fn finish(mut self) -> Vec<PathBuf> {
        self.0.sort_by_cached_key(PathBuf::dotted);
        self.0
    }
}

impl Trace for PrunedPaths {
    fn event(&mut self, event: Event<'_>) {
        self.note(&event);
    }
}

impl<'a, T: Trace, const PASSES: Passes> Walk<'_, 'a, T, PASSES> {
    /// Prunes a member without a schema.
    pub(super) fn prune_unknown(
        &mut self,
        members: &Members<'a>,
        entry: &Entry<'a>,
        path: &Path<'_>,
    ) -> Fate<'a> {
        let is_meta = is_meta(entry.key);
        if members.unknown == Unknown::Ignore || (members.resource && is_meta) {
            self.check_unknown(members, entry);
            return Fate::Same;
        }
        if let Additional::Allowed(_) = members.node.additional {
            let path = step(path, entry.key, false);
            let emptied = self.empty(entry.value, &path, 0);
            let key = entry.key;
            let value = emptied.unwrap_or(entry.value);
            self.check_unknown(members, &Entry { key, value });
            return emptied.map_or(Fate::Same, Fate::New);
        }
        if members.unknown == Unknown::Preserve {
            self.check_unknown(members, entry);
            return Fate::Same;
        }
        self.has_unknown = true;
        // At the top these are not part of the schema, so dropping them is not reported.
        if T::ON && !(path.is_nil() && is_meta) {
            let path = &path.child(entry.key);
            self.tell(Event::Pruned { path });
        }
        Fate::Gone
    }

    /// The rest of a value without a schema: every member in it is unknown.
    fn empty(&mut self, value: Value<'a>, path: &Path<'_>, depth: usize) -> Option<Value<'a>> {
        match value {
            Value::Object(object) if !object.is_empty() => {
                self.has_unknown = true;
                for key in object.keys().filter(|_| T::ON) {
                    let path = &path.child(key);
                    self.tell(Event::Pruned { path });
                }
                Some(Value::Object(Object::EMPTY))
            }
            Value::Array(items) if depth < MAX_DEPTH => self.empty_elements(items, path, depth + 1),
            _ => None,
        }
    }

    pub(super) fn empty_elements(
        &mut self,
        items: &'a [Value<'a>],
        path: &Path<'_>,
        depth: usize,
    ) -> Option<Value<'a>> {
        let mut edit = ArrayEdit::new(self.arena, items);
        for (index, &item) in items.iter().enumerate() {
            let path = if T::ON { path.index(index) } else { Path::NIL };
            if let Some(emptied) = self.empty(item, &path, depth) {
                edit.set(index, emptied);
            }
        }
        edit.is_changed().then(|| Value::Array(edit.finish()))
    }
}
