//! The fields whose live values a user wants to keep: paths checked against a schema. A path that matches no field is
//! reported with a reason and has no effect.

use std::collections::BTreeMap;
use std::fmt;

use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::Value;
use kindsmith_schema::JsonSchema;

use super::attributes::{Attributes, Rules};
use super::path::{FieldPath, ItemKeys, Step, SyntaxError, split};
use super::shape::{Member, Members, Shape, noun};
use crate::MAX_DEPTH;

/// Annotations that list fields, in the order they are read.
pub const ANNOTATIONS: [&str; 2] = [
    "kindsmith.dev/keep-live-fields",
    "cnrm.cloud.google.com/default-to-gcp-fields",
];

/// The annotation with fields whose live value counts even if the spec sets them. On creation it has no effect.
pub const UNMANAGED: &str = "cnrm.cloud.google.com/unmanaged";

/// The annotation by which all fields that the spec does not set are left alone, whatever the kind declares for them.
pub const IGNORE_UNSPECIFIED: &str = "cnrm.cloud.google.com/ignore-unspecified-fields";

/// A set of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    root: Node,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Node {
    /// The path that ends here.
    whole: Option<Box<str>>,
    fields: BTreeMap<Box<str>, Node>,
    items: BTreeMap<ItemKeys, Node>,
    each: Option<Box<Node>>,
}

/// A request that is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ignored {
    /// The field, as it was written.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl Listing {
    /// Reads the lists in an object's annotations. Invalid paths are reported; the others are used.
    #[must_use]
    pub fn of_object(
        object: Value<'_>,
        schema: &JsonSchema,
        attributes: &Attributes,
    ) -> (Listing, Vec<Ignored>) {
        Self::of_annotations(&ANNOTATIONS, object, schema, attributes)
    }

    /// Reads the lists in these annotations; see [`of_object`](Self::of_object).
    #[must_use]
    pub fn of_annotations(
        names: &[&str],
        object: Value<'_>,
        schema: &JsonSchema,
        attributes: &Attributes,
    ) -> (Listing, Vec<Ignored>) {
        let texts: Vec<&str> = names
            .iter()
            .filter_map(|name| object.lookup(&["metadata", "annotations", name])?.as_str())
            .flat_map(split)
            .collect();
        Self::of_paths(texts, schema, attributes)
    }

    /// Reads a list of paths; see [`of_object`](Self::of_object).
    #[must_use]
    pub fn of_paths<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        schema: &JsonSchema,
        attributes: &Attributes,
    ) -> (Listing, Vec<Ignored>) {
        let mut listing = Listing::default();
        let mut ignored = Vec::new();
        for text in texts {
            let checked = FieldPath::parse(text)
                .map_err(PathError::Syntax)
                .and_then(|path| check(&path, schema, attributes).map(|()| path));
            match checked {
                Ok(path) => listing.insert(&path),
                Err(error) => ignored.push(Ignored {
                    path: text.to_owned(),
                    reason: error.to_string(),
                }),
            }
        }
        ignored.sort();
        ignored.dedup();
        (listing, ignored)
    }

    /// Adds a path without checking it.
    pub fn insert(&mut self, path: &FieldPath) {
        let mut node = &mut self.root;
        for step in path.steps() {
            node = match step {
                Step::Field(name) => node.fields.entry(name.clone()).or_default(),
                Step::Item(keys) => node.items.entry(keys.clone()).or_default(),
                Step::Each => node.each.get_or_insert_default(),
            };
        }
        node.whole = Some(path.to_string().into());
    }

    /// The position of the object itself.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor::of(None, vec![&self.root])
    }
}

/// A position in the object, and what is listed there.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'p> {
    /// The path that lists the position or one above it.
    whole: Option<&'p str>,
    /// What is listed below it; several nodes if it can be reached in several ways.
    nodes: Vec<&'p Node>,
}

impl<'p> Cursor<'p> {
    fn of(above: Option<&'p str>, nodes: Vec<&'p Node>) -> Self {
        let own = nodes.iter().find_map(|node| node.whole.as_deref());
        Cursor {
            whole: own.or(above),
            nodes,
        }
    }

    pub(super) fn is_listed(&self) -> bool {
        self.whole.is_some()
    }

