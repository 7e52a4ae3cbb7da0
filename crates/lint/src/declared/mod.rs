//! Types and fields as written: their markers, comments and struct tags with their places, beside what the schema says
//! about them. What conventions are about; rules about meaning look at the schema alone.

mod edits;
mod marker;
mod resolve;
mod zero;

use kindsmith_schema::{Field, FieldId, Owner, Part, Place, Schema, Shape, Type, TypeId, TypeRef};
use kindsmith_source::{Origins, SourceMap, Span};
use kindsmith_tags::Declaration;
use rustc_hash::FxHashMap;

pub(crate) use edits::{add_marker, add_option, remove_line, remove_option, replace_text, set_pointer};
pub(crate) use marker::Marker;
pub(crate) use resolve::{Form, walk};
pub(crate) use zero::{Zero, zero};

/// Markers that make a field optional.
pub(crate) const OPTIONAL: [&str; 3] = ["optional", "kubebuilder:validation:Optional", "k8s:optional"];
/// Markers that make a field required.
pub(crate) const REQUIRED: [&str; 3] = ["required", "kubebuilder:validation:Required", "k8s:required"];

/// The declarations of the input packages.
#[derive(Debug)]
pub(crate) struct Declared<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) sources: &'a SourceMap,
    /// Types in source order, anonymous structs among them.
    pub(crate) types: Vec<Named<'a>>,
    index: FxHashMap<TypeId, usize>,
}

/// A type.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    pub(crate) id: TypeId,
    pub(crate) ty: &'a Type,
    /// The place of its name; `None` for an anonymous struct.
    pub(crate) name: Option<Span>,
    /// The whole declaration, from its name.
    pub(crate) span: Option<Span>,
    pub(crate) doc: Option<Span>,
    pub(crate) markers: Vec<Marker<'a>>,
    pub(crate) fields: Vec<Member<'a>>,
    /// Whether it is an anonymous struct in a field that rules leave out.
    pub(crate) hidden: bool,
}

/// A field.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) id: FieldId,
    pub(crate) field: &'a Field,
    /// Import path of its package.
    pub(crate) package: &'a str,
    /// `Struct.Field`, or the field alone in an anonymous struct.
    pub(crate) path: String,
    /// The place of its name.
    pub(crate) name: Span,
    /// The place of its type.
    pub(crate) ty: Span,
    /// From its name to the end of its tag.
    pub(crate) span: Span,
    pub(crate) doc: Option<Span>,
    /// The struct tag with its quotes.
    pub(crate) tag: Option<Span>,
    pub(crate) markers: Vec<Marker<'a>>,
}

impl<'a> Declared<'a> {
    pub(crate) fn new(
        schema: &'a Schema,
        origins: &Origins<Place>,
        sources: &'a SourceMap,
        declarations: &[Declaration],
    ) -> Self {
        let mut declared = Self {
            schema,
            sources,
            types: Vec::new(),
            index: FxHashMap::default(),
        };
        for declaration in declarations {
            match declaration.owner {
                Owner::Type(id) => declared.add_type(id, origins, declaration),
                Owner::Field(id) => declared.add_field(id, origins, declaration),
                Owner::Package(_) | Owner::Constant(..) => {}
            }
        }
        declared.hide();
        declared
    }

    /// Anonymous structs of fields that rules leave out are left out too.
    fn hide(&mut self) {
        let skipped = self.types.iter().flat_map(|named| &named.fields);
        let skipped = skipped.filter(|member| member.is_skipped());
        let mut inside = Vec::new();
        for member in skipped {
            member.field.ty.clone().for_each_named(&mut |id| inside.push(*id));
        }
        for id in inside {
            if let Some(at) = self.index.get(&id) {
                self.types[*at].hidden |= self.types[*at].ty.anonymous;
            }
        }
    }

