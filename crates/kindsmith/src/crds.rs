//! CRDs of files and bundles, each parsed when first used.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use kindsmith_crd::Resource;
use kindsmith_crd::definition::Gates;
use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_object::{GroupVersion, Release};
use kindsmith_openapi::bundle::{self, Head};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_openapi::published::Published;
use kindsmith_schema::{JsonSchema, Str};

use crate::definition::is_definition;

/// CRDs, and the kinds of OpenAPI documents.
#[derive(Debug, Default)]
pub struct Crds {
    /// The release of Kubernetes whose rules hold for their objects.
    release: Release,
    entries: Vec<Entry>,
    /// Documents that are no YAML or JSON.
    unreadable: Vec<UnreadableDocument>,
}

/// A document that is neither YAML nor JSON; whether it is a CRD cannot be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableDocument {
    /// The file's name.
    pub file: String,
    /// The line of the file where the document begins.
    pub line: usize,
    /// The parser's message; its lines count from the document's first.
    pub error: String,
}

impl fmt::Display for UnreadableDocument {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(out, "{}:", self.file)?;
        }
        write!(out, "{}: this document cannot be read: {}", self.line, self.error)
    }
}

/// One CRD, parsed when first used.
#[derive(Debug)]
struct Entry {
    group: Str,
    kind: Str,
    plural: Str,
    origin: Origin,
    definition: OnceLock<Result<Arc<Definition>, CrdError>>,
    resource: OnceLock<Resource>,
}

/// Where a CRD comes from.
#[derive(Debug)]
enum Origin {
    /// A part of a file.
    File {
        file: Arc<str>,
        text: Arc<str>,
        range: Range<usize>,
    },
    /// A kind of an OpenAPI document.
    Published { file: Arc<str>, text: Arc<str> },
    /// Already parsed.
    Given,
}

/// Why a CRD cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrdError {
    /// It cannot be read: the file and the reason.
    Unreadable(String),
    /// A name is used by several groups.
    SeveralGroups {
        /// The name.
        name: String,
        /// Two of the groups.
        groups: [String; 2],
    },
    /// The kind of this name does not have the version.
    NoVersion(String),
    /// A version has no schema.
    NoSchema {
        /// The kind.
        kind: String,
        /// The version.
        version: String,
    },
}

impl fmt::Display for CrdError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrdError::Unreadable(text) => out.write_str(text),
            CrdError::SeveralGroups {
                name,
                groups: [first, second],
            } => {
                write!(out, "`{name}` is in the groups {first} and {second}")
            }
            CrdError::NoVersion(name) => write!(out, "`{name}` has no such version"),
            CrdError::NoSchema { kind, version } => write!(out, "version {version} of {kind} has no schema"),
        }
    }
}

impl std::error::Error for CrdError {}

/// One version of a CRD.
#[derive(Debug, Clone)]
pub struct Found {
    definition: Arc<Definition>,
    version: usize,
}

impl Crds {
    /// Treats objects as a release of Kubernetes does.
    pub(crate) fn set_release(&mut self, release: Release) {
        if release != self.release {
            self.release = release;
            for entry in &mut self.entries {
                entry.resource = OnceLock::new();
            }
        }
    }

    /// Adds the CRDs of a text; `file` is its name in messages. Only the names of CRDs are read.
    pub fn add(&mut self, file: &str, text: &str) {
        let (file, text): (Arc<str>, Arc<str>) = (file.into(), text.into());
        for entry in bundle::scan(&text) {
            match entry.head {
                Head::Definition(head) => self.entries.push(Entry {
                    group: head.group,
                    kind: head.kind,
                    plural: head.plural,
                    origin: Origin::File {
                        file: file.clone(),
                        text: text.clone(),
                        range: entry.range,
                    },
                    definition: OnceLock::new(),
                    resource: OnceLock::new(),
                }),
                Head::Published => self.publish(&file, &text),
                Head::Unreadable { error } => self.unreadable.push(UnreadableDocument {
                    file: file.to_string(),
                    line: 1 + text[..entry.range.start].matches('\n').count(),
                    error,
                }),
                Head::Other { .. } => {}
            }
        }
    }

    /// Whether there are no CRDs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The documents that cannot be read; they may have been CRDs.
    #[must_use]
    pub fn unreadable(&self) -> &[UnreadableDocument] {
        &self.unreadable
    }

