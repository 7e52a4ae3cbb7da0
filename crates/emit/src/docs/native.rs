//! Pages from Go types: one per package with kinds, or with types to document.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_json::Arena;
use kindsmith_schema::{
    Default as Written, Facet, Field, GoKind, Kind, Package, Rule, Scalar, Schema, Scope, Shape, Type,
    TypeId, TypeName, TypeRef, View, WellKnown,
};

use super::inline::{line, paragraphs};
use super::{Line, Page, Piece, Row, Section, page_name, page_title, version};
use crate::words::{Fact, rules};

/// Structs embedded deeper are not looked into.
const MAX_DEPTH: usize = 32;

/// The pages of the packages that were asked for.
#[must_use]
pub fn pages(schema: &Schema) -> Vec<Page> {
    let mut book = Book {
        schema,
        view: schema.view(),
        names: BTreeMap::new(),
        kinds: BTreeMap::new(),
    };
    for kind in schema.kinds() {
        let package = &*schema.ty(kind.ty).name.package;
        book.kinds.entry(package).or_default().push(kind);
    }
    let is_asked = |package: &&Package| package.input;
    let packages: Vec<&Package> = schema.packages().iter().filter(is_asked).collect();
    for package in &packages {
        if !book.roots(package).is_empty() {
            book.names.insert(&package.path, book.head(package).0);
        }
    }
    let documented = packages
        .iter()
        .filter(|package| book.names.contains_key(&*package.path));
    let mut made: Vec<Page> = documented.map(|package| book.page(package)).collect();
    made.sort_by(|one, other| one.name.cmp(&other.name));
    made
}

struct Book<'s> {
    schema: &'s Schema,
    view: View<'s>,
    /// Pages by the packages they are about.
    names: BTreeMap<&'s str, String>,
    kinds: BTreeMap<&'s str, Vec<&'s Kind>>,
}

impl<'s> Book<'s> {
    fn kinds_of(&self, package: &Package) -> &[&'s Kind] {
        self.kinds.get(&*package.path).map_or(&[], Vec::as_slice)
    }

    /// What a page begins with: the kinds of its package, else all its exported structs.
    fn roots(&self, package: &Package) -> Vec<TypeId> {
        let kinds = self.kinds_of(package);
        if !kinds.is_empty() {
            return kinds.iter().map(|kind| kind.ty).collect();
        }
        let of_package = self
            .schema
            .types()
            .filter(|(_, ty)| ty.name.package == package.path);
        let is_root = |(id, ty): &(TypeId, &Type)| ty.name.is_exported() && self.is_struct(*id);
        of_package.filter(is_root).map(|(id, _)| id).collect()
    }

    /// Name and title of a page.
    fn head(&self, package: &Package) -> (String, String) {
        match self.kinds_of(package).first() {
            Some(kind) => (
                page_name(&kind.group, &kind.version),
                page_title(&kind.group, &kind.version),
            ),
            None => (page_name(&package.path, &package.name), package.path.to_string()),
        }
    }

    fn page(&self, package: &'s Package) -> Page {
        let (name, title) = self.head(package);
        let chapter = Chapter {
            book: self,
            package,
            members: self.reached(package),
        };
        let kinds = self.kinds_of(package);
        let roots: BTreeSet<TypeId> = kinds.iter().map(|kind| kind.ty).collect();
        let others = chapter.members.iter().filter(|id| !roots.contains(id));
        Page {
            name,
            title,
            description: paragraphs(&package.docs.prose()),
            kinds: kinds.iter().map(|kind| chapter.kind(kind)).collect(),
            types: others.map(|id| chapter.section(*id)).collect(),
        }
    }

