//! Fields of structs.

use kindsmith_schema::{Field, FieldId, JsonTag, Owner, Part, Struct, TypeId};
use kindsmith_tags::Declaration;

use super::{At, Lower, comments, struct_tag};
use crate::syntax::{self, List, TypeKind, string_value};

impl Lower<'_, '_> {
    /// The members of the struct type `owner`.
    pub(super) fn fields(&mut self, at: At<'_>, owner: TypeId, fields: List<syntax::Field>) -> Struct {
        let file = at.file;
        let mut members = Struct::default();
        for field in file.fields(fields) {
            let name = file.text(field.name);
            let ty = self.type_ref(
                At {
                    member: Some(name),
                    ..at
                },
                field.ty,
            );
            let mut member = Field::new(name, JsonTag::default(), ty);
            member.embedded = field.embedded;
            let written = file.ty(field.ty);
            member.type_parameter =
                matches!(written.kind, TypeKind::Name) && at.params.contains_key(file.text(written.span));
            member.docs = comments::docs(file, &field.comments);
            if let Some(tag) = field.tag.and_then(|span| string_value(file.text(span))) {
                read_tag(&mut member, &tag);
            }
            let id = Owner::Field(FieldId {
                owner,
                index: members.fields.len() as u32,
            });
            members.fields.push(member);
            self.origins.push((id.part(Part::Name), field.name));
            self.origins.push((id.part(Part::Type), file.ty(field.ty).span));
            self.declare(
                at,
                Declaration {
                    owner: id,
                    span: field.span,
                    doc: file.doc_span(&field.comments),
                    tag: field.tag,
                },
            );
            self.comment(id, at, field.comments);
        }
        members
    }
}

/// Reads a struct tag; the first of equal keys counts.
fn read_tag(member: &mut Field, tag: &str) {
    for (key, value) in struct_tag::pairs(tag) {
        let text = || string_value(value);
        match key {
            "json" if !member.json.present => {
                member.json = text().map_or_else(JsonTag::default, |text| JsonTag::parse(&text));
            }
            "patchStrategy" if member.patch.strategy.is_none() => {
                member.patch.strategy = text().map(Into::into);
            }
            "patchMergeKey" if member.patch.merge_key.is_none() => {
                member.patch.merge_key = text().map(Into::into);
            }
            "protobuf" if member.protobuf.is_none() => member.protobuf = text().map(Into::into),
            _ => {}
        }
    }
}
