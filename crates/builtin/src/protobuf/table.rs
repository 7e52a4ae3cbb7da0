//! The messages of a schema: fields on the wire, from the `protobuf:` struct tags and the Go types.
//!
//! Only the number is taken from a tag. The generator decides the wire type by the Go type (go-to-protobuf
//! `generator.go`), and some tags are wrong about it.

use std::sync::{Arc, OnceLock};

use kindsmith_schema::{
    Field as Member, Scalar, Schema, Shape as TypeShape, Str, Type, TypeId, TypeRef, WellKnown,
};

/// All messages, by the index of their types; each is made when it is first asked for.
#[derive(Debug)]
pub(super) struct Table {
    schema: Arc<Schema>,
    messages: Vec<OnceLock<Option<Message>>>,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) name: Str,
    /// In the order of the struct.
    pub(super) fields: Vec<Field>,
    /// Indexes into `fields`, by number.
    pub(super) by_number: Vec<u16>,
}

/// A field of a message.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    /// The Go name.
    pub(super) name: Str,
    /// The name in JSON; `None` for an embedded message.
    pub(super) key: Option<Str>,
    /// Whether JSON omits it when empty.
    pub(super) omit: bool,
    pub(super) shape: Shape,
    pub(super) form: Form,
}

/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Always one.
    Value,
    /// One or none.
    Option,
    List,
    /// A map with string keys.
    Map,
}

/// The form of a single value on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Bool,
    Int32,
    Int64,
    Uint64,
    Double,
    Single,
    Text,
    Bytes,
    Message(TypeId),
    /// A list of strings in its own message, so that an empty list differs from nil.
    Items,
    Time,
    MicroTime,
    Duration,
    Quantity,
    IntOrString,
    /// JSON in its own message.
    Raw,
    /// `JSONSchemaPropsOrBool`: a schema or a boolean.
    SchemaOrBool(TypeId),
    /// `JSONSchemaPropsOrArray`: a schema or several.
    SchemaOrArray(TypeId),
    /// `JSONSchemaPropsOrStringArray`: a schema or strings.
    SchemaOrTexts(TypeId),
}

const APIEXTENSIONS: &str = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";

impl Table {
    pub(super) fn new(schema: &Arc<Schema>) -> Self {
        Self {
            schema: Arc::clone(schema),
            messages: (0..schema.types().len()).map(|_| OnceLock::new()).collect(),
        }
    }

    pub(super) fn message(&self, id: TypeId) -> Option<&Message> {
        let made = self.messages.get(id.index())?;
        made.get_or_init(|| message(&self.schema, self.schema.ty(id)))
            .as_ref()
    }
}

impl Message {
    /// The index of the field with a number.
    pub(super) fn position(&self, number: u32) -> Option<usize> {
        let found = self
            .by_number
            .binary_search_by_key(&number, |&position| self.fields[usize::from(position)].number);
        found.ok().map(|at| usize::from(self.by_number[at]))
    }
}

/// The message of a type, if it has one: a struct with a numbered field, or without fields. Types with a special form
/// only occur inside other messages.
fn message(schema: &Schema, ty: &Type) -> Option<Message> {
    if ty.well_known.is_some_and(WellKnown::is_opaque) {
        return None;
    }
    let TypeShape::Struct(members) = &ty.shape else {
        return None;
    };
    let fields: Vec<Field> = members
        .fields
        .iter()
        .filter_map(|member| field(schema, member))
        .collect();
    if fields.is_empty() && !members.fields.is_empty() {
        return None;
    }
    let mut by_number: Vec<u16> = (0..fields.len())
        .filter_map(|position| u16::try_from(position).ok())
        .collect();
    by_number.sort_by_key(|&position| fields[usize::from(position)].number);
    Some(Message {
        name: ty.name.name.clone(),
        fields,
        by_number,
    })
}

fn field(schema: &Schema, member: &Member) -> Option<Field> {
    let number = member.protobuf.as_deref()?.split(',').nth(1)?.parse().ok()?;
    let key = match (member.json_name(), member.is_inline()) {
        (Some(name), _) => Some(name.into()),
        (None, true) => None,
        (None, false) => return None,
    };
    let (shape, form) = shape(schema, &member.ty)?;
    // Only messages can be embedded.
    if key.is_none() && !matches!(form, Form::Message(_)) {
        return None;
    }
    Some(Field {
        number,
        name: member.name.clone(),
        key,
        omit: member.json.omitempty || member.json.omitzero,
        shape,
        form,
    })
}