    /// Adds the kinds of an OpenAPI document.
    fn publish(&mut self, file: &Arc<str>, text: &Arc<str>) {
        let arena = Arena::new();
        let Some(published) = value(&arena, text).ok().and_then(Published::open) else {
            return;
        };
        let mut known = HashSet::new();
        for kind in published.kinds() {
            if known.insert((kind.group, kind.kind)) {
                self.entries.push(Entry {
                    group: kind.group.into(),
                    kind: kind.kind.into(),
                    plural: "".into(),
                    origin: Origin::Published {
                        file: file.clone(),
                        text: text.clone(),
                    },
                    definition: OnceLock::new(),
                    resource: OnceLock::new(),
                });
            }
        }
    }

    /// Adds a CRD that was already parsed. Other objects and malformed CRDs are ignored.
    pub fn learn(&mut self, object: Value<'_>) {
        if !is_definition(object) {
            return;
        }
        if let Ok(definition) = of_value(object) {
            self.push(definition);
        }
    }

    /// Adds a CRD as a model.
    pub fn add_definition(&mut self, mut definition: Definition) {
        definition.default_fields();
        self.push(definition);
    }

    fn push(&mut self, definition: Definition) {
        self.entries.push(Entry {
            group: definition.spec.group.clone(),
            kind: definition.spec.names.kind.clone(),
            plural: definition.spec.names.plural.clone(),
            origin: Origin::Given,
            definition: OnceLock::from(Ok(Arc::new(definition))),
            resource: OnceLock::new(),
        });
    }

    /// The documents with CRDs, as written, each with its file.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().filter_map(|entry| match &entry.origin {
            Origin::File { file, text, range } => Some((&**file, &text[range.clone()])),
            Origin::Published { .. } | Origin::Given => None,
        })
    }

    /// All CRDs that can be parsed.
    pub fn definitions(&self) -> impl Iterator<Item = Arc<Definition>> {
        self.entries.iter().filter_map(|entry| entry.definition().ok())
    }

    /// The CRD version for this `apiVersion` and `kind`.
    #[must_use]
    pub fn of_object(&self, api_version: &str, kind: &str) -> Option<Found> {
        let (definition, version, _) = self.find(api_version, kind)?;
        Some(Found { definition, version })
    }

    /// The resource for this `apiVersion` and `kind`, with the name of the version.
    #[must_use]
    pub fn resource(&self, api_version: &str, kind: &str) -> Option<(&Resource, &str)> {
        let (definition, version, entry) = self.find(api_version, kind)?;
        let gates = Gates {
            release: self.release,
            ..Gates::default()
        };
        let resource = entry
            .resource
            .get_or_init(|| Resource::with_gates(&definition, gates));
        Some((resource, &resource.versions[version].name))
    }

    fn find(&self, api_version: &str, kind: &str) -> Option<(Arc<Definition>, usize, &Entry)> {
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        self.entries
            .iter()
            .filter(|entry| *entry.group == *group && *entry.kind == *kind)
            .find_map(|entry| {
                let definition = entry.definition().ok()?;
                let mut versions = definition.spec.versions.iter();
                let version = versions.position(|one| *one.name == *version)?;
                Some((definition, version, entry))
            })
    }

    /// The CRD version that a user means by a kind, plural, singular or short name; the storage version if there are
    /// several.
    ///
    /// # Errors
    ///
    /// If several groups have such a name.
    pub fn by_name(&self, name: &str, api_version: Option<&str>) -> Result<Option<Found>, CrdError> {
        let group = api_version.map(|text| text.split_once('/').map_or(text, |(group, _)| group));
        // Most users give the kind or the plural, which are known without parsing all CRDs.
        let plainly =
            |entry: &&Entry| entry.kind.eq_ignore_ascii_case(name) || entry.plural.eq_ignore_ascii_case(name);
        let candidates: Vec<&Entry> = match self.entries.iter().filter(plainly).collect::<Vec<_>>() {
            none if none.is_empty() => self.entries.iter().collect(),
            some => some,
        };
        let found: Vec<Arc<Definition>> = candidates
            .into_iter()
            .filter_map(|entry| entry.definition().ok())
            .filter(|definition| group.is_none_or(|group| *definition.spec.group == *group))
            .filter(|definition| is_called(definition, name))
            .collect();
        if let [first, second, ..] = &found[..]
            && first.spec.group != second.spec.group
        {
            return Err(CrdError::SeveralGroups {
                name: name.to_owned(),
                groups: [first.spec.group.to_string(), second.spec.group.to_string()],
            });
        }
        let Some(definition) = found.into_iter().next() else {
            return Ok(None);
        };
        let asked = api_version.and_then(|text| Some(text.split_once('/')?.1));
        let versions = &definition.spec.versions;
        let version = match asked {
            Some(asked) => versions.iter().position(|version| *version.name == *asked),
            None => versions.iter().position(|version| version.storage).or(Some(0)),
        };
        let version = version.filter(|version| *version < versions.len());
        let version = version.ok_or_else(|| CrdError::NoVersion(name.to_owned()))?;
        Ok(Some(Found { definition, version }))
    }

    /// All kinds with their groups.
    pub(crate) fn served(&self) -> impl Iterator<Item = (String, String)> {
        let entries = self.entries.iter();
        entries.map(|entry| (entry.group.to_string(), entry.kind.to_string()))
    }

    /// All kinds, for messages.
    #[must_use]
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = self.entries.iter().map(|entry| entry.kind.to_string()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

fn is_called(definition: &Definition, name: &str) -> bool {
    let names = &definition.spec.names;
    let given = [&names.kind, &names.plural, &names.singular];
    given
        .into_iter()
        .chain(names.short_names.iter())
        .any(|given| given.eq_ignore_ascii_case(name))
}

impl Entry {
    fn definition(&self) -> Result<Arc<Definition>, CrdError> {
        let read = || self.read().map(Arc::new).map_err(CrdError::Unreadable);
        self.definition.get_or_init(read).clone()
    }

    fn read(&self) -> Result<Definition, String> {
        let arena = Arena::new();
        let (file, read) = match &self.origin {
            Origin::File { file, text, range } => {
                let value = value(&arena, &text[range.clone()]).and_then(|value| self.find(value));
                (file, value.and_then(of_value))
            }
            Origin::Published { file, text } => (file, self.published(value(&arena, text)?)),
            Origin::Given => return Err("the definition is gone".to_owned()),
        };
        read.map_err(|error| format!("{file}: {error}"))
    }

    /// The CRD in its part of the file, which may be a whole list.
    fn find<'a>(&self, value: Value<'a>) -> Result<Value<'a>, String> {
        if is_definition(value) {
            return Ok(value);
        }
        let names = |item: &Value<'a>, path: &[&str]| item.lookup(path).and_then(Value::as_str);
        let items = value.get("items").and_then(Value::as_array).unwrap_or_default();
        items
            .iter()
            .copied()
            .find(|item| {
                names(item, &["spec", "group"]) == Some(&self.group)
                    && names(item, &["spec", "names", "kind"]) == Some(&self.kind)
            })
            .ok_or_else(|| format!("the list has no definition of {}", self.kind))
    }

    fn published(&self, document: Value<'_>) -> Result<Definition, String> {
        let published = Published::open(document).ok_or("this is no OpenAPI document")?;
        let definition = published
            .definition(&self.group, &self.kind)
            .map_err(|error| error.to_string())?;
        definition.ok_or_else(|| format!("the document has no path for {}", self.kind))
    }
}

