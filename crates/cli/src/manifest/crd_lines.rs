//! Where a CRD says what an object of it must be: the line of a schema keyword or of a CEL rule.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::{About, ErrorKind, FieldError, GroupVersion};
use kindsmith_source::{SourceMap, Span};

use super::findings::{BROKEN, BrokenRule, Findings};
use super::{Manifest, read, read_text};
use crate::error::Error;
use crate::schemas::{CrdsArgs, find_files};

/// The CRDs as written.
#[derive(Default)]
pub(crate) struct CrdLines<'a>(Vec<Manifest<'a>>);

/// What is looked up in a CRD.
#[derive(Clone, Copy)]
pub(crate) enum Cause<'e> {
    /// Why an object is rejected.
    Error(&'e FieldError),
    /// Where a field's default comes from.
    Default,
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

    fn is_missing(self) -> bool {
        matches!(self, Self::Error(error) if error.kind == ErrorKind::Required)
    }
}

impl<'a> CrdLines<'a> {
    /// The CRDs among the manifests and those of `--crds`.
    pub(crate) fn read(
        manifests: &[Manifest<'a>],
        crds: &CrdsArgs,
        arena: &'a Arena,
        sources: &mut SourceMap,
    ) -> Result<Self, Error> {
        let mut all: Vec<Manifest<'a>> = manifests.to_vec();
        for path in crds.paths() {
            for file in find_files(path)? {
                // Their users report what is wrong with these files.
                all.extend(read(&file, arena, sources, &mut Findings::default()));
            }
        }
        all.retain(|manifest| kindsmith::is_definition(manifest.value));
        Ok(Self(all))
    }

    /// The CRDs of a text.
    pub(crate) fn add(&mut self, name: &str, text: &str, arena: &'a Arena, sources: &mut SourceMap) {
        let read = read_text(name, text, arena, sources, &mut Findings::default());
        let crds = read.into_iter();
        self.0
            .extend(crds.filter(|manifest| kindsmith::is_definition(manifest.value)));
    }

    /// The place of the schema of a field, or of what is nearest above it; `[*]` is any item or value. Without a version
    /// it is the place of the CRD.
    pub(crate) fn field(
        &self,
        (group, kind): (&str, &str),
        version: Option<&str>,
        path: &str,
    ) -> Option<Span> {
        let definition = self.definition(group, kind)?;
        let Some((version, index)) = version.and_then(|version| version_of(definition, version)) else {
            return Some(definition.span(&PathBuf::from_iter([field("spec")])));
        };
        let Some(mut nodes) = Nodes::at(version, index) else {
            let place = [field("spec"), field("versions"), Step::Index(index)];
            return Some(definition.span(&place.into_iter().collect()));
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
        Some(definition.span(&place.iter().cloned().collect()))
    }

    fn definition(&self, group: &str, kind: &str) -> Option<&Manifest<'a>> {
        self.0.iter().find(|definition| {
            definition.value.text(&["spec", "group"]) == group
                && definition.value.text(&["spec", "names", "kind"]) == kind
        })
    }

    /// The place of the keyword or rule behind an error at `path` of an object, and what to say about it.
    pub(crate) fn behind(
        &self,
        (api_version, kind): (&str, &str),
        path: &PathBuf,
        cause: Cause<'_>,
    ) -> Option<(Span, &'static str)> {
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let definition = self.definition(group, kind)?;
        let (version, index) = version_of(definition, version)?;
        let mut nodes = Nodes::at(version, index)?;
        let is_whole = nodes.descend(path);
        nodes.rule(cause).map_or_else(
            || {
                let place = nodes.keyword(cause, is_whole)?;
                Some((definition.span(&place), "required by this schema"))
            },
            |place| {
                let label = match cause {
                    Cause::Error(error) if matches!(error.about, Some(About::BrokenRule { .. })) => BROKEN,
                    _ => "required by this rule",
                };
                Some((definition.span(&place), label))
            },
        )
    }

    /// The place of a rule that cannot be compiled or evaluated.
    pub(crate) fn broken_rule(&self, broken: &BrokenRule) -> Option<Span> {
        let (api_version, kind) = &broken.identity;
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let definition = self.definition(group, kind)?;
        let (version, index) = version_of(definition, version)?;
        let mut nodes = Nodes::at(version, index)?;
        let is_whole = nodes.descend(&broken.path);
        let place = nodes.rule_at(broken.path.steps().len(), broken.index);
        place.filter(|_| is_whole).map(|place| definition.span(&place))
    }

    /// The place of the default of a field.
    pub(crate) fn behind_default(&self, identity: (&str, &str), path: &PathBuf) -> Option<Span> {
        Some(self.behind(identity, path, Cause::Default)?.0)
    }
}

/// The schemas from the root to a field, each with its place in the CRD.
struct Nodes<'a>(Vec<(Value<'a>, Vec<Step>)>);

fn field(name: &str) -> Step {
    Step::Field(name.into())
}

/// A version of a CRD, with its index.
fn version_of<'a>(definition: &Manifest<'a>, name: &str) -> Option<(Value<'a>, usize)> {
    let versions = definition.value.lookup(&["spec", "versions"])?.as_array()?;
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

    /// The place of a rule of the schema that so many steps lead to.
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
