//! The schema of a type as its CRD will have it.
//!
//! Other types are not known here. In their place stand types of several forms, and the tags of a field are read with each that they fit:
//! keywords are about values of one form, so all that were found can be checked together.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::Profile;
use kindsmith_rust::{Body, Declaration, Field, GoType, Library, Package, Presence, Text, Types, read};
use kindsmith_schema::{JsonSchema, TypeName};

use crate::declared::{Chooser, declaration, texts};
use crate::description::{Described, Member, Shape, TagLine, Use};
use crate::static_type::{go_type, is_known};

/// What a type that is not known may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    Struct,
    Text,
    Int,
    Bool,
    List,
    Map,
    /// None of these: the tags of the field are left to the engine.
    Other,
}

const GUESSES: [Guess; 6] = [
    Guess::Struct,
    Guess::Text,
    Guess::Int,
    Guess::Bool,
    Guess::List,
    Guess::Map,
];

/// A member, by the name of its type and its position.
type Key = (String, usize);

/// The schema of a type.
#[derive(Debug)]
pub(super) struct Published {
    /// With the forms that fit first.
    pub(super) schema: JsonSchema,
    /// With other forms.
    pub(super) others: Vec<JsonSchema>,
    /// Members whose tags are left to the engine.
    open: BTreeSet<Key>,
    /// Whether rules depend on types that are not known.
    pub(super) has_open_rules: bool,
}

impl Published {
    /// The schema of a type; `None` if it is not known here.
    pub(super) fn of(described: &Described) -> Option<Self> {
        let mut guesses = BTreeMap::new();
        collect(described, &mut guesses);
        // A member whose tags do not fit tries the next form, and at last none.
        let schema = loop {
            let found = Reading::of(described, &guesses)?;
            if found.bad.is_empty() {
                break found.schema;
            }
            for key in found.bad {
                let guess = guesses.get(&key).copied().unwrap_or(Guess::Map);
                let next = GUESSES.iter().skip_while(|known| **known != guess).nth(1);
                guesses.insert(key, next.copied().unwrap_or(Guess::Other));
            }
        };
        let (mut others, mut has_open_rules) = (Vec::new(), false);
        for guess in GUESSES {
            let mut tried = guesses.clone();
            let mut is_new = false;
            for known in tried.values_mut().filter(|known| !matches!(known, Guess::Other)) {
                is_new |= *known != guess;
                *known = guess;
            }
            let Some(found) = is_new.then(|| Reading::of(described, &tried)).flatten() else {
                continue;
            };
            for key in &found.bad {
                tried.insert(key.clone(), guesses[key]);
            }
            let other = Reading::of(described, &tried)?;
            has_open_rules |= other.schema.validations != schema.validations;
            others.push(other.schema);
        }
        let is_other = |(key, guess): (Key, Guess)| (guess == Guess::Other).then_some(key);
        Some(Self {
            schema,
            others,
            open: guesses.into_iter().filter_map(is_other).collect(),
            has_open_rules,
        })
    }

    /// Whether the tags of a member are left to the engine.
    pub(super) fn is_open(&self, of: &Described, member: usize) -> bool {
        self.open.contains(&(of.name.clone(), member))
    }
}

/// Members with tags whose type is not known.
fn collect(described: &Described, guesses: &mut BTreeMap<Key, Guess>) {
    let mut add = |index: usize, of: &Use, tags: &[TagLine]| match of {
        Use::Inline { of, .. } => collect(of, guesses),
        Use::Go(_) => {}
        Use::Rust { .. } | Use::Path { .. } if tags.is_empty() || of.is_plain() => {}
        Use::Rust { .. } | Use::Path { .. } => {
            guesses.insert((described.name.clone(), index), Guess::Struct);
        }
    };
    match &described.shape {
        Shape::Struct(members) => {
            for (index, member) in members.iter().enumerate() {
                add(index, &member.ty, &member.tags);
            }
        }
        Shape::Wrapper(of) => add(0, of, &described.tags),
        Shape::Enum(_) => {}
    }
}

impl Use {
    /// Whether names tell the whole type.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Rust { ty, go, .. } => is_known(ty, go.as_deref()),
            Self::Path { .. } | Self::Go(_) | Self::Inline { .. } => false,
        }
    }
}

/// One reading of a type.
struct Reading {
    schema: JsonSchema,
    /// Members whose tags do not fit.
    bad: BTreeSet<Key>,
}

