//! What the API server would do to objects of CRDs, and to CRDs themselves: for `check`, `normalize` and `eval`.

use std::collections::HashMap;

use kindsmith_crd::{
    Body, FieldValidation, Media, NoAdmission, Operation, Origin, Resource, Stamp, Status, Write, definition,
};
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Path, Value, to_string};
use kindsmith_object::{Event, FieldError};
use kindsmith_openapi::crd::{self, InternalDefinition, Source};

use crate::crds::Crds;

/// Members of metadata that the server sets. They are shown only if the author gave them.
const SERVER_SET: [&str; 6] = [
    "uid",
    "creationTimestamp",
    "generation",
    "resourceVersion",
    "managedFields",
    "selfLink",
];
/// An update says which state it replaces; manifests do not.
const STATE: &str = "1";

/// Objects held against CRDs.
#[derive(Debug, Default)]
pub struct Customs {
    crds: Crds,
    resources: HashMap<(String, String), Resource>,
}

/// One write.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The object as it was written.
    pub object: Value<'a>,
    /// What it was before, for an update.
    pub old: Option<Value<'a>>,
    /// The subresource, such as `status`; empty for the object itself.
    pub subresource: &'a str,
}

/// What would come of a write.
#[derive(Debug, Default)]
pub struct Judged<'a> {
    /// The object as it would be stored, without what only the server sets; none if it is refused.
    pub object: Option<Value<'a>>,
    /// Why it is refused.
    pub faults: Vec<Fault>,
    /// What the server warns of.
    pub warnings: Vec<Fault>,
    /// What was done to it on the way.
    pub notes: Vec<Note>,
}

/// A text about a place in the object.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Where.
    pub path: PathBuf,
    /// The server's words.
    pub text: String,
    /// The error of validation it is, if it is one.
    pub error: Option<FieldError>,
}

/// Something that was done to the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A member was filled in with this JSON text.
    Defaulted(PathBuf, String),
    /// A member was dropped.
    Pruned(PathBuf),
}

impl Customs {
    /// Objects of these CRDs.
    #[must_use]
    pub fn new(crds: Crds) -> Self {
        Self {
            crds,
            resources: HashMap::new(),
        }
    }

    /// The CRDs themselves.
    #[must_use]
    pub fn crds(&self) -> &Crds {
        &self.crds
    }

    /// The resource objects of this `apiVersion` and `kind` belong to, with the version's name.
    pub fn resource<'s>(&'s mut self, api_version: &str, kind: &str) -> Option<(&'s Resource, String)> {
        let found = self.crds.of_object(api_version, kind)?;
        let key = (found.group().to_owned(), found.kind().to_owned());
        let version = found.version().to_owned();
        let resource = self
            .resources
            .entry(key)
            .or_insert_with(|| Resource::new(found.definition()));
        Some((resource, version))
    }
}

/// Takes an object through a write.
#[must_use]
pub fn judge<'a>(
    resource: &'a Resource,
    version: &'a str,
    arena: &'a Arena,
    asked: &Asked<'a>,
) -> Judged<'a> {
    let mut judged = Judged {
        notes: notes(resource, version, arena, asked.object),
        ..Judged::default()
    };
    let metadata = |member: &str| asked.object.lookup(&["metadata", member]).and_then(Value::as_str);
    let old = match asked.old.map(|old| as_stored(resource, version, arena, old)) {
        Some(Err(text)) => {
            let text = format!("the old object cannot be read: {text}");
            judged.faults.push(Fault::at_root(text));
            return judged;
        }
        Some(Ok(old)) => Some(old),
        None => None,
    };
    let write = Write {
        version,
        operation: match (old, asked.subresource) {
            (None, _) => Operation::Create,
            (old, "status") => Operation::UpdateStatus { old },
            (old, _) => Operation::Update { old },
        },
        namespace: namespace(resource, metadata("namespace")),
        name: match asked.old {
            Some(_) => metadata("name").unwrap_or_default(),
            None => "",
        },
        field_validation: FieldValidation::Warn,
        is_dry_run: false,
        stamp: Stamp {
            uid: "00000000-0000-0000-0000-000000000000",
            now: "1970-01-01T00:00:00Z",
            name_suffix: "xxxxx",
        },
    };
    let outcome = match old {
        None => {
            let body = Body {
                bytes: arena.alloc_str(&to_string(asked.object)).as_bytes(),
                media: Media::Json,
            };
            resource.write(arena, &write, body, &mut NoAdmission)
        }
        Some(old) => {
            let patched = replaces(arena, asked.object, old);
            let text = arena.alloc_str(&to_string(patched));
            let origin = Origin::Patch {
                object: patched,
                text,
                strict: &[],
            };
            resource.write(arena, &write, origin, &mut NoAdmission)
        }
    };
    judged
        .warnings
        .extend(outcome.warnings.into_iter().map(Fault::of_warning));
    match outcome.result {
        Ok(written) => judged.object = Some(without_bookkeeping(arena, written.object, asked.object)),
        Err(status) => judged.faults.extend(faults(status)),
    }
    judged
}

