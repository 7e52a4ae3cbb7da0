//! The kinds that a program uses, and reviews of writes to their objects.

use std::fmt;

use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_object::Release;
use serde::Serialize;

use crate::bridge::{BridgeError, to_json, to_value};
use crate::crds::Crds;
use crate::definition::is_definition;
use crate::review::{ArenaReview, Review};
use crate::write::Write;
use crate::{custom_resource, definition};

/// The kinds that a program uses: those of CRDs; with the feature `go` also built-in ones and those of Go packages.
///
/// Schemas are compiled when an object of their kind is first reviewed. All methods take `&self`, so that one value can be
/// shared by all threads.
#[derive(Debug, Default)]
pub struct Kinds {
    pub(crate) crds: Crds,
    #[cfg(feature = "go")]
    pub(crate) go_types: Option<crate::go_types::GoTypes>,
    pub(crate) release: Release,
}

impl Kinds {
    /// The same kinds as a release of Kubernetes treats them; the newest one that is out by default.
    #[must_use]
    pub fn with_release(mut self, release: Release) -> Self {
        self.crds.set_release(release);
        Self { release, ..self }
    }

    /// The release of Kubernetes whose answers are given.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release
    }

    /// The kinds of the CRDs in a text: YAML or JSON, any number of documents. Other objects are skipped.
    ///
    /// # Errors
    ///
    /// The API server's errors for each CRD that it would reject, or an error if there is no CRD.
    pub fn from_crds(text: &str) -> Result<Self, LoadError> {
        let mut kinds = Self::default();
        kinds.add_crds("", text)?;
        if kinds.crds.is_empty() {
            return Err(LoadError::of("no CustomResourceDefinition in the text"));
        }
        Ok(kinds)
    }

    /// The kinds of all CRDs in the YAML and JSON files of a directory and of those below it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, the API server would reject a CRD, or there is no CRD.
    pub fn from_crd_directory(directory: impl AsRef<std::path::Path>) -> Result<Self, LoadError> {
        let directory = directory.as_ref();
        let files = crate::files::read(directory).map_err(|error| LoadError::of(&error.to_string()))?;
        let mut kinds = Self::default();
        for (name, text) in files {
            kinds.add_crds(&name, &text)?;
        }
        if kinds.crds.is_empty() {
            return Err(LoadError::of(&format!(
                "no CustomResourceDefinition in {}",
                directory.display()
            )));
        }
        Ok(kinds)
    }

    /// Adds the CRDs of a text; `name` is used in messages.
    ///
    /// # Errors
    ///
    /// Documents that cannot be read, and the API server's errors for each CRD that it would reject; then nothing is added.
    pub fn add_crds(&mut self, name: &str, text: &str) -> Result<(), LoadError> {
        let mut added = Crds::default();
        added.add(name, text);
        let unreadable = added.unreadable().iter().map(|document| Problem {
            origin: String::new(),
            path: PathBuf::default(),
            message: document.to_string(),
        });
        let refused = added
            .documents()
            .flat_map(|(_, document)| definition_problems(self.release, name, document));
        let problems: Vec<Problem> = unreadable.chain(refused).collect();
        if !problems.is_empty() {
            return Err(LoadError { problems });
        }
        self.crds.add(name, text);
        Ok(())
    }

    /// The CRDs.
    #[must_use]
    pub fn crds(&self) -> &Crds {
        &self.crds
    }

    /// Reviews a new object.
    ///
    /// # Errors
    ///
    /// If the object is of no known kind, or cannot be JSON.
    pub fn admit(&self, object: &impl Serialize) -> Result<Review, AdmitError> {
        let arena = Arena::new();
        let object = to_value(&arena, object)?;
        let review = self.review(&arena, &Write::create(object))?;
        Ok(review.map(to_json))
    }

    /// Reviews an update of an object. Unchanged fields are not rejected (ratcheting).
    ///
    /// # Errors
    ///
    /// If the object is of no known kind, or cannot be JSON.
    pub fn admit_update(&self, old: &impl Serialize, new: &impl Serialize) -> Result<Review, AdmitError> {
        self.admit_subresource("", old, new)
    }

    /// Reviews an update through a subresource, such as `status`.
    ///
    /// # Errors
    ///
    /// If the object is of no known kind, or cannot be JSON.
    pub fn admit_subresource(
        &self,
        subresource: &str,
        old: &impl Serialize,
        new: &impl Serialize,
    ) -> Result<Review, AdmitError> {
        let arena = Arena::new();
        let (old, new) = (to_value(&arena, old)?, to_value(&arena, new)?);
        let write = Write {
            subresource,
            ..Write::update(old, new)
        };
        Ok(self.review(&arena, &write)?.map(to_json))
    }

    /// Reviews any write; values stay in the arena.
    ///
    /// A CRD is reviewed as the server reviews CRDs. The schema of other objects is found by `apiVersion` and `kind`.
    ///
    /// # Errors
    ///
    /// If the object is of no known kind.
    pub fn review<'a>(&'a self, arena: &'a Arena, write: &Write<'a>) -> Result<ArenaReview<'a>, AdmitError> {
        if is_definition(write.object) {
            return Ok(match write.updated() {
                Some(old) => definition::review_update(self.release, arena, write.object, old),
                None => definition::review(self.release, arena, write.object, None),
            });
        }
        let text = |key: &str| {
            let text = write.object.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        self.review_as(&api_version, &kind, arena, write)
    }

    /// Reviews a write of an object as a given kind, whatever its own `apiVersion` and `kind` are.
    ///
    /// # Errors
    ///
    /// If there is no schema for the kind.
    pub fn review_as<'a>(
        &'a self,
        api_version: &str,
        kind: &str,
        arena: &'a Arena,
        write: &Write<'a>,
    ) -> Result<ArenaReview<'a>, AdmitError> {
        if let Some((resource, version)) = self.crds.resource(api_version, kind) {
            return Ok(custom_resource::review(resource, version, arena, write));
        }
        let unknown = || AdmitError::UnknownKind {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
        };
        self.review_typed(api_version, kind, arena, write)
            .ok_or_else(unknown)
    }

    /// The known kind that a misspelt one was meant to be, as `apiVersion kind`: another version of the kind, or a
    /// kind with nearly the same name.
    #[must_use]
    pub fn suggestion(&self, api_version: &str, kind: &str) -> Option<String> {
        let mut known = self.builtin();
        known.extend(self.crds.served());
        let name = |(version, kind): &(String, String)| format!("{version} {kind}");
        let mut same = known.iter().filter(|(_, known)| known == kind);
        let group = api_version.split('/').next();
        let of_group = same
            .clone()
            .find(|(version, _)| version.split('/').next() == group);
        if let Some(found) = of_group.or_else(|| same.next()) {
            return Some(name(found));
        }
        let near = nearest_of(kind, known.iter().map(|(_, kind)| kind.as_str()))?.to_owned();
        let mut named = known.iter().filter(|(_, kind)| *kind == near);
        let of_version = named.clone().find(|(version, _)| version == api_version);
        of_version.or_else(|| named.next()).map(name)
    }
}

