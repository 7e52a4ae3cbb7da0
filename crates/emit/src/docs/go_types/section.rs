//! Sections of a page: a kind or type with its fields.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_schema::{Field, Kind, Package, Scope, Type, TypeId, TypeName, TypeRef};

use super::Book;
use crate::describe::{Default, Fact, allowed, describe, is_deprecated, members, struct_facts};
use crate::docs::inline::line;
use crate::docs::prose::blocks;
use crate::docs::{Line, Piece, Row, Section, Value, page_title};

/// The content of one page.
pub(super) struct Chapter<'b, 's> {
    pub(super) book: &'b Book<'s>,
    pub(super) package: &'s Package,
    pub(super) members: BTreeSet<TypeId>,
    /// The types that have fields of a type.
    pub(super) users: BTreeMap<TypeId, BTreeSet<TypeId>>,
    /// Versions of the group with their packages, oldest first.
    pub(super) versions: Vec<(&'s str, &'s str)>,
}

impl<'s> Chapter<'_, 's> {
    pub(super) fn kind(&self, kind: &Kind) -> Section {
        let mut section = self.section(kind.ty);
        section.title = kind.kind.to_string();
        section.deprecated |= kind.deprecated.is_some();
        section.name_kind(&page_title(&kind.group, &kind.version), &kind.kind);
        section.facts.splice(0..0, kind_facts(kind));
        section
    }

    pub(super) fn section(&self, id: TypeId) -> Section {
        let ty = self.book.schema.ty(id);
        let is_struct = self.book.is_struct(id);
        let prose = ty.docs.prose();
        let said = struct_facts(self.book.schema, id);
        let mut facts: Vec<(String, Line)> = said.iter().map(labelled).collect();
        if let Some(version) = self.since_type(ty) {
            facts.push(("since".to_owned(), line(version)));
        }
        let is_foreign = ty.name.package != self.package.path;
        Section {
            anchor: self.anchor(ty),
            title: ty.name.name.to_string(),
            package: is_foreign.then(|| ty.name.package.to_string()),
            deprecated: is_deprecated(&prose),
            description: blocks(&prose),
            facts,
            rows: if is_struct { self.rows(id) } else { Vec::new() },
            values: if is_struct { Vec::new() } else { values(ty) },
            used_by: self.users(id),
            place: None,
        }
    }

    /// Types of other packages without a page of their own may have the same name.
    fn anchor(&self, ty: &Type) -> String {
        let plain = |text: &str| {
            text.to_lowercase()
                .replace(|c: char| !c.is_ascii_alphanumeric(), "-")
        };
        let name = plain(&ty.name.name);
        if ty.name.package == self.package.path {
            name
        } else {
            format!("{}-{name}", plain(&ty.name.package))
        }
    }

    fn users(&self, id: TypeId) -> Vec<Piece> {
        let users = self.users.get(&id).into_iter().flatten();
        let others = users.filter(|user| **user != id);
        others.map(|user| self.link(*user)).collect()
    }

    /// The first version with a type, or with a field of it.
    fn first(&self, owner: &Type, field: Option<&Field>) -> Option<usize> {
        let schema = self.book.schema;
        self.versions.iter().position(|(_, package)| {
            let Some(id) = schema.find(&TypeName::new(*package, owner.name.name.clone())) else {
                return false;
            };
            let has = |field: &Field| {
                let members = members(schema, &TypeRef::Named(id));
                members.iter().any(|other| other.json_name() == field.json_name())
            };
            field.is_none_or(has)
        })
    }

    /// The version that introduced a type, if older versions lack it.
    fn since_type(&self, ty: &Type) -> Option<&'s str> {
        let first = self.first(ty, None)?;
        (first > 0).then(|| self.versions[first].0)
    }

    /// The version that introduced a field, unless its type is as new.
    fn since_field(&self, owner: &Type, field: &Field) -> Option<&'s str> {
        if self.versions.len() < 2 {
            return None;
        }
        let first = self.first(owner, Some(field))?;
        let is_newer = self.first(owner, None)? < first;
        is_newer.then(|| self.versions[first].0)
    }

    pub(super) fn link(&self, id: TypeId) -> Piece {
        let ty = self.book.schema.ty(id);
        let text = ty.name.name.to_string();
        if self.members.contains(&id) {
            return Piece::Link {
                text,
                page: None,
                anchor: self.anchor(ty),
            };
        }
        match self.book.names.get(&*ty.name.package) {
            Some(page) => Piece::Link {
                anchor: text.to_lowercase(),
                text,
                page: Some(page.clone()),
            },
            None => Piece::Text(text),
        }
    }

    fn rows(&self, id: TypeId) -> Vec<Row> {
        let owner = self.book.schema.ty(id);
        let fields = members(self.book.schema, &TypeRef::Named(id));
        fields
            .iter()
            .map(|field| self.row(owner, field, &fields))
            .collect()
    }

    fn row(&self, owner: &Type, field: &'s Field, among: &[&'s Field]) -> Row {
        let schema = self.book.schema;
        let said = describe(schema, field, among);
        let mut facts: Vec<(String, Line)> = Vec::new();
        let mut put = |label: &str, line: Line| facts.push((label.to_owned(), line));
        if let Some(default) = &said.default {
            put("default", default_line(default));
        }
        // The type's own section lists the values.
        if self.book.named(&field.ty).is_empty() && !said.allowed.is_empty() {
            put("one of", choices(&said.allowed));
        }
        for fact in &said.facts {
            put(fact.label, line(&fact.text));
        }
        if let Some(gate) = &said.feature_gate {
            put("feature gate", vec![Piece::code(gate)]);
        }
        if let Some(version) = self.since_field(owner, field) {
            put("since", line(version));
        }
        let mut description = blocks(&said.prose);
        // The type's own section has the description.
        if field.docs.prose().trim().is_empty() && !self.book.named(&field.ty).is_empty() {
            description.truncate(1);
        }
        Row {
            name: field.json_name().unwrap_or_default().to_owned(),
            ty: self.type_line(&field.ty),
            required: said.required,
            deprecated: said.deprecated,
            description,
            facts,
        }
    }
}