/// What the server would say to a definition: to a new one, or to one that replaces another.
#[must_use]
pub fn judge_definition<'a>(object: Value<'a>, old: Option<Value<'a>>) -> Judged<'a> {
    let mut judged = Judged::default();
    let mut definition = match internal(object, &mut judged) {
        Ok(definition) => definition,
        Err(text) => {
            judged.faults.push(Fault::at_root(text));
            return judged;
        }
    };
    let old = old.map(|old| internal(old, &mut Judged::default()));
    let verdict = match old {
        None => definition::create(&mut definition, definition::Gates::default()),
        Some(Ok(mut old)) => {
            // The old one is taken as stored, whatever it was accepted by.
            definition::create(&mut old, definition::Gates::default());
            definition::update(&mut definition, &old, definition::Gates::default())
        }
        Some(Err(text)) => {
            let text = format!("the old definition cannot be read: {text}");
            judged.faults.push(Fault::at_root(text));
            return judged;
        }
    };
    judged
        .faults
        .extend(verdict.errors.into_iter().map(|error| Fault {
            path: as_written(&error.path, object),
            ..Fault::of_error(error)
        }));
    judged.faults.extend(verdict.crash.map(Fault::at_root));
    judged
        .warnings
        .extend(verdict.warnings.into_iter().map(Fault::at_root));
    judged.object = judged.faults.is_empty().then_some(object);
    judged
}

/// Whether an object is a definition.
#[must_use]
pub fn is_definition(object: Value<'_>) -> bool {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    text("kind") == "CustomResourceDefinition" && text("apiVersion").starts_with("apiextensions.k8s.io/")
}

fn internal(object: Value<'_>, judged: &mut Judged<'_>) -> Result<InternalDefinition, String> {
    let is_old = object.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1beta1");
    let (definition, reports) = if is_old {
        let read = crd::read_v1beta1(object, Source::Unknown).map_err(|error| error.to_string())?;
        let mut definition = read.definition;
        definition.default_v1beta1_fields();
        (definition, read.reports)
    } else {
        let read = crd::read(object, Source::Unknown).map_err(|error| error.to_string())?;
        let mut definition = read.definition;
        definition.default_fields();
        (definition.to_internal(), read.reports)
    };
    let warnings = reports.iter().map(|report| Fault::of_warning(report.to_string()));
    judged.warnings.extend(warnings);
    Ok(definition)
}

/// The place in the document of a path in the server's internal form, in which what all versions share stands at the top.
fn as_written(path: &PathBuf, object: Value<'_>) -> PathBuf {
    let is_v1 = object.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1");
    let field =
        |step: Option<&Step>, name: &str| matches!(step, Some(Step::Field(field)) if **field == *name);
    let steps = path.steps();
    if !is_v1 || !field(steps.first(), "spec") {
        return path.clone();
    }
    let hoisted = [
        "validation",
        "subresources",
        "additionalPrinterColumns",
        "selectableFields",
    ];
    if !hoisted.iter().any(|name| field(steps.get(1), name)) {
        return path.clone();
    }
    let mut written = PathBuf::default();
    written.push(Step::Field("spec".into()));
    written.push(Step::Field("versions".into()));
    written.push(Step::Index(0));
    for (index, step) in steps.iter().enumerate().skip(1) {
        let step = match step {
            Step::Field(name) if index == 1 && **name == *"validation" => Step::Field("schema".into()),
            Step::Field(name) if **name == *"JSONPath" => Step::Field("jsonPath".into()),
            // Schemas of members are keyed: `properties[a]`.
            Step::Key(key) => Step::Field(key.clone()),
            other => other.clone(),
        };
        written.push(step);
    }
    written
}