    /// The path that lists the position.
    pub(super) fn path(&self) -> Option<&'p str> {
        self.whole
    }

    /// The position without what is listed above it.
    pub(super) fn own(self) -> Self {
        Self::of(None, self.nodes)
    }

    /// Whether a position below is listed by a path of its own.
    pub(super) fn is_listed_below(&self) -> bool {
        let is_parent =
            |node: &&Node| !node.fields.is_empty() || !node.items.is_empty() || node.each.is_some();
        self.nodes.iter().any(is_parent)
    }

    /// Whether the position itself or one below it is listed.
    pub(super) fn is_involved(&self) -> bool {
        self.whole.is_some() || !self.nodes.is_empty()
    }

    pub(super) fn field(&self, name: &str) -> Cursor<'p> {
        let below = self.nodes.iter();
        let nodes = below.flat_map(|node| node.fields.get(name).into_iter().chain(node.each.as_deref()));
        Self::of(self.whole, nodes.collect())
    }

    pub(super) fn item(&self, keys: &[(Box<str>, Box<str>)]) -> Cursor<'p> {
        let below = self.nodes.iter();
        let nodes = below.flat_map(|node| node.items.get(keys).into_iter().chain(node.each.as_deref()));
        Self::of(self.whole, nodes.collect())
    }
}

/// Why a path matches no field that can be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// It is malformed.
    Syntax(SyntaxError),
    /// It does not start with `spec`; with the path that was probably meant.
    NotSpec(Option<String>),
    /// There is no such field.
    NoField {
        /// The name.
        name: String,
        /// The path of the object that was searched.
        parent: String,
        /// The path that was probably meant.
        hint: Option<String>,
    },
    /// A step into a scalar.
    NoParts {
        /// The value's path.
        parent: String,
        /// What the value is.
        noun: String,
    },
    /// A step into a value that can only be kept as a whole.
    Whole(String),
    /// A field name where an item must be selected first.
    ItemNeeded {
        /// The list.
        parent: String,
        /// Its keys.
        keys: String,
    },
    /// An item selected by keys that are not the list's.
    WrongKeys {
        /// The list.
        parent: String,
        /// Its keys.
        keys: String,
    },
    /// An item selected in a value that is not a list map.
    NoItems(String),
    /// The field exists, but cannot be kept.
    Unkeepable(&'static str),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meant = |hint: &Option<String>| match hint {
            Some(hint) => format!("; did you mean `{hint}`?"),
            None => String::new(),
        };
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::NotSpec(hint) => write!(f, "only fields below `spec` can be kept{}", meant(hint)),
            Self::NoField { name, parent, hint } => {
                write!(f, "no field `{name}` in `{parent}`{}", meant(hint))
            }
            Self::NoParts { parent, noun } => write!(f, "`{parent}` is {noun} and has no fields"),
            Self::Whole(parent) => write!(f, "`{parent}` is kept or replaced as a whole; list `{parent}`"),
            Self::ItemNeeded { parent, keys } => {
                write!(
                    f,
                    "`{parent}` is a list; write `{parent}[{keys}]` or `{parent}[*]`"
                )
            }
            Self::WrongKeys { parent, keys } => {
                write!(f, "items of `{parent}` are selected by `[{keys}]`")
            }
            Self::NoItems(parent) => write!(
                f,
                "`{parent}` has named fields, not items; name a field or list it whole"
            ),
            Self::Unkeepable(why) => write!(f, "cannot be kept: {why}"),
        }
    }
}

impl std::error::Error for PathError {}

/// Checks that the path matches a field that can be kept.
///
/// # Errors
/// Why it does not.
pub fn check(path: &FieldPath, schema: &JsonSchema, attributes: &Attributes) -> Result<(), PathError> {
    let [Step::Field(first), ..] = path.steps() else {
        return Err(PathError::NotSpec(None));
    };
    if **first != *"spec" {
        let meant = (!matches!(&**first, "metadata" | "status" | "apiVersion" | "kind"))
            .then(|| format!("spec.{path}"))
            .filter(|meant| {
                FieldPath::parse(meant).is_ok_and(|path| check(&path, schema, attributes).is_ok())
            });
        let meant = meant.or_else(|| nearest_of(first, ["spec"]).map(|_| with_first(path)));
        return Err(PathError::NotSpec(meant));
    }
    let mut place = Place {
        root: schema,
        schema: Some(schema),
        rules: attributes.root(),
        done: Vec::new(),
    };
    path.steps().iter().try_for_each(|step| place.step(step))
}

fn with_first(path: &FieldPath) -> String {
    let mut steps = path.steps().to_vec();
    steps[0] = Step::Field("spec".into());
    FieldPath::new(steps).to_string()
}

struct Place<'s> {
    root: &'s JsonSchema,
    schema: Option<&'s JsonSchema>,
    rules: Rules<'s>,
    done: Vec<Step>,
}