    /// Types a page explains: what its roots reach and no other page explains.
    fn reached(&self, package: &Package) -> BTreeSet<TypeId> {
        let mut open = self.roots(package);
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            let ty = self.schema.ty(id);
            let is_elsewhere = ty.name.package != package.path && self.names.contains_key(&*ty.name.package);
            if is_elsewhere || !self.has_section(id) || !reached.insert(id) {
                continue;
            }
            let own = TypeRef::Named(id);
            for field in self.members(&own, 0) {
                open.extend(self.named(&field.ty));
            }
        }
        reached
    }

    /// Fields with those of inlined structs in their place.
    fn members(&self, of: &TypeRef, depth: usize) -> Vec<&'s Field> {
        let view = self.schema.view();
        let mut of = of;
        while let TypeRef::Pointer(inner) = view.underlying(of) {
            of = inner;
        }
        let TypeRef::Named(id) = view.underlying(of) else {
            return Vec::new();
        };
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let mut members = Vec::new();
        for field in self.schema.ty(*id).fields() {
            if field.is_inline() {
                members.extend(self.members(&field.ty, depth + 1));
            } else if field.json_name().is_some() {
                members.push(field);
            }
        }
        members
    }

    /// Named types in a use of a type, aliases followed.
    fn named(&self, of: &TypeRef) -> Vec<TypeId> {
        match self.view.unalias(of) {
            TypeRef::Named(id) if self.has_section(*id) => vec![*id],
            TypeRef::Named(id) => match &self.schema.ty(*id).shape {
                Shape::Def(target) => self.named(target),
                _ => Vec::new(),
            },
            TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => self.named(inner),
            TypeRef::Map(key, value) => [self.named(key), self.named(value)].concat(),
            _ => Vec::new(),
        }
    }

    fn is_struct(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let own = TypeRef::Named(id);
        let is_plain = matches!(ty.shape, Shape::Struct(_) | Shape::Def(_)) && ty.well_known.is_none();
        is_plain && self.view.kind(&own) == GoKind::Struct
    }

    /// Whether a type is explained on its own: structs, and enumerations.
    fn has_section(&self, id: TypeId) -> bool {
        self.is_struct(id) || self.is_enumeration(id)
    }

    fn is_enumeration(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let is_marked = |rule: &Rule| rule.facet == Facet::Enum;
        let marked =
            ty.rules.iter().any(is_marked) || ty.options.markers.iter().any(|(name, _)| &**name == "enum");
        marked && !ty.constants.is_empty()
    }
}

struct Chapter<'b, 's> {
    book: &'b Book<'s>,
    package: &'s Package,
    members: BTreeSet<TypeId>,
}