/// What passes do to the object, for people.
fn notes<'a>(resource: &'a Resource, version: &str, arena: &'a Arena, object: Value<'a>) -> Vec<Note> {
    let Some(structure) = resource.version(version).and_then(|version| version.structure()) else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    structure.settle(arena, object, true, &mut |event: Event<'_>| match event {
        Event::Defaulted { path, value, .. } => {
            notes.push(Note::Defaulted(Path::to_owned(path), to_string(value)));
        }
        Event::Pruned { path } => notes.push(Note::Pruned(Path::to_owned(path))),
        _ => {}
    });
    notes
}

fn namespace<'a>(resource: &Resource, given: Option<&'a str>) -> &'a str {
    match resource.scope {
        kindsmith_object::meta::Scope::Namespaced => {
            given.filter(|name| !name.is_empty()).unwrap_or("default")
        }
        kindsmith_object::meta::Scope::Cluster => "",
    }
}

/// An old manifest as the store would have it.
fn as_stored<'a>(
    resource: &'a Resource,
    version: &str,
    arena: &'a Arena,
    old: Value<'a>,
) -> Result<Value<'a>, String> {
    let mut old = old;
    old.set(arena, &["metadata", "resourceVersion"], STATE.into());
    let given = old.lookup(&["metadata", "namespace"]).and_then(Value::as_str);
    let namespace = namespace(resource, given);
    if !namespace.is_empty() {
        old.set(arena, &["metadata", "namespace"], namespace.into());
    }
    resource
        .read(arena, old, version)
        .map_err(|error| error.to_string())
}

/// The new state with what the server keeps of the old one, so that manifests need not carry it.
fn replaces<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut new = new;
    for member in ["resourceVersion", "uid", "creationTimestamp", "namespace"] {
        let path = ["metadata", member];
        if new.lookup(&path).is_none()
            && let Some(kept) = old.lookup(&path)
        {
            new.set(arena, &path, kept);
        }
    }
    new
}

/// The object without what only the server sets, unless the author set it.
fn without_bookkeeping<'a>(arena: &'a Arena, object: Value<'a>, sent: Value<'a>) -> Value<'a> {
    let mut object = object;
    for member in SERVER_SET {
        let path = ["metadata", member];
        if sent.lookup(&path).is_none() {
            object.unset(arena, &path);
        }
    }
    if sent.lookup(&["metadata", "namespace"]).is_none() {
        object.unset(arena, &["metadata", "namespace"]);
    }
    object
}

fn faults(status: Status) -> Vec<Fault> {
    match status.details {
        Some(details) if !details.errors.is_empty() => {
            details.errors.into_iter().map(Fault::of_error).collect()
        }
        _ => vec![Fault::at_root(status.message)],
    }
}

impl Fault {
    fn at_root(text: String) -> Self {
        Self {
            path: PathBuf::default(),
            text,
            error: None,
        }
    }

    /// An error of validation, at its field.
    fn of_error(error: FieldError) -> Self {
        Self {
            path: error.path.clone(),
            text: error.to_string(),
            error: Some(error),
        }
    }

    /// A warning; those about fields name them: `unknown field "spec.a[0].b"`.
    fn of_warning(text: String) -> Self {
        let quoted = text
            .strip_prefix("unknown field \"")
            .or_else(|| text.strip_prefix("duplicate field \""));
        let path = quoted
            .and_then(|rest| rest.strip_suffix('"'))
            .map(path)
            .unwrap_or_default();
        Self {
            path,
            ..Self::at_root(text)
        }
    }
}

/// A path out of its text. Names with dots in them come apart, which puts the finding at the nearest place around.
fn path(text: &str) -> PathBuf {
    let mut path = PathBuf::default();
    for part in text.split('.') {
        let (name, indices) = part
            .split_once('[')
            .map_or((part, ""), |(name, rest)| (name, rest));
        if !name.is_empty() {
            path.push(Step::Field(name.into()));
        }
        for index in indices.split('[').filter_map(|index| index.strip_suffix(']')) {
            path.push(match index.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => Step::Key(index.into()),
            });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_placed_at_their_field() {
        for (text, expected) in [
            ("unknown field \"spec.ports[0].nmae\"", "spec.ports[0].nmae"),
            ("duplicate field \"spec\"", "spec"),
            ("something else", ""),
        ] {
            let fault = Fault::of_warning(text.to_owned());
            let shown = if fault.path == PathBuf::default() {
                String::new()
            } else {
                fault.path.to_string()
            };
            assert_eq!(shown, expected);
        }
    }
}
