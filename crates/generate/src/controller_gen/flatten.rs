//! Replaces references by the schemas that they refer to.
//!
//! A recursive type is published down to its second occurrence, which is empty. Which occurrence that is
//! depends on what was flattened before, as in controller-gen: flattened types are kept and reused.

use kindsmith_schema::{JsonSchema, Str, TypeId};
use rustc_hash::FxHashMap;

use super::children::each_child;
use super::lower::{Link, Lower, target};

/// Deeper schemas are not published: API servers reject them, and they would overflow the stack.
const MAX_DEPTH: usize = 256;
/// Larger schemas are not published: a CRD of that size could not be stored.
const MAX_NODES: usize = 100_000;

/// Types without references (controller-tools `pkg/crd/flatten.go`, `Flattener`).
pub(crate) struct Flatten {
    done: FxHashMap<Link, Flat>,
    nodes: usize,
    /// Whether something was left out because it was too deep or too large.
    pub(crate) too_large: bool,
}

struct Flat {
    schema: JsonSchema,
    nodes: usize,
}

impl Flatten {
    pub(crate) fn new() -> Self {
        Self {
            done: FxHashMap::default(),
            nodes: 0,
            too_large: false,
        }
    }

    /// The schema of a root type.
    pub(crate) fn root(&mut self, lower: &mut Lower<'_>, id: TypeId) -> JsonSchema {
        let link = Link { id, opaque: false };
        if let Some(flat) = self.done.get(&link) {
            return flat.schema.clone();
        }
        self.nodes = 0;
        let mut schema = lower.declared_once(link);
        self.node(lower, &mut schema, 0);
        self.keep(link, &schema, self.nodes);
        schema
    }

    fn keep(&mut self, link: Link, schema: &JsonSchema, nodes: usize) {
        let schema = schema.clone();
        self.done.insert(link, Flat { schema, nodes });
    }

    fn node(&mut self, lower: &mut Lower<'_>, schema: &mut JsonSchema, depth: usize) {
        self.nodes += 1;
        let Some(link) = schema.reference.as_deref().and_then(|text| target(lower, text)) else {
            return self.below(lower, schema, depth);
        };
        let mut flat = self.referred(lower, link, depth);
        preserve(&mut flat, schema);
        *schema = flat;
    }

    fn referred(&mut self, lower: &mut Lower<'_>, link: Link, depth: usize) -> JsonSchema {
        if let Some(flat) = self.done.get(&link) {
            self.nodes += flat.nodes;
            if self.nodes > MAX_NODES {
                self.too_large = true;
                return JsonSchema::default();
            }
            return flat.schema.clone();
        }
        if depth > MAX_DEPTH {
            self.too_large = true;
            return JsonSchema::default();
        }
        let mut flat = lower.declared_once(link);
        // Inside itself the type is empty.
        self.keep(link, &JsonSchema::default(), 1);
        let before = self.nodes;
        self.node(lower, &mut flat, depth + 1);
        self.keep(link, &flat, self.nodes - before);
        flat
    }

    fn below(&mut self, lower: &mut Lower<'_>, schema: &mut JsonSchema, depth: usize) {
        each_child(schema, &mut |child| self.node(lower, child, depth + 1));
    }
}

/// Puts a field's own keywords around the type that it uses (`preserveFields` there).
fn preserve(flat: &mut JsonSchema, field: &mut JsonSchema) {
    let mut field = std::mem::take(field);
    field.reference = None;
    let or = |own: Str, other: &Str| if own.is_empty() { other.clone() } else { own };
    let whole = JsonSchema {
        description: or(std::mem::take(&mut field.description), &flat.description),
        title: or(std::mem::take(&mut field.title), &flat.title),
        external_docs: field.external_docs.take().or_else(|| flat.external_docs.clone()),
        example: field.example.take().or_else(|| flat.example.clone()),
        ..JsonSchema::default()
    };
    let inner = std::mem::replace(flat, whole);
    flat.all_of = [inner, field].into();
}