/// Why a write cannot be reviewed at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdmitError {
    /// There is no schema for the kind.
    UnknownKind {
        /// The object's `apiVersion`.
        api_version: String,
        /// The object's `kind`.
        kind: String,
    },
    /// The object cannot be JSON.
    NotJson(BridgeError),
}

impl From<BridgeError> for AdmitError {
    fn from(error: BridgeError) -> Self {
        Self::NotJson(error)
    }
}

impl fmt::Display for AdmitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdmitError::UnknownKind { api_version, kind } => {
                write!(out, "no schema for {api_version} {kind}")
            }
            AdmitError::NotJson(error) => write!(out, "the object is not JSON: {error}"),
        }
    }
}

impl std::error::Error for AdmitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AdmitError::UnknownKind { .. } => None,
            AdmitError::NotJson(error) => Some(error),
        }
    }
}

/// Why CRDs or Go types cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// Everything that is wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a CRD or a Go package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: a file, a place in it, or the name of a CRD; may be empty.
    pub origin: String,
    /// The field of the CRD; empty if the problem is not about a field.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.origin.is_empty() {
            write!(out, "{}: ", self.origin)?;
        }
        out.write_str(&self.message)
    }
}

impl LoadError {
    pub(crate) fn of(message: &str) -> Self {
        Self {
            problems: vec![Problem {
                origin: String::new(),
                path: PathBuf::default(),
                message: message.to_owned(),
            }],
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                out.write_str("\n")?;
            }
            write!(out, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// The server's errors for a CRD, or for each CRD of a list.
pub(crate) fn definition_problems(release: Release, name: &str, document: &str) -> Vec<Problem> {
    let arena = Arena::new();
    let value = match yaml::parse(&arena, document.as_bytes()) {
        Ok(value) => value,
        Err(error) => {
            return vec![Problem {
                origin: name.to_owned(),
                path: PathBuf::default(),
                message: error.to_string(),
            }];
        }
    };
    let items = match value.get("items").and_then(Value::as_array) {
        Some(items) if !is_definition(value) => items,
        _ => &[value],
    };
    let problems = items
        .iter()
        .filter(|item| is_definition(**item))
        .flat_map(|&item| {
            let named = item.lookup(&["metadata", "name"]).and_then(Value::as_str);
            let origin = match (name, named.unwrap_or_default()) {
                ("", named) => named.to_owned(),
                (name, "") => name.to_owned(),
                (name, named) => format!("{name}: {named}"),
            };
            let review = definition::review(release, &arena, item, None);
            review.errors.into_iter().map(move |error| Problem {
                origin: origin.clone(),
                path: error.path,
                message: error.message,
            })
        });
    problems.collect()
}
