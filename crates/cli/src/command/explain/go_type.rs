//! Pages from Go types.

use kindsmith_emit::describe::{self, Default, Fact};
use kindsmith_schema::{Field, Scalar, Schema, Shape, TypeId, TypeRef, WellKnown};

use super::page::Entry;

/// How deep `--recursive` goes: types may contain themselves.
const DEPTH: usize = 16;

/// The entry at a path, with its fields; with all nested fields if `recursive`.
///
/// # Errors
///
/// The name that does not exist.
pub(super) fn entry(
    schema: &Schema,
    root: TypeId,
    path: &[String],
    recursive: bool,
) -> Result<Entry, String> {
    let reader = Reader { schema };
    let ty = schema.ty(root);
    let mut entry = Entry {
        ty: "Object".to_owned(),
        description: prose(&ty.docs.prose()),
        facts: describe::struct_facts(schema, root),
        ..Entry::default()
    };
    let mut at = TypeRef::Named(root);
    for name in path {
        let members = reader.members(&at);
        let field = members.iter().find(|field| field.json_name() == Some(name));
        let field = field.ok_or_else(|| name.clone())?;
        entry = reader.describe(field, &members);
        at = field.ty.clone();
    }
    let depth = if recursive { DEPTH } else { 1 };
    entry.fields = reader.fields(&at, depth);
    Ok(entry)
}

struct Reader<'s> {
    schema: &'s Schema,
}

impl<'s> Reader<'s> {
    /// The fields of the struct that a list, map or pointer leads to, including those of embedded structs.
    fn members(&self, of: &TypeRef) -> Vec<&'s Field> {
        match self.holder(of) {
            Some(holder) => describe::members(self.schema, &TypeRef::Named(holder)),
            None => Vec::new(),
        }
    }

    fn holder(&self, of: &TypeRef) -> Option<TypeId> {
        match self.schema.view().underlying(of) {
            TypeRef::Named(id) => {
                let ty = self.schema.ty(*id);
                let is_struct = matches!(ty.shape, Shape::Struct(_)) && ty.well_known.is_none_or(has_members);
                is_struct.then_some(*id)
            }
            TypeRef::Pointer(inner)
            | TypeRef::List(inner)
            | TypeRef::Array(_, inner)
            | TypeRef::Map(_, inner) => self.holder(inner),
            _ => None,
        }
    }

    fn fields(&self, of: &TypeRef, depth: usize) -> Vec<Entry> {
        let Some(below) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let members = self.members(of);
        let mut fields: Vec<Entry> = members
            .iter()
            .map(|field| Entry {
                fields: self.fields(&field.ty, below),
                ..self.describe(field, &members)
            })
            .collect();
        fields.sort_by(|one, other| one.name.cmp(&other.name));
        fields
    }

    fn describe(&self, field: &Field, among: &[&Field]) -> Entry {
        let said = describe::describe(self.schema, field, among);
        let mut facts: Vec<Fact> = said.default.iter().map(default_fact).collect();
        let is_checked = !said.facts.is_empty() || !said.allowed.is_empty() || said.required;
        facts.extend(said.facts);
        for value in &said.allowed {
            let refused = value.refused.iter();
            facts.extend(refused.map(|when| Fact::new("enum", format!("{} is {when}", value.value))));
        }
        if let Some(gate) = said.feature_gate {
            facts.push(Fact::new("feature gate", gate));
        }
        if is_checked {
            facts.push(Fact::new(
                "ratcheting",
                "an update that leaves it unchanged is not checked again",
            ));
        }
        let mut allowed: Vec<String> = said.allowed.into_iter().map(|value| value.value).collect();
        allowed.sort();
        Entry {
            name: field.json_name().unwrap_or_default().to_owned(),
            ty: self.type_name(&field.ty),
            required: said.required,
            description: prose(&said.prose),
            allowed,
            facts,
            ..Entry::default()
        }
    }

    /// kubectl's short form of a type.
    fn type_name(&self, of: &TypeRef) -> String {
        match of {
            TypeRef::Pointer(inner) => self.type_name(inner),
            TypeRef::List(inner) if matches!(**inner, TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)) => {
                "string".to_owned()
            }
            TypeRef::List(inner) | TypeRef::Array(_, inner) => format!("[]{}", self.type_name(inner)),
            TypeRef::Map(_, value) => format!("map[string]{}", self.type_name(value)),
            TypeRef::Scalar(scalar) => scalar_name(*scalar).to_owned(),
            TypeRef::Named(id) => {
                let ty = self.schema.ty(*id);
                match (&ty.well_known, &ty.shape) {
                    (Some(known), _) if !has_members(*known) => known_name(*known).to_owned(),
                    (_, Shape::Def(target) | Shape::Alias(target)) => self.type_name(target),
                    _ => ty.name.name.to_string(),
                }
            }
            _ => "Object".to_owned(),
        }
    }
}

fn has_members(known: WellKnown) -> bool {
    matches!(
        known,
        WellKnown::ObjectMeta | WellKnown::ListMeta | WellKnown::TypeMeta
    )
}

fn known_name(known: WellKnown) -> &'static str {
    match known {
        WellKnown::RawExtension | WellKnown::Json | WellKnown::Unstructured | WellKnown::RawMessage => {
            "Object"
        }
        WellKnown::GoDuration => "integer",
        WellKnown::FieldsV1 => "FieldsV1",
        _ => "string",
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "boolean",
        Scalar::String => "string",
        Scalar::Float32 | Scalar::Float64 => "number",
        _ => "integer",
    }
}

fn default_fact(default: &Default) -> Fact {
    let text = match (&default.value, &default.constant) {
        (Some(value), Some(constant)) => format!("{value} (the constant {constant})"),
        (Some(value), None) => value.clone(),
        (None, constant) => format!("the constant {}", constant.as_deref().unwrap_or_default()),
    };
    Fact::new("default", text)
}

/// The part of a comment meant for people, up to `---`, one line per paragraph.
fn prose(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take_while(|line| line.trim() != "---").collect();
    // Lines of a paragraph are joined; an empty line ends it.
    let paragraphs: Vec<String> = lines
        .split(|line| line.trim().is_empty())
        .map(|lines| lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    paragraphs.join("\n")
}
