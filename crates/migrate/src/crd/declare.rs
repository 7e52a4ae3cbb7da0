//! Schemas as Go types. Structs and enums get names; a schema that is used twice is declared once.
//!
//! controller-gen checks many markers against the type as spelled, so what a keyword says about a named type is written on
//! the type. Descriptions, defaults and what else belongs to one use are written on the field.

mod imports;
mod library;

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_json::Arena;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

use super::GoFile;
use super::markers::{self, On};
use super::names::{self, exported, free};
use super::text::comment;
use library::{JSON, anything, library, scalar};

pub(super) use imports::imports;

/// Schemas nested deeper are not declared: no CRD of use is.
const MAX_DEPTH: usize = 128;

/// The types of one package.
pub(super) struct Package {
    name: String,
    taken: BTreeSet<String>,
    /// Names of types by what is declared.
    known: BTreeMap<String, String>,
    declared: usize,
    /// By file name: its declarations.
    files: BTreeMap<String, String>,
    /// Nesting of the schema at hand.
    depth: usize,
}

/// How a schema is written where it is used.
pub(super) struct Use {
    /// The Go type.
    pub(super) go: String,
    /// Markers on the field.
    markers: Vec<String>,
    shape: GoShape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GoShape {
    /// Absent is `nil`.
    Nilable,
    /// The empty text can be left out.
    Text,
    /// Optional ones are pointers.
    Plain,
}

/// Where a schema is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Field,
    /// In a list or map, where only the type can say anything.
    Element,
}

