//! Generates OpenAPI definitions from Go types, like openapi-gen and the builders of kube-openapi.
//!
//! `lower` makes a definition of every struct that requests one, `publish` writes them in the form of a version.
//! Comments and markers were read and checked before. Definitions of referenced library types are published with the
//! rest, so that every reference resolves.

mod comment;
mod declarative;
mod default;
mod document;
mod enums;
mod extensions;
mod go;
mod handwritten;
mod keywords;
mod lower;
mod model_names;
mod node;
mod options;
mod publish;
mod select;
mod violations;

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_checks::Profile;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Schema, TypeId};

use node::{Node, array, object, text};
use publish::Publish;
use select::{Scope, Selection};

pub use document::{Document, Problem};
pub use go::{File, file};
pub use model_names::{ModelNames, model_names};
pub use options::{Defaults, Elements, Names, Options, Version};
pub use violations::violations;

/// Definitions with their references.
struct Definitions {
    nodes: BTreeMap<TypeId, (Node, Vec<TypeId>)>,
    own: BTreeSet<TypeId>,
    missing: BTreeSet<TypeId>,
    /// Types described by code that would have to run.
    unread: BTreeSet<TypeId>,
    problems: Vec<Problem>,
}

/// Generates the document of the input packages.
#[must_use]
pub fn document(schema: &Schema, options: Options) -> Document {
    document_as(schema, options, Profile::Upstream)
}

/// Generates the document under a profile: KEP-1929 publishes the defaults of element types too.
#[must_use]
pub fn document_as(schema: &Schema, options: Options, profile: Profile) -> Document {
    document_with(schema, options, profile.into())
}

/// Generates the document with what it says of elements of lists and maps.
#[must_use]
pub fn document_with(schema: &Schema, options: Options, elements: Elements) -> Document {
    document_of(&Selection::new(schema, Scope::Libraries), options, elements)
}

/// Generates the document of types that a server serves: those of packages without `+k8s:openapi-gen` count too.
#[must_use]
pub fn document_of_served(schema: &Schema, options: Options, profile: Profile) -> Document {
    document_of(&Selection::new(schema, Scope::Served), options, profile.into())
}

fn document_of(selection: &Selection<'_>, options: Options, elements: Elements) -> Document {
    let schema = selection.schema;
    let made = definitions(selection, options.validation, elements);
    let names = names(selection, &made, options.names);
    let custom = match options.defaults {
        Defaults::CustomResources => custom(schema, &made),
        _ => BTreeSet::new(),
    };
    let arena = Arena::new();
    let mut written = Vec::new();
    for (id, (node, _)) in &made.nodes {
        let publish = Publish {
            version: Some(options.version),
            names: &names,
            defaults: match options.defaults {
                Defaults::All => true,
                Defaults::CustomResources => custom.contains(id),
                Defaults::None => false,
            },
        };
        written.push((names[id].clone(), publish.write(&arena, node)));
    }
    let called = |ids: &mut dyn Iterator<Item = &TypeId>| ids.map(|id| names[id].clone()).collect();
    let is_library = |id: &&TypeId| !made.own.contains(*id);
    let is_handwritten = |id: &&TypeId| made.unread.contains(*id);
    Document {
        text: publish::document(options.version, &written),
        own: called(&mut made.own.iter()),
        library: called(&mut made.nodes.keys().filter(is_library)),
        missing: called(&mut made.missing.iter()),
        handwritten: called(&mut made.nodes.keys().filter(is_handwritten)),
        problems: made.problems,
    }
}

/// The definitions as openapi-gen's generated function returns them: schema and dependencies by key, without
/// libraries.
#[must_use]
pub fn generated(schema: &Schema) -> String {
    let selection = Selection::new(schema, Scope::Libraries);
    let made = definitions(&selection, false, Elements::Plain);
    let names = names(&selection, &made, Names::Go);
    let publish = Publish {
        version: None,
        names: &names,
        defaults: true,
    };
    let arena = Arena::new();
    let mut members = Vec::new();
    for id in &made.own {
        let (node, references) = &made.nodes[id];
        let dependencies = if references.is_empty() {
            Value::Null
        } else {
            array(&arena, references.iter().map(|id| text(&arena, &names[id])))
        };
        let schema = publish.write(&arena, node);
        let entry = object(&arena, vec![("schema", schema), ("dependencies", dependencies)]);
        members.push((names[id].as_str(), entry));
    }
    publish::pretty(object(&arena, members))
}

/// The definitions of the input packages, and everything they refer to.
fn definitions(selection: &Selection<'_>, validation: bool, elements: Elements) -> Definitions {
    let asked = selection.schema.types().map(|(id, _)| id);
    let own: BTreeSet<TypeId> = asked.filter(|id| selection.is_asked(*id)).collect();
    let mut made = Definitions {
        nodes: BTreeMap::new(),
        missing: BTreeSet::new(),
        unread: BTreeSet::new(),
        problems: Vec::new(),
        own,
    };
    let mut open: Vec<TypeId> = made.own.iter().copied().collect();
    while let Some(id) = open.pop() {
        if made.nodes.contains_key(&id) {
            continue;
        }
        if !made.own.contains(&id) && !selection.is_published(id) {
            made.missing.insert(id);
            continue;
        }
        let definition = lower::definition(selection, id, validation, elements);
        open.extend(&definition.references);
        if definition.unread {
            made.unread.insert(id);
        }
        if made.own.contains(&id) {
            made.problems.extend(definition.problems);
        }
        made.nodes.insert(id, (definition.node, definition.references));
    }
    made
}

fn names(selection: &Selection<'_>, made: &Definitions, names: Names) -> BTreeMap<TypeId, String> {
    let ids = made.nodes.keys().chain(&made.missing);
    ids.map(|id| (*id, selection.name(*id, names))).collect()
}

/// Definitions reachable from kinds.
fn custom(schema: &Schema, made: &Definitions) -> BTreeSet<TypeId> {
    let mut open: Vec<TypeId> = schema.kinds().iter().map(|kind| kind.ty).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if let Some((_, references)) = made.nodes.get(&id).filter(|_| reached.insert(id)) {
            open.extend(references);
        }
    }
    reached
}
