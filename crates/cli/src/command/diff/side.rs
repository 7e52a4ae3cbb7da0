//! One side of a comparison: the texts of its CRDs, wherever they come from.

use std::path::Path;
use std::rc::Rc;

use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::Read;
use kindsmith_go::package::Files;
use kindsmith_openapi::bundle::{self, Head};
use kindsmith_openapi::crd;

use super::{missing, module_version, revision::Revision};
use crate::error::Error;
use crate::files::{self, Disk};
use crate::input::{Input, Profile};
use crate::schemas::find_files;
use crate::terminal::Terminal;

/// A text with CRDs, and its name for messages.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) origin: Origin,
}

/// Where a CRD comes from.
#[derive(Debug)]
pub(super) enum Origin {
    /// A file, by its path; in a git revision from the top of the repository.
    File(String),
    /// Go types, with the CRD that they become.
    Go {
        read: Rc<Read>,
        definition: Box<crd::Definition>,
    },
}

/// Reads sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) modules: &'a [(String, String)],
    pub(super) terminal: &'a Terminal,
}

impl Sides<'_> {
    /// The CRDs of a side, as the user wrote it.
    pub(super) fn read(&self, text: &str) -> Result<Vec<Document>, Error> {
        let plain = text.strip_suffix("/...").unwrap_or(text);
        if Path::new(plain).exists() {
            return self.on_disk(text, text);
        }
        if let Some((revision, path)) = text.split_once(':')
            && !revision.is_empty()
        {
            return self.at_revision(text, revision, path);
        }
        if let Some(directory) = module_version::directory(text)? {
            return self.on_disk(&directory, text);
        }
        Err(Error::input(format!("there is no file or directory {text}"))
            .hint("a side is a path, a git revision as REV:PATH, or a module as MODULE@VERSION"))
    }

    fn on_disk(&self, path: &str, side: &str) -> Result<Vec<Document>, Error> {
        let is_go = path.ends_with("/...") || has_go_files(&Disk, path);
        if !is_go {
            let found = crds_on_disk(Path::new(path))?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        self.of_go(&Disk, path, side)
    }

    fn at_revision(&self, side: &str, revision: &str, path: &str) -> Result<Vec<Document>, Error> {
        let files = Revision::open(revision)?;
        let path = files.rooted(path);
        let plain = path.strip_suffix("...").unwrap_or(&path).trim_end_matches('/');
        if !files.exists(plain) {
            return Err(Error::input(format!("{revision} has no {plain}"))
                .hint("paths start at the top of the repository; `./` starts at the working directory"));
        }
        if !path.ends_with("...") && !has_go_files(&files, plain) {
            let mut found = Vec::new();
            for name in files.manifests(plain) {
                let bytes = files
                    .read(&name)
                    .map_err(|error| Error::environment(error.to_string()))?;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                found.extend(with_crds(format!("{revision}:{name}"), &name, text));
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        self.of_go(&files, &path, side)
    }

    /// The CRDs that Go types become.
    fn of_go(&self, files: &dyn Files, path: &str, side: &str) -> Result<Vec<Document>, Error> {
        let pattern = if path.ends_with("...") || has_go_files(files, path) {
            path.to_owned()
        } else if path.is_empty() {
            "./...".to_owned()
        } else {
            format!("{}/...", path.trim_end_matches('/'))
        };
        let input = Input::new(vec![pattern], self.modules.to_vec(), Profile::Upstream).for_definitions();
        let read = input.read_in(files);
        missing::refuse(&read, files, path, side)?;
        let options = Options {
            tags: Tags::Used,
            max_description: Some(0),
            ..Options::default()
        };
        let generated = controller_gen::definitions(&read.schema, &options);
        if !generated.problems.is_empty() {
            self.terminal.say(&format!(
                "note: {side}: {} declarations cannot be published, the first: {}; `kindsmith gen crd` lists them",
                generated.problems.len(),
                generated.problems[0].message
            ));
        }
        if generated.definitions.is_empty() {
            return Err(Error::input(format!("no CRDs and no kinds in {side}")).hint(
                "name YAML files with CRDs, or Go packages with `+groupName` whose kinds have metav1.TypeMeta and metav1.ObjectMeta",
            ));
        }
        let read = Rc::new(read);
        let documents = generated.definitions.into_iter().map(|definition| Document {
            name: format!("{side} ({})", definition.file_name),
            text: definition.text,
            origin: Origin::Go {
                read: Rc::clone(&read),
                definition: Box::new(definition.model),
            },
        });
        Ok(documents.collect())
    }
}

fn has_go_files(files: &dyn Files, directory: &str) -> bool {
    let entries = files.list(directory).unwrap_or_default();
    entries
        .iter()
        .any(|entry| !entry.directory && entry.name.ends_with(".go") && !entry.name.ends_with("_test.go"))
}

fn crds_on_disk(path: &Path) -> Result<Vec<Document>, Error> {
    let mut found = Vec::new();
    for file in find_files(path)? {
        let bytes = files::read(&file).map_err(|error| Error::reading(&file, &error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let is_named = file == path;
        let name = file.display().to_string();
        if is_named && let Some(error) = unreadable(&text) {
            return Err(Error::input(format!("cannot read {name}: {error}")));
        }
        found.extend(with_crds(name.clone(), &name, text));
    }
    Ok(found)
}

/// The first syntax error of a file.
fn unreadable(text: &str) -> Option<String> {
    bundle::scan(text).into_iter().find_map(|entry| match entry.head {
        Head::Unreadable { error } => Some(error),
        _ => None,
    })
}

/// The document of a file, if it has CRDs.
fn with_crds(name: String, file: &str, text: String) -> Option<Document> {
    let has_crds = bundle::scan(&text).iter().any(|entry| match &entry.head {
        // Patches of kustomize name neither group nor kind.
        Head::Definition(head) => !head.group.is_empty() && !head.kind.is_empty(),
        _ => false,
    });
    has_crds.then(|| Document {
        name,
        text,
        origin: Origin::File(file.to_owned()),
    })
}
