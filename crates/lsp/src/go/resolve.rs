//! What a word in a tag refers to: a field by its JSON name, a constant by its name or value, or a type.

use kindsmith_cel::escape::escape;
use kindsmith_go::syntax::ExprKind;
use kindsmith_schema::{FieldId, Owner, Schema, TypeId, TypeRef};
use kindsmith_source::Span;

use super::Package;
use super::expression::{self, Path, Root};
use super::tag::{TagLine, word};

/// What a word refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A field.
    Field(FieldId),
    /// A constant, by the place of its name.
    Constant(Span),
    /// A constant of a package that is not read yet.
    Foreign {
        /// The import path.
        package: String,
        /// The constant.
        name: String,
    },
    /// A type.
    Type(TypeId),
}

/// Where a tag looks for the fields it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// In the structs of a list's items.
    Items,
    /// In the struct around the field.
    Siblings,
    /// In the struct that is the field's or type's own.
    Own,
}

/// Tags that name fields, and where these are.
const FIELD_TAGS: &[(&str, Lookup)] = &[
    ("k8s:listMapKey", Lookup::Items),
    ("listMapKey", Lookup::Items),
    ("patchMergeKey", Lookup::Items),
    ("k8s:item", Lookup::Items),
    ("k8s:listMapItem", Lookup::Items),
    ("k8s:subfield", Lookup::Own),
    ("k8s:dependentRequired", Lookup::Siblings),
    ("k8s:dependentForbidden", Lookup::Siblings),
    ("kubebuilder:validation:ExactlyOneOf", Lookup::Own),
    ("kubebuilder:validation:AtMostOneOf", Lookup::Own),
    ("kubebuilder:validation:AtLeastOneOf", Lookup::Own),
];

/// Where a tag looks for the fields it names; `None` if it names none.
pub(crate) fn lookup(tag: &TagLine<'_>) -> Option<Lookup> {
    let name = tag.name();
    let mut known = FIELD_TAGS.iter();
    known.find_map(|(known, lookup)| (*known == name).then_some(*lookup))
}

/// The target of the word at an offset of the file, and the word's range in the file.
pub(crate) fn at(
    package: &Package,
    owner: Owner,
    tag: &TagLine<'_>,
    offset: usize,
) -> Option<(Target, std::ops::Range<usize>)> {
    let cursor = offset.checked_sub(tag.start)?;
    let range = word(tag.text, cursor);
    if range.is_empty() || range.start < tag.name().len() {
        // Arguments of some markers are part of the name: `:rule=self.x`.
        if range.is_empty() || !tag.text[..range.start].contains('=') {
            return None;
        }
    }
    let found = target(package, owner, tag, range.clone())?;
    Some((found, tag.start + range.start..tag.start + range.end))
}

fn target(
    package: &Package,
    owner: Owner,
    tag: &TagLine<'_>,
    range: std::ops::Range<usize>,
) -> Option<Target> {
    let schema = &package.read.schema;
    let (before, text) = (&tag.text[..range.start], &tag.text[range.clone()]);
    if let Some(found) = referenced(package, before, text) {
        return Some(found);
    }
    let path = expression::path(&tag.text[..range.end]);
    if let Some(found) = path.and_then(|path| member(schema, owner, &path)) {
        return Some(Target::Field(found));
    }
    let named = lookup(tag).and_then(|lookup| field(schema, scope(schema, owner, tag, lookup)?, text));
    if let Some(found) = named {
        return Some(Target::Field(found));
    }
    let constant = || constant(package, text).or_else(|| valued(package, owner, tag, &range));
    let constant = constant().map(Target::Constant);
    constant.or_else(|| type_named(package, before, text).map(Target::Type))
}

/// The constant of `ref(Name)` or `ref(import/path.Name)`.
fn referenced(package: &Package, before: &str, name: &str) -> Option<Target> {
    let (_, path) = before.rsplit_once("ref(")?;
    match path.strip_suffix('.') {
        _ if path.contains(')') => None,
        None => constant(package, name).map(Target::Constant),
        Some(path) if package.read.packages.iter().any(|own| *own.path == *path) => {
            constant(package, name).map(Target::Constant)
        }
        Some(path) => Some(Target::Foreign {
            package: path.to_owned(),
            name: name.to_owned(),
        }),
    }
}

/// The field that a path of an expression leads to.
fn member(schema: &Schema, owner: Owner, path: &Path<'_>) -> Option<FieldId> {
    let (last, before) = path.names.split_last()?;
    let before = Path {
        root: path.root.clone(),
        names: before.to_vec(),
    };
    field(schema, value(schema, owner, &before)?, last)
}

/// The struct that a path leads to, behind lists and maps.
fn value(schema: &Schema, owner: Owner, path: &Path<'_>) -> Option<TypeId> {
    let start = match &path.root {
        // The variable of a loop that is not written yet.
        Root::Value | Root::Unbound => structs(schema, owner, Lookup::Own)?,
        Root::Path(path) => value(schema, owner, path)?,
    };
    path.names.iter().try_fold(start, |at, name| {
        let id = field(schema, at, name)?;
        behind(schema, &schema.field(id).ty)
    })
}