fn shape(schema: &Schema, ty: &TypeRef) -> Option<(Shape, Form)> {
    if let Some(form) = form(schema, ty) {
        let shape = match form {
            // Nil is not sent.
            Form::Bytes | Form::Items => Shape::Option,
            _ => Shape::Value,
        };
        return Some((shape, form));
    }
    match schema.view().underlying(ty) {
        TypeRef::Pointer(inner) => Some((Shape::Option, form(schema, inner)?)),
        TypeRef::List(inner) => Some((Shape::List, element(schema, inner)?)),
        TypeRef::Map(key, value) => {
            form(schema, key).filter(|key| *key == Form::Text)?;
            Some((Shape::Map, element(schema, value)?))
        }
        _ => None,
    }
}

fn element(schema: &Schema, ty: &TypeRef) -> Option<Form> {
    match schema.view().unalias(ty) {
        TypeRef::Pointer(inner) => form(schema, inner),
        other => form(schema, other),
    }
}

/// The form of a type on the wire, if it is a single value.
fn form(schema: &Schema, ty: &TypeRef) -> Option<Form> {
    let view = schema.view();
    match view.unalias(ty) {
        TypeRef::Named(id) => named(schema, *id),
        TypeRef::Scalar(scalar) => Some(self::scalar(*scalar)),
        TypeRef::List(inner) => match view.underlying(inner) {
            TypeRef::Scalar(Scalar::Byte | Scalar::Uint8) => Some(Form::Bytes),
            _ => None,
        },
        _ => None,
    }
}

fn named(schema: &Schema, id: TypeId) -> Option<Form> {
    let ty = schema.ty(id);
    if let Some(form) = ty.well_known.and_then(well_known) {
        return Some(form);
    }
    match &ty.shape {
        TypeShape::Struct(_) if &*ty.name.package == APIEXTENSIONS => Some(match &*ty.name.name {
            "JSONSchemaPropsOrBool" => Form::SchemaOrBool(id),
            "JSONSchemaPropsOrArray" => Form::SchemaOrArray(id),
            "JSONSchemaPropsOrStringArray" => Form::SchemaOrTexts(id),
            _ => Form::Message(id),
        }),
        TypeShape::Struct(_) => Some(Form::Message(id)),
        TypeShape::Def(target) if is_nullable(ty) => match element(schema, list_of(schema, target)?)? {
            Form::Text => Some(Form::Items),
            _ => None,
        },
        TypeShape::Def(target) | TypeShape::Alias(target) => form(schema, target),
        TypeShape::Hole => None,
    }
}

fn list_of<'a>(schema: &'a Schema, ty: &'a TypeRef) -> Option<&'a TypeRef> {
    match schema.view().underlying(ty) {
        TypeRef::List(inner) => Some(inner),
        _ => None,
    }
}

/// Whether a list type distinguishes empty from nil (`+protobuf.nullable=true`).
fn is_nullable(ty: &Type) -> bool {
    let mut markers = ty.options.markers.iter();
    markers.any(|(name, value)| &**name == "protobuf.nullable" && &**value == "true")
}

fn well_known(known: WellKnown) -> Option<Form> {
    Some(match known {
        WellKnown::Time => Form::Time,
        WellKnown::MicroTime => Form::MicroTime,
        WellKnown::Duration => Form::Duration,
        WellKnown::Quantity => Form::Quantity,
        WellKnown::IntOrString => Form::IntOrString,
        WellKnown::RawExtension | WellKnown::FieldsV1 | WellKnown::Json => Form::Raw,
        WellKnown::GoDuration => Form::Int64,
        _ => return None,
    })
}

fn scalar(scalar: Scalar) -> Form {
    match scalar {
        Scalar::Bool => Form::Bool,
        Scalar::String => Form::Text,
        Scalar::Float32 => Form::Single,
        Scalar::Float64 => Form::Double,
        Scalar::Int | Scalar::Int64 => Form::Int64,
        Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Rune => Form::Int32,
        Scalar::Uint
        | Scalar::Uint8
        | Scalar::Uint16
        | Scalar::Uint32
        | Scalar::Uint64
        | Scalar::Byte
        | Scalar::Uintptr => Form::Uint64,
    }
}
