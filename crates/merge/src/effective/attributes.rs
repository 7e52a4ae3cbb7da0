//! What a schema does not say about fields: who may write them, and when two values are equivalent. Knowledge about
//! kinds as data; knows no objects.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Json, JsonSchema};

use super::keyed::at;
use super::path::{FieldPath, Step, SyntaxError};
use super::shape::{Member, Shape};
use crate::MAX_DEPTH;

/// One property of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attribute {
    /// Cannot be changed once it has a value, nor can anything in it.
    Immutable,
    /// Can be written but is never read back, such as a password.
    WriteOnly,
    /// Set by the service alone.
    OutputOnly,
    /// Identifies the resource.
    Identity,
    /// `false`, `0`, `""`, `[]` and `{}` mean the same as no value.
    ZeroIsAbsent,
    /// The order of items does not matter.
    Unordered,
    /// The value cannot become smaller.
    GrowsOnly,
    /// Must be written in a request of its own.
    Alone,
    /// Must be written in one request with all fields of this group.
    Together(Box<str>),
    /// Case does not matter.
    IgnoreCase,
    /// A Kubernetes quantity: `1Gi` is `1024Mi`.
    Quantity,
    /// A duration: `60s` is `1m`.
    Duration,
    /// A point in time, whatever its time zone.
    Time,
    /// The name of another resource: full URL, partial URL or path.
    Reference,
    /// These two values are equivalent. A text that ends with `*` stands for all live texts that start so.
    Same(Json, Json),
    /// What an absent field is set to if its live value is not kept. Of several, the first whose conditions hold counts.
    Default(Declared),
    /// A map that others write to as well: entries that the spec never set are not removed.
    SharedMap,
}

/// The value that a kind declares for a field that the spec does not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The value; `null` if the field is to have none.
    pub value: Json,
    /// The field of the object whose value it is, instead.
    pub from: Option<FieldPath>,
    /// Which object the spec must set for it to count.
    pub within: Within,
    /// Fields of the object and the values they must have. A text that ends with `*` stands for all that start so.
    pub when: Vec<(FieldPath, Json)>,
}

/// Which object the spec must set for a declared value to count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Within {
    /// None.
    #[default]
    Anywhere,
    /// The one that contains the field.
    Parent,
    /// The one at this path.
    Object(FieldPath),
}

impl From<Json> for Declared {
    fn from(value: Json) -> Self {
        Declared {
            value,
            from: None,
            within: Within::Anywhere,
            when: Vec::new(),
        }
    }
}

impl Declared {
    /// Whether it counts for this object. `inside`: the spec sets the object that contains the field.
    fn holds(&self, arena: &Arena, object: Value<'_>, inside: bool) -> bool {
        let is_within = match &self.within {
            Within::Anywhere => true,
            Within::Parent => inside,
            Within::Object(path) => at(object, path).is_some_and(|found| !found.is_null()),
        };
        let fits = |(path, wanted): &(FieldPath, Json)| {
            matches(at(object, path).unwrap_or_default(), wanted.value(arena))
        };
        is_within && self.when.iter().all(fits)
    }

    fn value<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        match &self.from {
            Some(path) => at(object, path).unwrap_or_default(),
            None => self.value.value(arena),
        }
    }
}

/// Whether a value is the wanted one. A wanted text that ends with `*` stands for all that start so.
pub(super) fn matches(found: Value<'_>, wanted: Value<'_>) -> bool {
    match (found, wanted) {
        (Value::Str(found), Value::Str(wanted)) if wanted.ends_with('*') => {
            found.starts_with(wanted.trim_end_matches('*'))
        }
        _ => found.equals_numerically(wanted),
    }
}

/// Attributes by field.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    root: Node,
    /// Projects, each with its number and its ID.
    projects: Vec<(Box<str>, Box<str>)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    own: Vec<Attribute>,
    /// Whether a field below has a default that does not need its object in the spec.
    has_defaults: bool,
    fields: BTreeMap<Box<str>, Node>,
    /// Items of a list, entries of a map.
    each: Option<Box<Node>>,
}

impl Attributes {
    /// No attributes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The attributes that the schema implies: a rule `self == oldSelf` makes a field immutable.
    #[must_use]
    pub fn of_schema(schema: &JsonSchema) -> Self {
        let mut attributes = Self::default();
        attributes.root.learn(Some(schema), 0);
        attributes
    }

    /// Adds an attribute to the fields at a path. Items of lists and entries of maps are `[*]`.
    ///
    /// # Errors
    /// If the path cannot be read.
    pub fn add(&mut self, path: &str, attribute: Attribute) -> Result<(), SyntaxError> {
        let path = FieldPath::parse(path)?;
        let is_default =
            matches!(&attribute, Attribute::Default(declared) if declared.within != Within::Parent);
        let in_items = path.steps().iter().any(|step| !matches!(step, Step::Field(_)));
        let mut node = &mut self.root;
        for step in path.steps() {
            node.has_defaults |= is_default && !in_items;
            node = match step {
                Step::Field(name) => node.fields.entry(name.clone()).or_default(),
                Step::Each | Step::Item(_) => node.each.get_or_insert_default(),
            };
        }
        node.own.push(attribute);
        Ok(())
    }

    /// Declares that a project's number and its ID are equivalent in references.
    pub fn add_project(&mut self, number: &str, id: &str) {
        self.projects.push((number.into(), id.into()));
    }

    /// The attributes of the field at a path.
    pub(super) fn of_path(&self, path: &FieldPath) -> &[Attribute] {
        let rules = path.steps().iter().fold(self.root(), |rules, step| match step {
            Step::Field(name) => rules.field(name),
            Step::Item(_) | Step::Each => rules.each(),
        });
        rules.own()
    }

