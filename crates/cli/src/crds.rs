//! The `--crds` option: CRDs from files, directories and bundles, read when first asked for.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_openapi::crd::{self, Definition, Source};
use kindsmith_schema::JsonSchema;

use crate::error::Error;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Where CRDs are.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct CrdsArgs {
    /// Files with CRDs (YAML or JSON, any number of documents), or directories of such files
    #[arg(long = "crds", value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
}

impl CrdsArgs {
    /// Whether none were named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
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
fn find_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
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

/// The CRDs of a command.
#[derive(Debug, Default)]
pub struct Crds {
    entries: Vec<Entry>,
}

/// One CRD, read when first asked for.
#[derive(Debug)]
struct Entry {
    file: Arc<Path>,
    text: Arc<str>,
    definition: OnceLock<Result<Arc<Definition>, String>>,
}

/// One version of a CRD.
#[derive(Debug, Clone)]
pub struct Found {
    definition: Arc<Definition>,
    version: usize,
}

impl Crds {
    /// Takes in the CRDs of a file.
    fn add(&mut self, file: &Path) -> Result<(), Error> {
        let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
        let file: Arc<Path> = file.into();
        for document in documents(&text) {
            if document.contains("CustomResourceDefinition") {
                self.entries.push(Entry {
                    file: file.clone(),
                    text: document.into(),
                    definition: OnceLock::new(),
                });
            }
        }
        Ok(())
    }

    /// Takes in a CRD that came another way. Other objects are left alone, and so is a CRD that cannot be read.
    pub fn learn(&mut self, object: Value<'_>) {
        if !crate::customs::is_definition(object) {
            return;
        }
        if let Ok(definition) = of_value(object) {
            self.entries.push(Entry {
                file: Path::new("").into(),
                text: "".into(),
                definition: OnceLock::from(Ok(Arc::new(definition))),
            });
        }
    }

    /// All definitions that could be read.
    pub fn definitions(&self) -> impl Iterator<Item = Arc<Definition>> {
        self.entries.iter().filter_map(|entry| entry.definition().ok())
    }

    /// What cannot be read, with its file.
    #[must_use]
    pub fn mistakes(&self) -> Vec<String> {
        let wrong = self.entries.iter().filter_map(|entry| entry.definition().err());
        wrong.map(|error| error.to_string()).collect()
    }

    /// The version that objects of this `apiVersion` and `kind` have.
    #[must_use]
    pub fn of_object(&self, api_version: &str, kind: &str) -> Option<Found> {
        let (group, version) = api_version.split_once('/')?;
        self.definitions()
            .filter(|definition| *definition.spec.group == *group && *definition.spec.names.kind == *kind)
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
        let found: Vec<Arc<Definition>> = self
            .definitions()
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
        let mut kinds: Vec<String> = self
            .definitions()
            .map(|definition| definition.spec.names.kind.to_string())
            .collect();
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

/// The documents of a text. JSON is one.
fn documents(text: &str) -> Vec<&str> {
    if text.trim_start().starts_with('{') {
        return vec![text];
    }
    yaml::documents(text).map(|document| document.text).collect()
}

impl Entry {
    fn definition(&self) -> Result<Arc<Definition>, Error> {
        let read = self.definition.get_or_init(|| read(&self.text).map(Arc::new));
        read.clone()
            .map_err(|error| Error::input(format!("{}: {error}", self.file.display())))
    }
}

fn read(text: &str) -> Result<Definition, String> {
    let arena = Arena::new();
    of_value(value(&arena, text)?)
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
