//! The `--crds` option: CRDs from files, directories and bundles, read when first asked for.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_openapi::bundle::{self, Head};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_openapi::published::Published;
use kindsmith_schema::{JsonSchema, Str};

use crate::error::Error;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Where CRDs are.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct CrdsArgs {
    /// Files with CRDs (YAML or JSON, any number of documents) or OpenAPI documents, or directories of such files
    #[arg(long = "crds", value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
}

impl CrdsArgs {
    /// Whether none were named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// What was named.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Finds the CRDs.
    ///
    /// # Errors
    ///
    /// If a path cannot be read, or there is no CRD at all.
    pub fn read(&self, terminal: &Terminal) -> Result<Crds, Error> {
        let mut files = Vec::new();
        for path in &self.paths {
            find_files(path, &mut files)?;
        }
        let progress = Progress::start(terminal, "reading", files.len());
        let mut crds = Crds::default();
        for file in files {
            crds.add(&file)?;
            progress.step();
        }
        if !self.paths.is_empty() && crds.entries.is_empty() {
            let paths: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
            return Err(Error::input(format!(
                "there is no CustomResourceDefinition in {}",
                paths.join(", ")
            ))
            .hint("name YAML or JSON files with CRDs, or directories of such files"));
        }
        Ok(crds)
    }
}

/// All files below a path that may hold CRDs, in the order of their names.
pub(crate) fn find_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let about = std::fs::metadata(path).map_err(|error| Error::reading(path, &error))?;
    if !about.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let listed = std::fs::read_dir(path).map_err(|error| Error::reading(path, &error))?;
    let mut below: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    below.sort();
    for path in below {
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let wanted = path
            .extension()
            .is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "json");
        if path.is_dir() && !hidden {
            find_files(&path, files)?;
        } else if wanted {
            files.push(path);
        }
    }
    Ok(())
}

/// The CRDs of a command, and what OpenAPI documents say about kinds.
#[derive(Debug, Default)]
pub struct Crds {
    entries: Vec<Entry>,
}

/// One CRD, read when first asked for.
#[derive(Debug)]
struct Entry {
    group: Str,
    kind: Str,
    plural: Str,
    origin: Origin,
    definition: OnceLock<Result<Arc<Definition>, String>>,
}

/// Where a definition comes from.
#[derive(Debug)]
enum Origin {
    /// A part of a file.
    File {
        file: Arc<Path>,
        text: Arc<str>,
        range: Range<usize>,
    },
    /// A kind of an OpenAPI document.
    Published { file: Arc<Path>, text: Arc<str> },
    /// It was read already.
    Given,
}

/// One version of a CRD.
#[derive(Debug, Clone)]
pub struct Found {
    definition: Arc<Definition>,
    version: usize,
}

impl Crds {
    /// Takes in the CRDs of a file. Only their names are read.
    fn add(&mut self, file: &Path) -> Result<(), Error> {
        let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
        let (file, text): (Arc<Path>, Arc<str>) = (file.into(), text.into());
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
                }),
                Head::Published => self.publish(&file, &text),
                Head::Other { .. } | Head::Unreadable { .. } => {}
            }
        }
        Ok(())
    }

    /// Takes in the kinds of an OpenAPI document.
    fn publish(&mut self, file: &Arc<Path>, text: &Arc<str>) {
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
                });
            }
        }
    }

    /// Takes in a CRD that came another way. Other objects are left alone, and so is a CRD that cannot be read.
    pub fn learn(&mut self, object: Value<'_>) {
        if !crate::customs::is_definition(object) {
            return;
        }
        if let Ok(definition) = of_value(object) {
            self.entries.push(Entry {
                group: definition.spec.group.clone(),
                kind: definition.spec.names.kind.clone(),
                plural: definition.spec.names.plural.clone(),
                origin: Origin::Given,
                definition: OnceLock::from(Ok(Arc::new(definition))),
            });
        }
    }

    /// The documents that define resources, as they are written, each with its file.
    pub fn documents(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.entries.iter().filter_map(|entry| match &entry.origin {
            Origin::File { file, text, range } => Some((&**file, &text[range.clone()])),
            Origin::Published { .. } | Origin::Given => None,
        })
    }

    /// All definitions that can be read.
    pub fn definitions(&self) -> impl Iterator<Item = Arc<Definition>> {
        self.entries.iter().filter_map(|entry| entry.definition().ok())
    }

    /// The version that objects of this `apiVersion` and `kind` have.
    #[must_use]
    pub fn of_object(&self, api_version: &str, kind: &str) -> Option<Found> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        self.entries
            .iter()
            .filter(|entry| *entry.group == *group && *entry.kind == *kind)
            .filter_map(|entry| entry.definition().ok())
            .find_map(|definition| {
                let version = definition
                    .spec
                    .versions
                    .iter()
                    .position(|one| *one.name == *version)?;
                Some(Found { definition, version })
            })
    }

    /// The version that people mean by a name: a kind, plural, singular or short name. Of several versions it is the one
    /// stored.
    ///
    /// # Errors
    ///
    /// If several groups have such a name.
    pub fn by_name(&self, name: &str, api_version: Option<&str>) -> Result<Option<Found>, Error> {
        let group = api_version.map(|text| text.split_once('/').map_or(text, |(group, _)| group));
        // Most people say the kind or the plural, which are known without reading all definitions.
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
            let (first, second) = (&first.spec.group, &second.spec.group);
            return Err(
                Error::input(format!("`{name}` is in the groups {first} and {second}"))
                    .hint("name one with `--api-version GROUP/VERSION`"),
            );
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
        let version = version.ok_or_else(|| Error::input(format!("`{name}` has no such version")))?;
        Ok(Some(Found { definition, version }))
    }

    /// The kinds there are, for messages.
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
    fn definition(&self) -> Result<Arc<Definition>, Error> {
        let read = self.definition.get_or_init(|| self.read().map(Arc::new));
        read.clone().map_err(Error::input)
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
        read.map_err(|error| format!("{}: {error}", file.display()))
    }

    /// The definition in what its part of the file holds, which may be a whole list.
    fn find<'a>(&self, value: Value<'a>) -> Result<Value<'a>, String> {
        if crate::customs::is_definition(value) {
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
    /// The whole definition.
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

    /// The schema of the version.
    ///
    /// # Errors
    ///
    /// If the CRD has none.
    pub fn schema(&self) -> Result<Arc<JsonSchema>, Error> {
        let version = &self.definition.spec.versions[self.version];
        let schema = version.open_api_v3_schema().cloned();
        schema.ok_or_else(|| {
            Error::input(format!(
                "version {} of {} has no schema",
                self.version(),
                self.kind()
            ))
        })
    }
}