/// The struct in which a tag looks for fields, below the members that tags around it name.
fn scope(schema: &Schema, owner: Owner, tag: &TagLine<'_>, lookup: Lookup) -> Option<TypeId> {
    let start = structs(schema, owner, lookup)?;
    let around = tag.around.split("=+").filter_map(|tag| {
        let name = tag.strip_prefix("k8s:subfield(")?.strip_suffix(')')?;
        Some(name.trim_matches(['"', '`']))
    });
    around.into_iter().try_fold(start, |at, name| {
        let id = field(schema, at, name)?;
        behind(schema, &schema.field(id).ty)
    })
}

/// The struct in which a tag of a declaration looks for fields.
pub(crate) fn structs(schema: &Schema, owner: Owner, lookup: Lookup) -> Option<TypeId> {
    match (owner, lookup) {
        (Owner::Field(id), Lookup::Siblings) => Some(id.owner),
        (Owner::Field(id), _) => behind(schema, &schema.field(id).ty),
        (Owner::Type(id), _) => behind(schema, &TypeRef::Named(id)),
        _ => None,
    }
}

/// The struct behind pointers, lists and maps.
pub(crate) fn behind(schema: &Schema, of: &TypeRef) -> Option<TypeId> {
    if let Some((id, _)) = schema.view().members(of) {
        return Some(id);
    }
    match schema.view().underlying(of) {
        TypeRef::Pointer(inner)
        | TypeRef::List(inner)
        | TypeRef::Array(_, inner)
        | TypeRef::Map(_, inner) => behind(schema, inner),
        _ => None,
    }
}

/// The field with a JSON name, perhaps as CEL writes it, in the struct or one embedded in it.
pub(crate) fn field(schema: &Schema, ty: TypeId, name: &str) -> Option<FieldId> {
    let is_escaped = name.contains("__");
    fields(schema, ty).into_iter().find(|id| {
        let known = schema.field(*id).json_name();
        known == Some(name) || (is_escaped && known.and_then(escape).as_deref() == Some(name))
    })
}

/// The fields of a struct, with those of embedded structs.
pub(crate) fn fields(schema: &Schema, ty: TypeId) -> Vec<FieldId> {
    let mut found = Vec::new();
    for (id, field) in schema.fields(ty) {
        match behind(schema, &field.ty) {
            Some(embedded) if field.is_inline() && embedded != ty => found.extend(fields(schema, embedded)),
            _ => found.push(id),
        }
    }
    found
}

fn constant(package: &Package, name: &str) -> Option<Span> {
    let mut packages = package.read.packages.iter();
    packages.find_map(|package| package.constant(name).map(|(_, constant)| constant.name))
}

/// The constant whose value is written at a place of a tag: one of the field's own type, otherwise the only one.
fn valued(
    package: &Package,
    owner: Owner,
    tag: &TagLine<'_>,
    range: &std::ops::Range<usize>,
) -> Option<Span> {
    let value = literal(tag.text, range);
    let schema = &package.read.schema;
    let own = match owner {
        Owner::Field(id) => schema.field(id).ty.innermost(),
        Owner::Type(id) => Some(id),
        _ => None,
    };
    let own = own.map(|id| schema.ty(id).name.name.to_string());
    let found = with_value(package, value);
    let of_own_type = found.iter().find(|(_, ty)| ty.is_some() && *ty == own);
    match (of_own_type, &found[..]) {
        (Some((place, _)), _) | (None, [(place, _)]) => Some(*place),
        _ => None,
    }
}

/// The constants of the package with a text as value: the places of their names, and the names of their types.
pub(crate) fn with_value(package: &Package, value: &str) -> Vec<(Span, Option<String>)> {
    let mut found = Vec::new();
    let files = package.read.packages.iter().flat_map(|package| &package.files);
    for file in files {
        for constant in &file.consts {
            let Some(expression) = constant.value.map(|id| file.expr(id)) else {
                continue;
            };
            let text = file.text(expression.span).trim_matches(['"', '`']);
            if matches!(expression.kind, ExprKind::String) && text == value && !value.is_empty() {
                let ty = constant.ty.map(|id| file.text(file.ty(id).span).to_owned());
                found.push((constant.name, ty));
            }
        }
    }
    found
}

/// The text around a word up to its quotes, or up to what separates the values of a marker.
fn literal<'t>(text: &'t str, word: &std::ops::Range<usize>) -> &'t str {
    const ENDS: [char; 11] = ['"', '\'', '`', ';', '=', ',', '(', ')', '{', '}', '\\'];
    let start = text[..word.start].rfind(ENDS).map_or(0, |at| at + 1);
    let end = text[word.end..].find(ENDS).map_or(text.len(), |at| word.end + at);
    text[start..end].trim()
}

/// The type that a tag names, of this package or with its import path: `k8s.io/api/autoscaling/v1.Scale`.
fn type_named(package: &Package, before: &str, name: &str) -> Option<TypeId> {
    let is_path = |letter: char| letter.is_alphanumeric() || "./-_~".contains(letter);
    let path = before.trim_end_matches(is_path);
    let wanted = before[path.len()..].strip_suffix('.');
    let own = |path: &str| package.read.packages.iter().any(|own| *own.path == *path);
    let mut types = package.read.schema.types();
    types.find_map(|(id, ty)| {
        let is_there = wanted.map_or_else(|| own(&ty.name.package), |path| *ty.name.package == *path);
        (*ty.name.name == *name && is_there).then_some(id)
    })
}