fn labelled(fact: &Fact) -> (String, Line) {
    (fact.label.to_owned(), line(&fact.text))
}

fn default_line(default: &Default) -> Line {
    let mut line: Line = default.value.iter().map(Piece::code).collect();
    if let Some(constant) = &default.constant {
        line.push(Piece::text(if line.is_empty() {
            "the constant "
        } else {
            ", the constant "
        }));
        line.push(Piece::code(constant));
    }
    line
}

/// A list of values, for enumerations without a section.
fn choices(values: &[crate::describe::Allowed]) -> Line {
    let mut line = Line::new();
    for value in values {
        if !line.is_empty() {
            line.push(Piece::text(", "));
        }
        line.push(Piece::code(&value.value));
        for refused in &value.refused {
            line.push(Piece::text(format!(" ({})", refused.replace('`', ""))));
        }
    }
    line
}

/// Values of an enumeration, in the order of declaration.
fn values(ty: &Type) -> Vec<Value> {
    let value = |one: crate::describe::Allowed| Value {
        text: one.value,
        deprecated: is_deprecated(&one.prose),
        description: blocks(&one.prose),
        facts: one
            .refused
            .iter()
            .map(|text| ("rule".to_owned(), line(text)))
            .collect(),
    };
    allowed(ty).into_iter().map(value).collect()
}

fn kind_facts(kind: &Kind) -> Vec<(String, Line)> {
    let mut facts: Vec<(String, Line)> = Vec::new();
    let mut put = |label: &str, line: Line| facts.push((label.to_owned(), line));
    let scope = match kind.scope {
        Scope::Namespaced => "namespaced",
        Scope::Cluster => "cluster",
    };
    put("scope", line(scope));
    if let Some(plural) = &kind.names.plural {
        put("resource", vec![Piece::code(&**plural)]);
    }
    for (label, names) in [
        ("short names", &kind.names.short),
        ("categories", &kind.names.categories),
    ] {
        if !names.is_empty() {
            put(label, vec![Piece::code(names.join(", "))]);
        }
    }
    let mut subresources = Vec::new();
    if kind.subresources.status {
        subresources.push("`status`".to_owned());
    }
    if let Some(scale) = &kind.subresources.scale {
        subresources.push(format!("`scale` (of `{}`)", scale.spec_path));
    }
    if !subresources.is_empty() {
        put("subresources", line(&subresources.join(", ")));
    }
    if !kind.selectable_fields.is_empty() {
        let paths: Vec<String> = kind
            .selectable_fields
            .iter()
            .map(|path| format!("`{path}`"))
            .collect();
        put("selectable fields", line(&paths.join(", ")));
    }
    match &kind.deprecated {
        Some(Some(warning)) => put("deprecated", line(warning)),
        Some(None) => put("deprecated", line("use another version")),
        None => {}
    }
    if !kind.served {
        put("served", line("no"));
    }
    facts
}