fn of_value(value: Value<'_>) -> Result<Definition, String> {
    let mut definition = crd::read(value, Source::Unknown)
        .map_err(|error| error.to_string())?
        .definition;
    definition.default_fields();
    Ok(definition)
}

fn value<'a>(arena: &'a Arena, text: &'a str) -> Result<Value<'a>, String> {
    if text.trim_start().starts_with('{') {
        return parse_str(arena, text).map_err(|error| error.to_string());
    }
    yaml::parse(arena, text.as_bytes()).map_err(|error| error.to_string())
}

impl Found {
    /// The whole CRD.
    #[must_use]
    pub fn definition(&self) -> &Arc<Definition> {
        &self.definition
    }

    /// API group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.definition.spec.group
    }

    /// Kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.definition.spec.names.kind
    }

    /// Version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.definition.spec.versions[self.version].name
    }

    /// Whether the version has the subresource `/status`.
    #[must_use]
    pub fn has_status(&self) -> bool {
        let subresources = &self.definition.spec.versions[self.version].subresources;
        subresources
            .as_ref()
            .is_some_and(|subresources| subresources.status.is_some())
    }

    /// The schema of the version.
    ///
    /// # Errors
    ///
    /// If the CRD has no schema.
    pub fn schema(&self) -> Result<Arc<JsonSchema>, CrdError> {
        let version = &self.definition.spec.versions[self.version];
        let schema = version.open_api_v3_schema().cloned();
        schema.ok_or_else(|| CrdError::NoSchema {
            kind: self.kind().to_owned(),
            version: self.version().to_owned(),
        })
    }
}