impl Reading {
    fn of(described: &Described, guesses: &BTreeMap<Key, Guess>) -> Option<Self> {
        let mut package = Package::new("kindsmith.invalid", "v1");
        declare(described, guesses, &mut package.types);
        let name = TypeName::new(package.path.as_str(), described.name.as_str());
        let read = read(&[package], Library::default(), Profile::Upstream);
        let mut bad = BTreeSet::new();
        for diagnostic in &read.go.diagnostics {
            let line = read.place(diagnostic.span)?.line;
            bad.insert((line.ty, line.member.unwrap_or_default()));
        }
        let options = Options {
            tags: Tags::All,
            allow_dangerous_types: true,
            version: String::new(),
            ..Options::default()
        };
        let (schema, generated) =
            controller_gen::schema_of(&read.go.schema, read.go.schema.find(&name)?, &options);
        generated.problems.is_empty().then_some(Self { schema, bad })
    }
}

/// Declares a type with forms in place of other types.
fn declare(described: &Described, guesses: &BTreeMap<Key, Guess>, types: &mut Types) {
    let declaration = declaration(described, &mut Guessed { guesses, types });
    types.declare(&described.name, &described.name, |_| declaration);
}

/// Forms in place of types that are not known.
struct Guessed<'g> {
    guesses: &'g BTreeMap<Key, Guess>,
    types: &'g mut Types,
}

impl Guessed<'_> {
    /// Whether the tags of a member are left to the engine.
    fn is_open(&self, owner: &Described, index: usize) -> bool {
        self.guesses.get(&(owner.name.clone(), index)) == Some(&Guess::Other)
    }
}

impl<'d> Chooser<'d> for Guessed<'_> {
    fn ty(&mut self, owner: &'d Described, index: usize, of: &'d Use, tags: &[TagLine]) -> GoType {
        stand_in(owner, index, of, tags, self.guesses, self.types)
    }

    fn tags(&self, owner: &Described, index: usize, member: &Member) -> Vec<Text> {
        if self.is_open(owner, index) {
            return Vec::new();
        }
        fitting(&member.tags, &member.ty)
    }

    fn own_tags(&self, described: &Described) -> Vec<Text> {
        if matches!(described.shape, Shape::Wrapper(_)) && self.is_open(described, 0) {
            return Vec::new();
        }
        texts(&described.tags)
    }
}

/// Tags that can be read without the type: a default with members cannot.
fn fitting(tags: &[TagLine], of: &Use) -> Vec<Text> {
    let mut texts = texts(tags);
    if !of.is_plain() {
        texts.retain(|tag| !tag.starts_with("default={") && !tag.starts_with("default=["));
    }
    texts
}

fn stand_in(
    described: &Described,
    index: usize,
    of: &Use,
    tags: &[TagLine],
    guesses: &BTreeMap<Key, Guess>,
    types: &mut Types,
) -> GoType {
    let guess = guesses.get(&(described.name.clone(), index));
    let mut other = |ty: &syn::Type| {
        let name = format!("{}Member{index}", described.name);
        let declaration = Declaration::new(form(guess.copied().unwrap_or(Guess::Struct), tags));
        types.declare(&name, &name, |_| declaration);
        go_type(ty, Some(&name))
    };
    let (ty, is_optional) = match of {
        Use::Rust { ty, is_optional, .. } if of.is_plain() => (go_type(ty, None), *is_optional),
        Use::Rust { ty, is_optional, .. } | Use::Path { ty, is_optional } => (other(ty), *is_optional),
        Use::Go(name) => (GoType::parse(name), false),
        Use::Inline { of, is_optional } => {
            declare(of, guesses, types);
            (GoType::Named(of.name.clone().into()), *is_optional)
        }
    };
    if is_optional { ty.or_absent() } else { ty }
}

fn form(guess: Guess, tags: &[TagLine]) -> Body {
    let text = || GoType::Scalar("string");
    match guess {
        Guess::Struct | Guess::Other => Body::Struct(keys(tags).into_iter().map(key).collect()),
        Guess::Text => Body::Wrapper(text()),
        Guess::Int => Body::Wrapper(GoType::Scalar("int32")),
        Guess::Bool => Body::Wrapper(GoType::Scalar("bool")),
        Guess::List => Body::Wrapper(text().list()),
        Guess::Map => Body::Wrapper(text().map_from(text())),
    }
}

/// Names of members that tags of a list tell.
fn keys(tags: &[TagLine]) -> Vec<String> {
    let keys = tags
        .iter()
        .filter_map(|tag| tag.text.strip_prefix("k8s:listMapKey="));
    keys.map(|key| key.trim_matches('"').to_owned()).collect()
}

fn key(name: String) -> Field {
    Field {
        rust_name: name.clone().into(),
        name: name.into(),
        docs: "".into(),
        tags: Vec::new(),
        ty: GoType::Scalar("string"),
        presence: Presence::Required,
    }
}
