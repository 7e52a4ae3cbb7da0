//! Fields of structs.

use kindsmith_schema::{Field, FieldId, JsonTag, Owner, Part, PatchTag, Struct, TypeId};

use super::{At, Lower, comments, struct_tag};
use crate::syntax::{self, List, string_value};

impl Lower<'_, '_> {
    /// The members of the struct type `owner`.
    pub(super) fn fields(&mut self, at: At<'_>, owner: TypeId, fields: List<syntax::Field>) -> Struct {
        let file = at.file;
        let mut members = Struct::default();
        for field in file.fields(fields) {
            let name = file.text(field.name);
            let anonymous = format!("{}.{name}", at.anonymous);
            let ty = self.type_ref(
                At {
                    anonymous: &anonymous,
                    ..at
                },
                field.ty,
            );
            let tag = field
                .tag
                .and_then(|span| string_value(file.text(span)))
                .unwrap_or_default();
            let json =
                struct_tag::lookup(&tag, "json").map_or_else(JsonTag::default, |text| JsonTag::parse(&text));
            let mut member = Field::new(name, json, ty);
            member.embedded = field.embedded;
            member.docs = comments::docs(file, &field.comments);
            member.patch = PatchTag {
                strategy: struct_tag::lookup(&tag, "patchStrategy").map(Into::into),
                merge_key: struct_tag::lookup(&tag, "patchMergeKey").map(Into::into),
            };
            member.protobuf = struct_tag::lookup(&tag, "protobuf").map(Into::into);
            let id = Owner::Field(FieldId {
                owner,
                index: members.fields.len() as u32,
            });
            members.fields.push(member);
            self.origins.push((id.part(Part::Name), field.name));
            self.origins.push((id.part(Part::Type), file.ty(field.ty).span));
            self.comment(id, at, field.comments);
        }
        members
    }
}
