//! What a word in a tag refers to: a field by its JSON name, or a constant.

use kindsmith_schema::{FieldId, Owner, Schema, TypeId, TypeRef};
use kindsmith_source::Span;

use super::Package;
use super::tag::{TagLine, word};

/// What a word refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A field.
    Field(FieldId),
    /// A constant, by the place of its name.
    Constant(Span),
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
    let chain = chain(&tag.text[..range.end]);
    if let [first, path @ ..] = &chain[..]
        && !path.is_empty()
    {
        let start = match *first {
            // `self.x` of an expression and `.x` of a JSON path start at the value itself.
            "self" | "oldSelf" | "" => structs(schema, owner, Lookup::Own),
            // The variable of a loop.
            _ => structs(schema, owner, Lookup::Items).or_else(|| structs(schema, owner, Lookup::Own)),
        };
        return walk(schema, start?, path).map(Target::Field);
    }
    let text = &tag.text[range];
    if let Some(lookup) = lookup(tag) {
        return field(schema, structs(schema, owner, lookup)?, text).map(Target::Field);
    }
    constant(package, text).map(Target::Constant)
}

/// The dotted names that end a text: `self.spec.name`. Empty first if the chain starts with a dot.
fn chain(text: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.' || letter == '?';
    let start = text.rfind(|letter| !is_part(letter)).map_or(0, |found| {
        found + text[found..].chars().next().map_or(1, char::len_utf8)
    });
    text[start..]
        .split('.')
        .map(|name| name.trim_start_matches('?'))
        .collect()
}

fn walk(schema: &Schema, start: TypeId, path: &[&str]) -> Option<FieldId> {
    let (last, before) = path.split_last()?;
    let mut at = start;
    for name in before {
        let id = field(schema, at, name)?;
        at = behind(schema, &schema.field(id).ty)?;
    }
    field(schema, at, last)
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

/// The field with a JSON name, in the struct or one embedded in it.
fn field(schema: &Schema, ty: TypeId, name: &str) -> Option<FieldId> {
    fields(schema, ty)
        .into_iter()
        .find(|id| schema.field(*id).json_name() == Some(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_at_the_word() {
        assert_eq!(chain("rule=\"self.a.b"), ["self", "a", "b"]);
        assert_eq!(chain("JSONPath=.spec.a"), ["", "spec", "a"]);
        assert_eq!(chain("listMapKey=name"), ["name"]);
        assert_eq!(chain("self.?a"), ["self", "a"]);
    }
}