impl<'s> Chapter<'_, 's> {
    fn kind(&self, kind: &Kind) -> Section {
        let mut section = self.section(kind.ty);
        section.title = kind.kind.to_string();
        section.facts.splice(0..0, kind_facts(kind));
        section
    }

    fn section(&self, id: TypeId) -> Section {
        let ty = self.book.schema.ty(id);
        let own = TypeRef::Named(id);
        let is_struct = self.book.is_struct(id);
        let facts = rules(&ty.rules)
            .into_iter()
            .filter(|fact| is_struct || fact.label != "enum");
        Section {
            anchor: self.anchor(ty),
            title: ty.name.name.to_string(),
            description: paragraphs(&ty.docs.prose()),
            facts: facts.map(|fact| labelled(&fact)).collect(),
            rows: match is_struct {
                true => self
                    .book
                    .members(&own, 0)
                    .into_iter()
                    .map(|field| self.row(ty, field))
                    .collect(),
                false => Vec::new(),
            },
            values: match is_struct {
                true => Vec::new(),
                false => values(ty),
            },
            used_by: self.users(id),
        }
    }

    /// Types of other packages without a page of their own may have the same name.
    fn anchor(&self, ty: &Type) -> String {
        let name = ty
            .name
            .name
            .to_lowercase()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        match ty.name.package == self.package.path {
            true => name,
            false => {
                let package = ty.name.package.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                format!("{}-{name}", package.to_lowercase())
            }
        }
    }

    fn users(&self, id: TypeId) -> Vec<Piece> {
        let uses = |user: &&TypeId| {
            let own = TypeRef::Named(**user);
            let members = self.book.members(&own, 0);
            members
                .iter()
                .any(|field| self.book.named(&field.ty).contains(&id))
        };
        let users = self.members.iter().filter(|user| **user != id).filter(uses);
        users.map(|user| self.link(*user)).collect()
    }

    fn link(&self, id: TypeId) -> Piece {
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

    fn row(&self, owner: &Type, field: &'s Field) -> Row {
        let chain = self.chain(&field.ty);
        let types = || chain.iter().map(|id| self.book.schema.ty(*id));
        let written: Vec<&Rule> = field
            .rules
            .iter()
            .chain(types().flat_map(|ty| &ty.rules))
            .collect();
        let mut facts: Vec<Fact> = Vec::new();
        let typed = types().find_map(|ty| ty.default.as_ref());
        if let Some(text) = default_text(field, typed) {
            facts.push(Fact::new("default", text));
        }
        // The type's own section lists the values.
        let is_linked = chain.iter().any(|id| self.book.is_enumeration(*id));
        facts.extend(
            rules(written.iter().copied())
                .into_iter()
                .filter(|fact| match fact.label {
                    "presence" => fact.text != "required",
                    "enum" => !is_linked,
                    _ => true,
                }),
        );
        if let Some(since) = self.since(owner, field) {
            facts.push(Fact::new("since", since));
        }
        let prose = field.docs.prose();
        let of_type = || types().next().map(|ty| ty.docs.prose()).unwrap_or_default();
        let is_scalar = self.book.view.members(&field.ty).is_none();
        let prose = if prose.trim().is_empty() && is_scalar {
            of_type()
        } else {
            prose
        };
        Row {
            name: field.json_name().unwrap_or_default().to_owned(),
            ty: self.type_line(&field.ty),
            required: is_required(field, &written),
            deprecated: prose.lines().any(|line| line.starts_with("Deprecated:")),
            description: paragraphs(&prose),
            facts: facts.iter().map(labelled).collect(),
        }
    }

    /// The named types from a use on, along typedefs, up to a struct.
    fn chain(&self, of: &TypeRef) -> Vec<TypeId> {
        let mut chain = Vec::new();
        let mut at = of;
        loop {
            match at {
                TypeRef::Pointer(inner) => at = inner,
                TypeRef::Named(id) if !chain.contains(id) && !self.book.is_struct(*id) => {
                    chain.push(*id);
                    match &self.book.schema.ty(*id).shape {
                        Shape::Def(target) | Shape::Alias(target) => at = target,
                        _ => return chain,
                    }
                }
                _ => return chain,
            }
        }
    }

    /// The version a field came with, where older ones lack it.
    fn since(&self, owner: &Type, field: &Field) -> Option<String> {
        let schema = self.book.schema;
        let own = self.book.kinds_of(self.package).first()?;
        let of_group = |kind: &&Kind| kind.group == own.group;
        let mut versions: Vec<(&str, &str)> = schema
            .kinds()
            .iter()
            .filter(of_group)
            .map(|kind| (&*kind.version, &*schema.ty(kind.ty).name.package))
            .collect();
        versions.sort_by_key(|(version, _)| version::order(version));
        versions.dedup();
        let has = |package: &str| {
            let id = schema.find(&TypeName::new(package, owner.name.name.clone()));
            let own = TypeRef::Named(id?);
            let members = self.book.members(&own, 0);
            members
                .iter()
                .any(|other| other.json_name() == field.json_name())
                .then_some(())
        };
        let first = versions.iter().position(|(_, package)| has(package).is_some())?;
        (first > 0).then(|| versions[first].0.to_owned())
    }

    fn type_line(&self, of: &TypeRef) -> Line {
        match of {
            TypeRef::Pointer(inner) => self.type_line(inner),
            TypeRef::List(inner) if matches!(**inner, TypeRef::Scalar(Scalar::Byte | Scalar::Uint8)) => {
                vec![Piece::text("bytes (base64)")]
            }
            TypeRef::List(inner) | TypeRef::Array(_, inner) => self.around("list of ", inner),
            TypeRef::Map(_, value) => self.around("map of string to ", value),
            TypeRef::Scalar(scalar) => vec![Piece::text(scalar_name(*scalar))],
            TypeRef::Named(id) => self.named_line(*id),
            _ => vec![Piece::text("any value")],
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
            (Some(known), _) => vec![Piece::text(known_name(known))],
            (None, Shape::Def(target) | Shape::Alias(target)) => self.type_line(target),
            _ => vec![Piece::code(ty.name.to_string())],
        }
    }
}