impl Package {
    pub(super) fn new<'a>(name: String, kinds: impl Iterator<Item = &'a str>) -> Self {
        let own = ["AddToScheme", "GroupVersion", "SchemeBuilder"].map(str::to_owned);
        let mut taken = BTreeSet::from(own);
        for kind in kinds {
            taken.insert(format!("{kind}List"));
            taken.insert(kind.to_owned());
        }
        Self {
            name,
            taken,
            known: BTreeMap::new(),
            declared: 0,
            files: BTreeMap::new(),
            depth: 0,
        }
    }

    pub(super) fn declared(&self) -> usize {
        self.declared
    }

    /// Adds declarations to a file.
    pub(super) fn add(&mut self, file: &str, text: &str) {
        let all = self.files.entry(file.to_owned()).or_default();
        all.push('\n');
        all.push_str(text);
    }

    /// The files, complete with package clause and imports.
    pub(super) fn files(&self) -> Vec<GoFile> {
        let files = self.files.iter();
        files
            .map(|(name, body)| GoFile {
                path: name.clone(),
                text: format!("package {}\n{}{body}", self.name, imports(body)),
            })
            .collect()
    }

    /// A field with its comment, for a member of a struct.
    pub(super) fn field(&mut self, file: &str, parent: &str, member: Member<'_>) -> String {
        let plain;
        let (schema, immutable) = if member.immutable {
            plain = JsonSchema {
                validations: Vec::new().into(),
                ..member.schema.clone()
            };
            (&plain, Some("+k8s:immutable".to_owned()))
        } else {
            (member.schema, None)
        };
        let used = self.usage(file, parent, &exported(member.json), schema, At::Field);
        let mut out = String::new();
        comment(&mut out, "\t", &member.schema.description);
        let presence = if member.required { "+required" } else { "+optional" };
        let own = markers::of_field(member.schema);
        let presence = std::iter::once(presence.to_owned()).chain(immutable);
        for marker in presence.chain(own).chain(used.markers) {
            out.push_str(&format!("\t// {marker}\n"));
        }
        // Go leaves out what is empty, and the server would fill in the default.
        let is_pointer = match used.shape {
            GoShape::Nilable => false,
            GoShape::Text => !member.required && (member.schema.default.is_some() || member.schema.nullable),
            GoShape::Plain => (!member.required || member.schema.nullable) && !member.by_value,
        };
        let pointer = if is_pointer { "*" } else { "" };
        let end = match (member.required, member.json) {
            (false, _) => ",omitempty",
            (true, "-") => ",",
            (true, _) => "",
        };
        let json = member.json;
        out.push_str(&format!(
            "\t{} {pointer}{} `json:\"{json}{end}\"`\n",
            member.name, used.go
        ));
        out
    }

    /// The fields of a struct.
    pub(super) fn fields(&mut self, file: &str, parent: &str, schema: &JsonSchema) -> Vec<String> {
        let (immutable, _) = markers::immutable(schema);
        let mut names = BTreeSet::new();
        let mut made = Vec::new();
        for (json, member) in &schema.properties {
            if !names::is_taggable(json) {
                continue;
            }
            let name = free(&mut names, exported(json));
            let member = Member {
                name: &name,
                json,
                schema: member,
                required: schema.required.contains(json),
                immutable: immutable.contains(json),
                by_value: false,
            };
            made.push(self.field(file, parent, member));
        }
        made
    }

    fn usage(&mut self, file: &str, parent: &str, name: &str, schema: &JsonSchema, at: At) -> Use {
        if self.depth >= MAX_DEPTH {
            return anything(&JsonSchema::default());
        }
        self.depth += 1;
        let used = self.used(file, parent, name, schema, at);
        self.depth -= 1;
        used
    }

    fn used(&mut self, file: &str, parent: &str, name: &str, schema: &JsonSchema, at: At) -> Use {
        if let Some((ty, field)) = twice(schema).filter(|_| at == At::Field) {
            let of = self.usage(file, parent, name, &ty, At::Element);
            return Use {
                go: of.go,
                markers: markers::of_value(&field, On::Field),
                shape: of.shape,
            };
        }
        if let Some(used) = library(schema) {
            return self.element(file, parent, name, schema, at, used);
        }
        let used = match &*schema.ty {
            "string" if is_enum(schema) => return self.enumeration(file, parent, name, schema, at),
            "string" => scalar("string", GoShape::Text, schema, ""),
            "boolean" => scalar("bool", GoShape::Plain, schema, ""),
            "number" => scalar("float64", GoShape::Plain, schema, ""),
            "integer" => match &*schema.format {
                "int32" => scalar("int32", GoShape::Plain, schema, "int32"),
                "" => scalar("int", GoShape::Plain, schema, ""),
                _ => scalar("int64", GoShape::Plain, schema, "int64"),
            },
            "array" => self.list(file, parent, name, schema),
            "object" => match schema.additional_properties.as_deref() {
                Some(SchemaOrBool::Schema(values)) if schema.properties.is_empty() => {
                    let of = self.usage(file, parent, &format!("{name}Value"), values, At::Element);
                    Use {
                        go: format!("map[string]{}", of.go),
                        markers: markers::of_value(schema, On::Field),
                        shape: GoShape::Nilable,
                    }
                }
                _ => return self.structure(file, parent, name, schema, at),
            },
            _ => anything(schema),
        };
        self.element(file, parent, name, schema, at, used)
    }

    /// In a list or map, markers need a named type to stand on.
    fn element(
        &mut self,
        file: &str,
        parent: &str,
        name: &str,
        schema: &JsonSchema,
        at: At,
        used: Use,
    ) -> Use {
        let says_more = !used.markers.is_empty() || !schema.description.is_empty();
        if at == At::Field || !says_more {
            return used;
        }
        let mut out = String::new();
        comment(&mut out, "", &schema.description);
        for marker in &used.markers {
            out.push_str(&format!("// {marker}\n"));
        }
        let go = self.declare(file, parent, name, &out, &used.go);
        Use {
            go,
            markers: Vec::new(),
            shape: used.shape,
        }
    }

    fn list(&mut self, file: &str, parent: &str, name: &str, schema: &JsonSchema) -> Use {
        let mut own = markers::of_value(schema, On::Field);
        let go = match schema.items.as_deref() {
            Some(Items::Each(item)) if is_plain_scalar(item) && library(item).is_none() => {
                let bare = JsonSchema {
                    ty: item.ty.clone(),
                    format: item.format.clone(),
                    ..JsonSchema::default()
                };
                let of = self.usage(file, parent, name, &bare, At::Field);
                let format = if of.markers.is_empty() { "" } else { &item.format };
                let rest = JsonSchema {
                    format: format.into(),
                    ..item.clone()
                };
                own.extend(markers::of_value(&rest, On::Items));
                of.go
            }
            Some(Items::Each(item)) => {
                self.usage(file, parent, &format!("{name}Item"), item, At::Element)
                    .go
            }
            _ => JSON.to_owned(),
        };
        Use {
            go: format!("[]{go}"),
            markers: own,
            shape: GoShape::Nilable,
        }
    }

    /// A struct. What is said about one use stays on the field.
    fn structure(&mut self, file: &str, parent: &str, name: &str, schema: &JsonSchema, at: At) -> Use {
        let mut out = String::new();
        if at == At::Element {
            comment(&mut out, "", &schema.description);
        }
        for marker in of_struct(schema) {
            out.push_str(&format!("// {marker}\n"));
        }
        let core = JsonSchema {
            description: if at == At::Element {
                schema.description.clone()
            } else {
                "".into()
            },
            default: None,
            nullable: false,
            title: "".into(),
            example: None,
            external_docs: None,
            ..schema.clone()
        };
        let key = format!("{core:?}");
        let go = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let go = self.name_for(parent, name);
                self.known.insert(key, go.clone());
                let fields = self.fields(file, &go, schema);
                let body = match &fields[..] {
                    [] => "struct{}\n".to_owned(),
                    fields => format!("struct {{\n{}}}\n", fields.join("\n")),
                };
                self.declared += 1;
                self.add(file, &format!("{out}type {go} {body}"));
                go
            }
        };
        Use {
            go,
            markers: Vec::new(),
            shape: GoShape::Plain,
        }
    }

    fn enumeration(&mut self, file: &str, parent: &str, name: &str, schema: &JsonSchema, at: At) -> Use {
        let mut out = String::new();
        if at == At::Element {
            comment(&mut out, "", &schema.description);
        }
        let says = markers::of_value(schema, On::Type);
        for marker in &says {
            out.push_str(&format!("// {marker}\n"));
        }
        let declared = self.known.len();
        let go = self.declare(file, parent, name, &out, "string");
        if self.known.len() > declared {
            let constants = self.constants(&go, schema);
            self.add(file, &constants);
        }
        Use {
            go,
            markers: Vec::new(),
            shape: GoShape::Text,
        }
    }

    fn constants(&mut self, go: &str, schema: &JsonSchema) -> String {
        let arena = Arena::new();
        let texts = schema
            .enum_values
            .iter()
            .filter_map(|value| value.value(&arena).as_str());
        let mut seen = BTreeSet::new();
        let mut rows = Vec::new();
        for text in texts.filter(|text| seen.insert(*text)) {
            let end = if text.is_empty() {
                "Empty".to_owned()
            } else {
                exported(text)
            };
            let name = free(&mut self.taken, format!("{go}{end}"));
            rows.push((name, kindsmith_gostd::quote::quote(text)));
        }
        let width = rows
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or_default();
        let rows: String = rows
            .iter()
            .map(|(name, value)| format!("\t{name:width$} {go} = {value}\n"))
            .collect();
        format!("const (\n{rows})\n")
    }

    /// Declares a type of another, unless there is the same.
    fn declare(&mut self, file: &str, parent: &str, name: &str, comment: &str, of: &str) -> String {
        let key = format!("{comment}{of}");
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let go = self.name_for(parent, name);
        self.known.insert(key, go.clone());
        self.declared += 1;
        self.add(file, &format!("{comment}type {go} {of}\n"));
        go
    }

    fn name_for(&mut self, parent: &str, name: &str) -> String {
        free(&mut self.taken, format!("{parent}{name}"))
    }
}

