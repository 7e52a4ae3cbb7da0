//! Where a CRD says what an object of it must be: the place of a schema keyword or of a CEL rule. Knows values only;
//! where they are in a text is up to the caller.

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_object::{About, ErrorKind, FieldError};

/// What is looked up in a CRD.
#[derive(Debug, Clone, Copy)]
pub enum Cause<'e> {
    /// Why an object is rejected.
    Error(&'e FieldError),
    /// Where a field's default comes from.
    Default,
}

/// What is at the place of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blamed {
    /// A schema or one of its keywords.
    Schema,
    /// A CEL rule that does not hold.
    Rule,
    /// A CEL rule that cannot be compiled or evaluated.
    BrokenRule,
}

impl Cause<'_> {
    /// The keywords that can be behind it, the most likely first.
    fn keywords(self) -> &'static [&'static str] {
        let Self::Error(error) = self else {
            return &["default"];
        };
        match (error.about, error.kind) {
            (Some(About::Keyword(keyword)), _) => keyword.names(),
            (_, ErrorKind::Required) => &["required"],
            (_, ErrorKind::NotSupported) => &["enum"],
            (_, ErrorKind::TypeInvalid) => &["type"],
            (_, ErrorKind::Duplicate) => &["x-kubernetes-list-map-keys", "x-kubernetes-list-type"],
            (_, ErrorKind::TooLong) => &["maxLength"],
            (_, ErrorKind::TooMany) => &["maxItems", "maxProperties"],
            _ => &[],
        }
    }

    fn is_broken(self) -> bool {
        matches!(self, Self::Error(error) if matches!(error.about, Some(About::BrokenRule { .. })))
    }

    /// Whether it is about a value that is not there.
    #[must_use]
    pub fn is_missing(self) -> bool {
        matches!(self, Self::Error(error) if error.kind == ErrorKind::Required)
    }
}

/// The place in a CRD of the keyword or rule behind something at `path` of an object of a version.
#[must_use]
pub fn behind(
    definition: Value<'_>,
    version: &str,
    path: &PathBuf,
    cause: Cause<'_>,
) -> Option<(PathBuf, Blamed)> {
    let (version, index) = version_of(definition, version)?;
    let mut nodes = Nodes::at(version, index)?;
    let is_whole = nodes.descend(path);
    match nodes.rule(cause) {
        Some(place) if cause.is_broken() => Some((place, Blamed::BrokenRule)),
        Some(place) => Some((place, Blamed::Rule)),
        None => Some((nodes.keyword(cause, is_whole)?, Blamed::Schema)),
    }
}

/// The place in a CRD of the schema of `path` of an object; `None` if it has none.
#[must_use]
pub fn schema(definition: Value<'_>, version: &str, path: &PathBuf) -> Option<PathBuf> {
    let (version, index) = version_of(definition, version)?;
    let mut nodes = Nodes::at(version, index)?;
    let is_whole = nodes.descend(path);
    let (_, place) = nodes.0.last().filter(|_| is_whole)?;
    Some(place.iter().cloned().collect())
}

/// The place in a CRD of a rule of the schema at `path`.
#[must_use]
pub fn rule(definition: Value<'_>, version: &str, path: &PathBuf, index: usize) -> Option<PathBuf> {
    let (version, at) = version_of(definition, version)?;
    let mut nodes = Nodes::at(version, at)?;
    let is_whole = nodes.descend(path);
    let place = nodes.rule_at(path.steps().len(), index);
    place.filter(|_| is_whole)
}

/// The place in a CRD of the schema of a field, or of what is nearest above it; `[*]` is any item or value. Without a
/// version it is the place of the CRD's `spec`.
#[must_use]
pub fn field_schema(definition: Value<'_>, version: Option<&str>, path: &str) -> PathBuf {
    let Some((version, index)) = version.and_then(|version| version_of(definition, version)) else {
        return PathBuf::from_iter([field("spec")]);
    };
    let Some(mut nodes) = Nodes::at(version, index) else {
        return PathBuf::from_iter([field("spec"), field("versions"), Step::Index(index)]);
    };
    for step in path
        .replace("[*]", ".*")
        .split('.')
        .filter(|step| !step.is_empty())
    {
        let is_known = match step {
            "*" => nodes.step(&Step::Index(0)) || nodes.step(&Step::Key("".into())),
            name => nodes.step(&field(name)),
        };
        if !is_known {
            break;
        }
    }
    let (_, place) = nodes.0.last().expect("there is a root");
    place.iter().cloned().collect()
}

