//! Embedded structs that have no end. Every later stage writes the members of an embedded struct among those of the
//! struct around it, once for each way that leads to them; so ways are bounded here, where the place is known.

use kindsmith_schema::{FieldId, Owner, Part, TypeId, TypeRef};
use kindsmith_source::Diagnostic;

use super::Lower;
use crate::finding;

/// How deep structs may embed each other.
const DEEPEST: usize = 100;
/// Along how many ways a struct may embed others.
const MOST_WAYS: usize = 10_000;

/// What a struct embeds.
#[derive(Clone, Copy)]
enum Tree {
    Unknown,
    /// Being measured: a struct inside it that embeds it closes a circle.
    Open,
    Known {
        ways: usize,
        height: usize,
    },
}

impl Lower<'_, '_> {
    /// Refuses embedded fields that would make the members of their struct endless.
    pub(super) fn bound_embedding(&mut self) {
        let mut trees = vec![Tree::Unknown; self.builder.types().len()];
        let mut refused = Vec::new();
        for id in self.builder.ids() {
            self.measure_embedding(id, 1, &mut trees, &mut refused);
        }
        if refused.is_empty() {
            return;
        }
        let places = self.places();
        self.diagnostics
            .extend(refused.into_iter().map(|(field, message)| {
                let span = places[&Owner::Field(field).part(Part::Type)];
                Diagnostic::error(&finding::ENDLESS_EMBEDDING, span, message)
                    .label("embedded here")
                    .help("give the field a name in its JSON tag, so that its members stay its own")
            }));
    }

    fn measure_embedding(
        &mut self,
        id: TypeId,
        depth: usize,
        trees: &mut [Tree],
        refused: &mut Vec<(FieldId, String)>,
    ) {
        if !matches!(trees[id.index()], Tree::Unknown) {
            return;
        }
        trees[id.index()] = Tree::Open;
        let (mut ways, mut height) = (1, 1);
        for index in 0..self.builder.ty(id).fields().len() {
            let Some(inner) = self.embedded_struct(id, index) else {
                continue;
            };
            if depth < DEEPEST {
                self.measure_embedding(inner, depth + 1, trees, refused);
            }
            let message = match trees[inner.index()] {
                Tree::Known {
                    ways: more,
                    height: below,
                } if ways + more <= MOST_WAYS && below < DEEPEST => {
                    ways += more;
                    height = height.max(below + 1);
                    continue;
                }
                Tree::Known { .. } | Tree::Unknown => format!(
                    "{} embeds others deeper than {DEEPEST} levels or along more than {MOST_WAYS} ways",
                    self.builder.ty(id).name.name
                ),
                // Go gives it its own name.
                Tree::Open if !self.builder.ty(id).fields()[index].embedded => continue,
                Tree::Open => format!(
                    "{} embeds itself: its members have no end",
                    self.builder.ty(inner).name.name
                ),
            };
            let index = index as u32;
            self.cut(id, Some(index));
            refused.push((FieldId { owner: id, index }, message));
        }
        trees[id.index()] = Tree::Known { ways, height };
    }

    /// The struct whose members a field adds to those of the struct around it.
    fn embedded_struct(&self, owner: TypeId, index: usize) -> Option<TypeId> {
        let view = self.builder.view();
        let field = &view.ty(owner).fields()[index];
        let json = &field.json;
        // controller-gen embeds fields with a name in Go as well.
        let is_inline = json.present && (json.inline || json.name.is_empty());
        let is_embedded = field.embedded && !json.names_field();
        if json.skip || !(is_inline || is_embedded) {
            return None;
        }
        let mut of = &field.ty;
        // Go allows one pointer, of no name; more are no reason to go on for ever.
        for _ in 0..DEEPEST {
            match view.underlying(of) {
                TypeRef::Pointer(inner) => of = inner,
                _ => break,
            }
        }
        view.members(of).map(|(inner, _)| inner)
    }
}
