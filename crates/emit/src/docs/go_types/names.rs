//! Types in the terms of JSON.

use kindsmith_schema::{Scalar, Shape, TypeId, TypeRef, WellKnown};

use super::section::Chapter;
use crate::docs::page::METADATA;
use crate::docs::{Line, Piece};

impl Chapter<'_, '_> {
    /// A type with links to the sections of its parts.
    pub(super) fn type_line(&self, of: &TypeRef) -> Line {
        match of {
            TypeRef::Pointer(inner) => self.type_line(inner),
            TypeRef::List(inner) if matches!(**inner, TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)) => {
                vec![Piece::text("bytes (base64)")]
            }
            TypeRef::List(inner) => self.around("list of ", inner),
            TypeRef::Array(size, inner) => self.around(&format!("list of {size} "), inner),
            TypeRef::Map(_, value) => self.around("map of string to ", value),
            TypeRef::Scalar(scalar) => vec![Piece::text(scalar_name(*scalar))],
            TypeRef::Named(id) => self.named_line(*id),
            TypeRef::Any { .. } | TypeRef::Interface | TypeRef::Unsupported { .. } => {
                vec![Piece::text("any value")]
            }
        }
    }

    fn around(&self, text: &str, inner: &TypeRef) -> Line {
        let mut line = vec![Piece::text(text)];
        line.extend(self.type_line(inner));
        line
    }

    fn named_line(&self, id: TypeId) -> Line {
        let ty = self.book.schema.ty(id);
        if self.book.has_section(id) {
            return vec![self.link(id)];
        }
        match (ty.well_known, &ty.shape) {
            (Some(known), _) => vec![known_piece(known)],
            (None, Shape::Def(target) | Shape::Alias(target)) => self.type_line(target),
            _ => vec![Piece::code(ty.name.to_string())],
        }
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "boolean",
        Scalar::String => "string",
        Scalar::Float32 | Scalar::Float64 => "number",
        Scalar::Int32 | Scalar::Rune => "integer (32 bits)",
        Scalar::Int64 | Scalar::Int => "integer (64 bits)",
        _ => "integer",
    }
}

fn known_piece(known: WellKnown) -> Piece {
    match known {
        WellKnown::ObjectMeta => Piece::Web {
            text: "ObjectMeta".to_owned(),
            url: METADATA.to_owned(),
        },
        WellKnown::ListMeta => Piece::text("standard metadata of lists"),
        WellKnown::Quantity => Piece::text("quantity (such as 500m or 2Gi)"),
        WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime => Piece::text("time (RFC 3339)"),
        WellKnown::Duration => Piece::text("duration (such as 1h30m)"),
        WellKnown::IntOrString => Piece::text("integer or string"),
        WellKnown::TypeMeta => Piece::text("apiVersion and kind"),
        WellKnown::GoDuration => Piece::text("integer (nanoseconds)"),
        WellKnown::Unstructured | WellKnown::RawExtension => Piece::text("any object"),
        WellKnown::FieldsV1 | WellKnown::Json | WellKnown::RawMessage => Piece::text("any value"),
    }
}