fn labelled(fact: &Fact) -> (String, Line) {
    (fact.label.to_owned(), line(&fact.text))
}

fn kind_facts(kind: &Kind) -> Vec<(String, Line)> {
    let mut facts: Vec<(String, Line)> = Vec::new();
    let mut put = |label: &str, line: Line| facts.push((label.to_owned(), line));
    put(
        "apiVersion",
        vec![Piece::code(page_title(&kind.group, &kind.version))],
    );
    put("kind", vec![Piece::code(&*kind.kind)]);
    put(
        "scope",
        vec![Piece::text(match kind.scope {
            Scope::Namespaced => "namespaced",
            Scope::Cluster => "cluster",
        })],
    );
    if let Some(plural) = &kind.names.plural {
        put("resource", vec![Piece::code(&**plural)]);
    }
    if !kind.names.short.is_empty() {
        put("short names", vec![Piece::code(kind.names.short.join(", "))]);
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

/// Values of an enumeration, in the order of declaration.
fn values(ty: &Type) -> Vec<(String, Line)> {
    let mut found: Vec<(String, Line)> = Vec::new();
    for constant in &ty.constants {
        let Some(value) = &constant.value else {
            continue;
        };
        let arena = Arena::new();
        let text = match value.value(&arena).as_str() {
            Some("") => "\"\"".to_owned(),
            Some(text) => text.to_owned(),
            None => value.as_str().to_owned(),
        };
        if found.iter().all(|(known, _)| *known != text) {
            let meaning = paragraphs(&constant.docs.prose()).join(&Piece::text(" "));
            found.push((text, meaning));
        }
    }
    found
}

/// What its markers say, else what its tag says.
fn is_required(field: &Field, written: &[&Rule]) -> bool {
    let has = |facet: &Facet| written.iter().any(|rule| rule.is_plain() && rule.facet == *facet);
    if has(&Facet::Required) {
        return true;
    }
    !has(&Facet::Optional) && !field.json.omitempty && !field.json.omitzero && !has_default(field)
}

fn has_default(field: &Field) -> bool {
    field.default.is_some() || field.crd_default.is_some()
}

fn default_text(field: &Field, typed: Option<&Written>) -> Option<String> {
    if let Some(value) = &field.crd_default {
        return Some(format!("`{value}`"));
    }
    Some(match field.default.as_ref().or(typed)? {
        Written::Value(value) => format!("`{value}`"),
        Written::Ref {
            name,
            value: Some(value),
            ..
        } => format!("`{value}` (the constant {name})"),
        Written::Ref {
            package,
            name,
            value: None,
        } => format!("the constant {package}.{name}"),
    })
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

fn known_name(known: WellKnown) -> &'static str {
    match known {
        WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime => "time (RFC 3339)",
        WellKnown::Duration => "duration (such as 1h30m)",
        WellKnown::Quantity => "quantity (such as 500m or 2Gi)",
        WellKnown::IntOrString => "integer or string",
        WellKnown::ObjectMeta => "standard metadata of objects",
        WellKnown::ListMeta => "standard metadata of lists",
        WellKnown::TypeMeta => "apiVersion and kind",
        WellKnown::GoDuration => "integer (nanoseconds)",
        WellKnown::Unstructured | WellKnown::RawExtension => "any object",
        WellKnown::FieldsV1 | WellKnown::Json | WellKnown::RawMessage => "any value",
    }
}