    /// The fields that have an attribute.
    pub(super) fn paths_with(&self, attribute: &Attribute) -> Vec<FieldPath> {
        let mut paths = Vec::new();
        self.root.paths_with(attribute, &mut Vec::new(), &mut paths);
        paths
    }

    pub(super) fn root(&self) -> Rules<'_> {
        Rules {
            node: Some(&self.root),
            projects: &self.projects,
            is_in_fixed: false,
        }
    }
}

impl Node {
    fn learn(&mut self, schema: Option<&JsonSchema>, depth: usize) {
        let Some(node) = schema.filter(|_| depth < MAX_DEPTH) else {
            return;
        };
        let fixed = |rule: &str| {
            let rule: String = rule.split_whitespace().collect();
            rule == "self==oldSelf" || rule == "oldSelf==self"
        };
        if node.validations.iter().any(|rule| fixed(&rule.rule)) {
            self.own.push(Attribute::Immutable);
        }
        match Shape::of(schema) {
            Shape::Object(members) => {
                for name in members.names() {
                    let mut child = Node::default();
                    if let Member::Known(schema) = members.get(name) {
                        child.learn(schema, depth + 1);
                    }
                    if !child.is_empty() {
                        self.fields.insert(name.into(), child);
                    }
                }
                self.learn_each(node.additional(), depth);
            }
            Shape::ListMap { item, .. } => self.learn_each(item, depth),
            // Sets and atomic values change as a whole.
            Shape::Set | Shape::Atomic => {}
        }
    }

    fn learn_each(&mut self, schema: Option<&JsonSchema>, depth: usize) {
        let mut each = Node::default();
        each.learn(schema, depth + 1);
        if !each.is_empty() {
            self.each = Some(Box::new(each));
        }
    }

    fn paths_with(&self, attribute: &Attribute, steps: &mut Vec<Step>, paths: &mut Vec<FieldPath>) {
        if self.own.contains(attribute) {
            paths.push(FieldPath::new(steps.clone()));
        }
        for (name, node) in &self.fields {
            steps.push(Step::Field(name.clone()));
            node.paths_with(attribute, steps, paths);
            steps.pop();
        }
    }

    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.fields.is_empty() && self.each.is_none()
    }
}

/// The attributes of one field, and of those below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'s> {
    node: Option<&'s Node>,
    projects: &'s [(Box<str>, Box<str>)],
    /// Whether a value that contains the field cannot be changed.
    is_in_fixed: bool,
}

impl<'s> Rules<'s> {
    pub(super) fn field(self, name: &str) -> Rules<'s> {
        let of = |node: &'s Node| node.fields.get(name).or(node.each.as_deref());
        self.below(self.node.and_then(of))
    }

    pub(super) fn each(self) -> Rules<'s> {
        self.below(self.node.and_then(|node| node.each.as_deref()))
    }

    fn below(self, node: Option<&'s Node>) -> Rules<'s> {
        Rules {
            node,
            is_in_fixed: self.is_fixed(),
            ..self
        }
    }

    /// Whether the field, or a value that contains it, cannot be changed once it has a value.
    pub(super) fn is_fixed(self) -> bool {
        self.is_in_fixed || self.has(&Attribute::Immutable) || self.has(&Attribute::Identity)
    }

    pub(super) fn own(self) -> &'s [Attribute] {
        self.node.map(|node| &node.own[..]).unwrap_or_default()
    }

    pub(super) fn has(self, attribute: &Attribute) -> bool {
        self.own().contains(attribute)
    }

    pub(super) fn projects(self) -> &'s [(Box<str>, Box<str>)] {
        self.projects
    }

    /// The declared value for this object; see [`Declared::holds`].
    pub(super) fn default<'a>(self, arena: &'a Arena, object: Value<'a>, inside: bool) -> Option<Value<'a>> {
        self.own().iter().find_map(|attribute| match attribute {
            Attribute::Default(declared) if declared.holds(arena, object, inside) => {
                Some(declared.value(arena, object))
            }
            _ => None,
        })
    }

    /// Whether a desired value and a live one are declared to be equivalent.
    pub(super) fn are_same(self, desired: Value<'_>, live: Value<'_>) -> bool {
        self.own().iter().any(|attribute| match attribute {
            Attribute::Same(one, other) => {
                let arena = Arena::new();
                let (one, other) = (one.value(&arena), other.value(&arena));
                let pair = |here: Value<'_>, there| desired.equals_numerically(here) && matches(live, there);
                pair(one, other) || pair(other, one)
            }
            _ => false,
        })
    }

    /// Whether a field below has a default that does not need its object in the spec.
    pub(super) fn has_defaults(self) -> bool {
        self.node.is_some_and(|node| node.has_defaults)
    }

    /// The fields with a default, or with one below.
    pub(super) fn defaulted(self) -> impl Iterator<Item = &'s str> {
        let fields = self.node.into_iter().flat_map(|node| &node.fields);
        let is_default = |attribute: &Attribute| matches!(attribute, Attribute::Default(_));
        fields
            .filter(move |(_, node)| node.has_defaults || node.own.iter().any(is_default))
            .map(|(name, _)| &**name)
    }

    /// Why the field can never be kept; `None` if it can.
    pub(super) fn unkeepable(self) -> Option<&'static str> {
        self.own().iter().find_map(|attribute| match attribute {
            Attribute::WriteOnly => Some("it is write-only: its live value cannot be read"),
            Attribute::OutputOnly => Some("it is set by the service alone"),
            Attribute::Identity => Some("it identifies the resource"),
            _ => None,
        })
    }
}