/// A member of an object that becomes a field.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    /// In Go.
    pub(super) name: &'a str,
    /// In JSON.
    pub(super) json: &'a str,
    pub(super) schema: &'a JsonSchema,
    pub(super) required: bool,
    /// Whether `+k8s:immutable` stands for its rule.
    pub(super) immutable: bool,
    /// Never a pointer, as `spec` and `status`.
    pub(super) by_value: bool,
}

/// `allOf` as controller-gen writes it if type and field say the same keyword: what the type says, and what the field says.
fn twice(schema: &JsonSchema) -> Option<(JsonSchema, JsonSchema)> {
    let [of_type, of_field] = &schema.all_of[..] else {
        return None;
    };
    let is_plain =
        |one: &JsonSchema| one.ty.is_empty() && one.enum_values.is_empty() && one.children().next().is_none();
    let is_scalar =
        matches!(&*schema.ty, "string" | "boolean" | "integer" | "number") || schema.int_or_string;
    if !is_scalar || !is_plain(of_type) || !is_plain(of_field) {
        return None;
    }
    let ty = JsonSchema {
        ty: schema.ty.clone(),
        format: if of_type.format.is_empty() {
            schema.format.clone()
        } else {
            of_type.format.clone()
        },
        int_or_string: schema.int_or_string,
        any_of: schema.any_of.clone(),
        ..of_type.clone()
    };
    let rest = JsonSchema {
        ty: "".into(),
        format: "".into(),
        all_of: Vec::new().into(),
        any_of: Vec::new().into(),
        description: "".into(),
        ..schema.clone()
    };
    let field = JsonSchema {
        maximum: of_field.maximum.or(rest.maximum),
        minimum: of_field.minimum.or(rest.minimum),
        max_length: of_field.max_length.or(rest.max_length),
        min_length: of_field.min_length.or(rest.min_length),
        pattern: if of_field.pattern.is_empty() {
            rest.pattern.clone()
        } else {
            of_field.pattern.clone()
        },
        format: of_field.format.clone(),
        ..rest
    };
    Some((ty, field))
}

/// Markers on a struct.
pub(super) fn of_struct(schema: &JsonSchema) -> Vec<String> {
    let rest = JsonSchema {
        validations: markers::immutable(schema).1,
        ..schema.clone()
    };
    markers::of_value(&rest, On::Type)
}

/// Whether the markers for items can say all of it.
fn is_plain_scalar(schema: &JsonSchema) -> bool {
    matches!(&*schema.ty, "string" | "boolean" | "integer" | "number")
        && schema.description.is_empty()
        && !schema.nullable
        && schema.validations.is_empty()
        && !is_enum(schema)
}

fn is_enum(schema: &JsonSchema) -> bool {
    let arena = Arena::new();
    !schema.enum_values.is_empty()
        && schema
            .enum_values
            .iter()
            .all(|value| value.value(&arena).as_str().is_some())
}
