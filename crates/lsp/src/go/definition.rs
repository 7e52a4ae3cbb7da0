//! Where the fields, constants and types that tags and declarations name are declared.

use kindsmith_go::package::{Files, Imported, Loader, Options};
use kindsmith_schema::{Owner, Part, Shape, TypeId, TypeRef};
use kindsmith_source::FileId;
use lsp_types::Location;

use super::Package;
use super::discriminator::partners;
use super::resolve::{self, Target};
use super::tag::{self, TagLine};
use crate::documents::Document;
use crate::finding::location;
use crate::text::Encoding;

/// What is declared somewhere.
#[derive(Debug)]
pub(crate) enum Definition {
    /// At these places.
    Known(Vec<Location>),
    /// In a package that must be read first.
    Foreign {
        /// The import path.
        package: String,
        /// The constant.
        name: String,
    },
}

/// The definition of the word at an offset.
pub(crate) fn definition(
    package: &Package,
    path: &str,
    document: &Document,
    offset: usize,
    encoding: Encoding,
) -> Option<Definition> {
    let text = &document.text;
    let file = package.file(path)?;
    let line = text.position(offset).line as usize;
    let owners = match TagLine::at(text.line(line), text.line_start(line), offset) {
        None => vec![Owner::Type(used_type(package, file, text.as_str(), offset)?)],
        Some(tag) => {
            let owner = package.owner_of_comment(file, text, line)?;
            match resolve::at(package, owner, &tag, offset) {
                Some((Target::Field(id), _)) => vec![Owner::Field(id)],
                Some((Target::Type(id), _)) => vec![Owner::Type(id)],
                Some((Target::Constant(span), _)) => {
                    return Some(Definition::Known(
                        location(&package.read.sources, span, encoding)
                            .into_iter()
                            .collect(),
                    ));
                }
                Some((Target::Foreign { package, name }, _)) => {
                    return Some(Definition::Foreign { package, name });
                }
                None => partners(package, owner, &tag)
                    .into_iter()
                    .map(Owner::Field)
                    .collect(),
            }
        }
    };
    let places = owners.into_iter().filter_map(|owner| package.name_span(owner));
    let places = places.filter_map(|place| location(&package.read.sources, place, encoding));
    Some(Definition::Known(places.collect()))
}

/// A constant of another package, as the package in a directory imports it.
pub(crate) fn foreign(
    files: &dyn Files,
    options: Options,
    directory: &str,
    (path, name): (&str, &str),
    encoding: Encoding,
) -> Option<Location> {
    let mut loader = Loader::new(files, options);
    let importer = loader.load_directory(directory)?;
    let place = kindsmith_source::Span::new(importer.files.first()?.id, 0, 0);
    let Imported::Package(package) = loader.import(&importer, path, place) else {
        return None;
    };
    let (_, constant) = package.constant(name)?;
    location(loader.sources(), constant.name, encoding)
}

/// The type whose name is at an offset of a field's or type's declaration.
fn used_type(package: &Package, file: FileId, text: &str, offset: usize) -> Option<TypeId> {
    let word = &text[tag::word(text, offset)];
    let schema = &package.read.schema;
    let expression = |owner: Owner| {
        let place = package.read.origins.span(&owner.part(Part::Type))?;
        let is_here = (place.start as usize..=place.end as usize).contains(&offset);
        (place.file == file && is_here).then_some(place.end - place.start)
    };
    let owners = package.names.iter().filter(|(span, _)| span.file == file);
    // The innermost: a struct is around its fields.
    let (_, owner) = owners
        .filter_map(|(_, owner)| Some((expression(*owner)?, *owner)))
        .min_by_key(|(length, _)| *length)?;
    let mut used = Vec::new();
    match owner {
        Owner::Field(id) => types_of(&schema.field(id).ty, &mut used),
        Owner::Type(id) => match &schema.ty(id).shape {
            Shape::Def(target) | Shape::Alias(target) => types_of(target, &mut used),
            _ => return None,
        },
        _ => return None,
    }
    used.into_iter().find(|id| *schema.ty(*id).name.name == *word)
}

/// The types that a type expression names.
fn types_of(of: &TypeRef, found: &mut Vec<TypeId>) {
    match of {
        TypeRef::Named(id) => found.push(*id),
        TypeRef::Map(key, value) => {
            types_of(key, found);
            types_of(value, found);
        }
        TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => types_of(inner, found),
        _ => {}
    }
}