    fn slot(&mut self, id: TypeId) -> &mut Named<'a> {
        let types = &mut self.types;
        let at = *self.index.entry(id).or_insert_with(|| {
            types.push(Named {
                id,
                ty: self.schema.ty(id),
                name: None,
                span: None,
                doc: None,
                markers: Vec::new(),
                fields: Vec::new(),
                hidden: false,
            });
            types.len() - 1
        });
        &mut self.types[at]
    }

    fn add_type(&mut self, id: TypeId, origins: &Origins<Place>, declaration: &Declaration) {
        let markers = self.markers(declaration.doc, Above::WithMarkers);
        let name = origins.span(&declaration.owner.part(Part::Name));
        let slot = self.slot(id);
        (slot.name, slot.span, slot.doc) = (name, Some(declaration.span), declaration.doc);
        slot.markers = markers;
    }

    fn add_field(&mut self, id: FieldId, origins: &Origins<Place>, declaration: &Declaration) {
        let span = |part| origins.span(&declaration.owner.part(part));
        let (Some(name), Some(ty)) = (span(Part::Name), span(Part::Type)) else {
            return;
        };
        let (owner, field) = (self.schema.ty(id.owner), self.schema.field(id));
        let path = if owner.anonymous {
            field.name.to_string()
        } else {
            format!("{}.{}", owner.name.name, field.name)
        };
        let member = Member {
            id,
            field,
            package: &owner.name.package,
            path,
            name,
            ty,
            span: declaration.span,
            doc: declaration.doc,
            tag: declaration.tag,
            markers: self.markers(declaration.doc, Above::OnlyMarkers),
        };
        self.slot(id.owner).fields.push(member);
    }

    /// The markers of a doc comment, and of a comment that ends one or two empty lines above it.
    fn markers(&self, doc: Option<Span>, above: Above) -> Vec<Marker<'a>> {
        let Some(doc) = doc else {
            return Vec::new();
        };
        let text = self.sources.file(doc.file).text();
        let read = |span: Span| {
            let text: &'a str = self.sources.text(span);
            marker::markers(text, span)
        };
        let mut found: Vec<Marker<'a>> = comment_above(text, doc, above)
            .into_iter()
            .flat_map(read)
            .collect();
        found.extend(read(doc));
        found
    }

    /// A type of the input packages.
    pub(crate) fn named(&self, id: TypeId) -> Option<&Named<'a>> {
        self.index.get(&id).map(|at| &self.types[*at])
    }

    /// The type that a field names, perhaps behind a pointer, if its own package declares it.
    pub(crate) fn local(&self, member: &Member<'a>) -> Option<&Named<'a>> {
        let of = match &member.field.ty {
            TypeRef::Pointer(inner) => inner,
            other => other,
        };
        let TypeRef::Named(id) = of else {
            return None;
        };
        self.named(*id)
            .filter(|named| *named.ty.name.package == *member.package && !named.ty.anonymous)
    }

    /// The markers of a field and of the type it names.
    pub(crate) fn all_markers<'s>(&'s self, member: &'s Member<'a>) -> impl Iterator<Item = &'s Marker<'a>> {
        let of_type = self
            .local(member)
            .map(|named| &*named.markers)
            .unwrap_or_default();
        of_type.iter().chain(&member.markers)
    }

    /// The struct that a type is, through the names that the same package declares.
    pub(crate) fn local_struct(&self, package: &str, of: &TypeRef) -> Option<&Named<'a>> {
        let mut of = of;
        for _ in 0..=self.types.len() {
            let TypeRef::Named(id) = of else {
                return None;
            };
            let named = self.named(*id)?;
            if *named.ty.name.package != *package {
                return None;
            }
            match &named.ty.shape {
                Shape::Struct(_) => return Some(named),
                Shape::Def(target) | Shape::Alias(target) => of = target,
                Shape::Hole => return None,
            }
        }
        None
    }

    /// The text of a place.
    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }
}

/// Which comments above a doc comment count, with an empty line between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    /// Of types: those with markers.
    WithMarkers,
    /// Of fields: those with nothing else.
    OnlyMarkers,
}

/// The comment that ends one or two empty lines above a doc comment, if its markers count: controller-gen and
/// validation-gen read them too.
fn comment_above(text: &str, doc: Span, above: Above) -> Option<Span> {
    let before = &text[..doc.start as usize];
    let end = before.trim_end().len();
    let empty = before[end..].matches('\n').count();
    if !(2..=3).contains(&empty) {
        return None;
    }
    let mut start = end;
    for line in before[..end].rsplit('\n') {
        let line = line.trim();
        let Some(comment) = line.strip_prefix("//") else {
            break;
        };
        let is_prose = !comment.trim_start().starts_with('+') && !comment.trim().is_empty();
        // A comment with struct tags is a field that was switched off.
        if is_prose && (above == Above::OnlyMarkers || comment.contains('`')) {
            return None;
        }
        start = line.as_ptr() as usize - text.as_ptr() as usize;
    }
    (start < end).then(|| Span::new(doc.file, start as u32, end as u32))
}

impl Named<'_> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.markers.iter().any(|marker| marker.name == name)
    }

    /// Whether the type is the list of a kind: metadata and items, nothing else.
    pub(crate) fn is_list(&self) -> bool {
        let names: Vec<&str> = self.ty.fields().iter().map(|field| &*field.name).collect();
        names.len() == 3
            && ["TypeMeta", "ListMeta", "Items"]
                .iter()
                .all(|name| names.contains(name))
    }

    /// Whether a field must be set.
    pub(crate) fn has_required_field(&self) -> bool {
        self.fields.iter().any(Member::is_required)
    }
}

impl<'a> Member<'a> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.markers.iter().any(|marker| marker.name == name)
    }

    pub(crate) fn markers_named<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Marker<'a>> {
        self.markers.iter().filter(move |marker| marker.name == name)
    }

    pub(crate) fn is_optional(&self) -> bool {
        OPTIONAL.iter().any(|name| self.has(name))
    }

    pub(crate) fn is_required(&self) -> bool {
        REQUIRED.iter().any(|name| self.has(name))
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.field.ty, TypeRef::Pointer(_))
    }

    /// The type, without the pointer to it.
    pub(crate) fn pointee(&self) -> &'a TypeRef {
        match &self.field.ty {
            TypeRef::Pointer(inner) => inner,
            other => other,
        }
    }

    /// Whether the members of the field appear among its parent's: a `json` tag of `,inline`, or an empty one on an
    /// embedded field.
    pub(crate) fn is_inline(&self) -> bool {
        let tag = &self.field.json;
        let has_other = tag.omitempty || tag.omitzero || tag.string;
        tag.present && tag.name.is_empty() && !has_other && (tag.inline || self.field.embedded)
    }

    /// Whether rules about fields leave it out: not encoded, or without a schema of its own.
    pub(crate) fn is_skipped(&self) -> bool {
        self.field.json.skip || self.has("kubebuilder:validation:Schemaless")
    }
}