/// The schemas from the root to a field, each with its place in the CRD.
struct Nodes<'a>(Vec<(Value<'a>, Vec<Step>)>);

fn field(name: &str) -> Step {
    Step::Field(name.into())
}

/// A version of a CRD, with its index.
fn version_of<'a>(definition: Value<'a>, name: &str) -> Option<(Value<'a>, usize)> {
    let versions = definition.lookup(&["spec", "versions"])?.as_array()?;
    let index = versions.iter().position(|one| one.text("name") == name)?;
    Some((versions[index], index))
}

impl<'a> Nodes<'a> {
    fn at(version: Value<'a>, index: usize) -> Option<Self> {
        let root = version.lookup(&["schema", "openAPIV3Schema"])?;
        let place = vec![
            field("spec"),
            field("versions"),
            Step::Index(index),
            field("schema"),
            field("openAPIV3Schema"),
        ];
        Some(Self(vec![(root, place)]))
    }

    /// Goes down a path as far as there are schemas; returns whether that is to its end.
    fn descend(&mut self, path: &PathBuf) -> bool {
        path.steps().iter().all(|step| self.step(step))
    }

    /// Goes down one step, if there is a schema.
    fn step(&mut self, step: &Step) -> bool {
        let (node, place) = self.0.last().expect("there is a root");
        let Some((child, more)) = child(*node, step) else {
            return false;
        };
        let place = place.iter().chain(&more).cloned().collect();
        self.0.push((child, place));
        true
    }

    /// The CEL rule whose failure an error tells, at the field or above it: a rule may name a field below its own.
    fn rule(&self, cause: Cause<'_>) -> Option<PathBuf> {
        let Cause::Error(error) = cause else {
            return None;
        };
        let Some(About::Rule { index, depth } | About::BrokenRule { index, depth }) = error.about else {
            return None;
        };
        self.rule_at(depth as usize, index as usize)
    }

    /// The place of a rule of the schema that is `depth` steps below the root.
    fn rule_at(&self, depth: usize, index: usize) -> Option<PathBuf> {
        let (_, place) = self.0.get(depth)?;
        let rest = [
            field("x-kubernetes-validations"),
            Step::Index(index),
            field("rule"),
        ];
        Some(place.iter().cloned().chain(rest).collect())
    }

    /// The keyword behind an error, or the schema itself.
    fn keyword(&self, cause: Cause<'_>, is_whole: bool) -> Option<PathBuf> {
        // A missing field is required by the schema of its parent.
        let parent = self
            .0
            .len()
            .checked_sub(2)
            .filter(|_| cause.is_missing() && is_whole);
        let (node, place) = &self.0[parent.unwrap_or(self.0.len() - 1)];
        let mut known = cause.keywords().iter();
        let keyword = known.find(|keyword| node.get(keyword).is_some());
        if keyword.is_none() && matches!(cause, Cause::Default) {
            return None;
        }
        let keyword = keyword.map(|keyword| field(keyword));
        Some(place.iter().cloned().chain(keyword).collect())
    }
}

/// The schema of a member, with the steps that lead to it.
fn child<'a>(node: Value<'a>, step: &Step) -> Option<(Value<'a>, Vec<Step>)> {
    let (name, below) = match step {
        Step::Index(_) => ("", node.get("items")),
        Step::Field(name) | Step::Key(name) => (
            &**name,
            node.get("properties").and_then(|properties| properties.get(name)),
        ),
    };
    match (step, below) {
        (Step::Index(_), Some(items)) => Some((items, vec![field("items")])),
        (_, Some(member)) => Some((member, vec![field("properties"), field(name)])),
        (Step::Index(_), None) => None,
        (_, None) => {
            let values = node
                .get("additionalProperties")
                .filter(|values| values.as_object().is_some())?;
            Some((values, vec![field("additionalProperties")]))
        }
    }
}