impl<'s> Place<'s> {
    fn text(&self) -> String {
        FieldPath::new(self.done.clone()).to_string()
    }

    fn step(&mut self, step: &Step) -> Result<(), PathError> {
        match Shape::of(self.schema) {
            Shape::Object(members) => self.member(members, step)?,
            Shape::ListMap { keys, item } => self.item(keys, item, step)?,
            Shape::Set => return Err(PathError::Whole(self.text())),
            Shape::Atomic => return Err(self.no_parts()),
        }
        self.done.push(step.clone());
        match self.rules.unkeepable() {
            Some(why) => Err(PathError::Unkeepable(why)),
            None => Ok(()),
        }
    }

    fn member(&mut self, members: Members<'s>, step: &Step) -> Result<(), PathError> {
        let name = match step {
            Step::Field(name) => name,
            Step::Each if members.is_map() => {
                self.schema = members.schema().and_then(JsonSchema::additional);
                self.rules = self.rules.each();
                return Ok(());
            }
            Step::Each | Step::Item(_) => return Err(PathError::NoItems(self.text())),
        };
        let Member::Known(schema) = members.get(name) else {
            return Err(PathError::NoField {
                name: name.to_string(),
                parent: self.text(),
                hint: self.meant(members, name),
            });
        };
        self.schema = schema;
        self.rules = self.rules.field(name);
        Ok(())
    }

    fn item(
        &mut self,
        keys: &[kindsmith_schema::Str],
        item: Option<&'s JsonSchema>,
        step: &Step,
    ) -> Result<(), PathError> {
        let form = || {
            keys.iter()
                .map(|key| format!("{key}=…"))
                .collect::<Vec<_>>()
                .join(",")
        };
        match step {
            Step::Each => {}
            Step::Item(given) => {
                let known = |(name, _): &(Box<str>, Box<str>)| keys.iter().any(|key| **key == **name);
                if given.len() != keys.len() || !given.iter().all(known) {
                    return Err(PathError::WrongKeys {
                        parent: self.text(),
                        keys: form(),
                    });
                }
            }
            Step::Field(_) => {
                return Err(PathError::ItemNeeded {
                    parent: self.text(),
                    keys: form(),
                });
            }
        }
        self.schema = item;
        self.rules = self.rules.each();
        Ok(())
    }

    fn no_parts(&self) -> PathError {
        match self.schema {
            Some(schema) if matches!(&*schema.ty, "object" | "array") => PathError::Whole(self.text()),
            Some(schema) => PathError::NoParts {
                parent: self.text(),
                noun: noun(schema).to_owned(),
            },
            None => PathError::Whole(self.text()),
        }
    }

    /// A similar name in the same object, or else the only field of that name anywhere.
    fn meant(&self, members: Members<'s>, name: &str) -> Option<String> {
        let mut steps = self.done.clone();
        if let Some(near) = same_letters(members, name).or_else(|| nearest_of(name, members.names())) {
            steps.push(Step::Field(near.into()));
            return Some(FieldPath::new(steps).to_string());
        }
        let mut found = Vec::new();
        elsewhere(
            self.root.property("spec"),
            name,
            &mut vec![Step::Field("spec".into())],
            &mut found,
        );
        match &found[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

/// The same name in another style: `disk_size`, `disk-size` and `DiskSize` match `diskSize`.
fn same_letters<'s>(members: Members<'s>, name: &str) -> Option<&'s str> {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = letters(name);
    members.names().find(|known| letters(known) == wanted)
}

/// Finds fields of this name anywhere; stops at two, since then the name is ambiguous.
fn elsewhere(schema: Option<&JsonSchema>, name: &str, path: &mut Vec<Step>, found: &mut Vec<String>) {
    let Some(node) = schema.filter(|_| found.len() < 2 && path.len() < MAX_DEPTH) else {
        return;
    };
    let mut descend = |step: Step, schema, found: &mut Vec<String>| {
        path.push(step);
        elsewhere(schema, name, path, found);
        path.pop();
    };
    match Shape::of(Some(node)) {
        Shape::Object(members) => {
            for known in members.names() {
                let Member::Known(schema) = members.get(known) else {
                    continue;
                };
                descend(Step::Field(known.into()), schema, found);
            }
            if node.property(name).is_some() {
                path.push(Step::Field(name.into()));
                found.push(FieldPath::new(path.clone()).to_string());
                path.pop();
            }
        }
        Shape::ListMap { item, .. } => descend(Step::Each, item, found),
        Shape::Set | Shape::Atomic => {}
    }
}
