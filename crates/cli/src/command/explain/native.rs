//! Pages from Go types.

use kindsmith_emit::words::{Fact, rules};
use kindsmith_schema::{
    Default as Written, Docs, Facet, Field, Rule, Scalar, Schema, Shape, TypeId, TypeRef, WellKnown,
};

use super::page::Entry;

/// How deep `--recursive` goes: types may hold themselves.
const DEPTH: usize = 16;

/// The entry a path leads to, with its fields, and theirs when `recursive`.
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
        description: prose(&ty.docs),
        facts: rules(&ty.rules),
        ..Entry::default()
    };
    let mut at = TypeRef::Named(root);
    for name in path {
        let members = reader.members(&at, DEPTH);
        let field = members.iter().find(|field| field.json_name() == Some(name));
        let field = field.ok_or_else(|| name.clone())?;
        entry = reader.describe(field);
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
    /// The members of what a list, map or pointer leads to, those of embedded structs among them.
    fn members(&self, of: &TypeRef, depth: usize) -> Vec<&'s Field> {
        let (Some(holder), Some(below)) = (self.holder(of), depth.checked_sub(1)) else {
            return Vec::new();
        };
        let mut members = Vec::new();
        for field in self.schema.ty(holder).fields() {
            if field.is_inline() {
                members.extend(self.members(&field.ty, below));
            } else if field.json_name().is_some() {
                members.push(field);
            }
        }
        members
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
        let mut fields: Vec<Entry> = self
            .members(of, DEPTH)
            .into_iter()
            .map(|field| Entry {
                fields: self.fields(&field.ty, below),
                ..self.describe(field)
            })
            .collect();
        fields.sort_by(|one, other| one.name.cmp(&other.name));
        fields
    }

    fn describe(&self, field: &Field) -> Entry {
        let chain = self.chain(&field.ty);
        let written: Vec<&Rule> = field
            .rules
            .iter()
            .chain(chain.iter().flat_map(|id| &self.schema.ty(*id).rules))
            .collect();
        let mut facts = Vec::new();
        let typed = chain.iter().find_map(|id| self.schema.ty(*id).default.as_ref());
        if let Some(default) = field.default.as_ref().or(typed) {
            facts.push(Fact::new("default", default_text(default)));
        }
        facts.extend(
            rules(written.iter().copied())
                .into_iter()
                .filter(|fact| fact.label != "presence" || fact.text != "required"),
        );
        if !written.is_empty() {
            facts.push(Fact::new(
                "ratcheting",
                "an update that leaves it unchanged is not checked again",
            ));
        }
        let is_enum = written.iter().any(|rule| rule.facet == Facet::Enum);
        let own = prose(&field.docs);
        let of_type = chain.first().map(|id| prose(&self.schema.ty(*id).docs));
        Entry {
            name: field.json_name().unwrap_or_default().to_owned(),
            ty: self.type_name(&field.ty),
            required: written
                .iter()
                .any(|rule| rule.facet == Facet::Required && rule.wraps.is_empty()),
            description: if own.is_empty() {
                of_type.unwrap_or_default()
            } else {
                own
            },
            allowed: if is_enum {
                self.constants(&chain)
            } else {
                Vec::new()
            },
            facts,
            ..Entry::default()
        }
    }

    /// The named types from a use on, along typedefs.
    fn chain(&self, of: &TypeRef) -> Vec<TypeId> {
        let mut chain = Vec::new();
        let mut at = of;
        loop {
            match at {
                TypeRef::Pointer(inner) => at = inner,
                TypeRef::Named(id) if !chain.contains(id) => {
                    chain.push(*id);
                    match &self.schema.ty(*id).shape {
                        Shape::Def(target) | Shape::Alias(target) => at = target,
                        _ => return chain,
                    }
                }
                _ => return chain,
            }
        }
    }

    fn constants(&self, chain: &[TypeId]) -> Vec<String> {
        let constants = chain.iter().flat_map(|id| &self.schema.ty(*id).constants);
        let values = constants.filter_map(|constant| constant.value.as_ref());
        let mut texts: Vec<String> = values
            .map(|value| match serde_json::from_str(value.as_str()) {
                Ok(serde_json::Value::String(text)) => text,
                _ => value.as_str().to_owned(),
            })
            .collect();
        texts.sort();
        texts.dedup();
        texts
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

fn default_text(default: &Written) -> String {
    match default {
        Written::Value(value) => value.as_str().to_owned(),
        Written::Ref { package, name, value } => {
            let constant = format!("{package}.{name}");
            match value {
                Some(value) => format!("{} (the constant {constant})", value.as_str()),
                None => format!("the constant {constant}"),
            }
        }
    }
}

/// What people read of a comment, up to `---`, with a line for each paragraph.
fn prose(docs: &Docs) -> String {
    let text = docs.prose();
    let lines: Vec<&str> = text.lines().take_while(|line| line.trim() != "---").collect();
    // Lines of a paragraph are one sentence after the other; an empty line ends it.
    let paragraphs: Vec<String> = lines
        .split(|line| line.trim().is_empty())
        .map(|lines| lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    paragraphs.join("\n")
}
