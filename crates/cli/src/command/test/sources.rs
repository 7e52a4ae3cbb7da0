//! Finds what suites run against: options, files that they name, and the layout of openshift/api.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kindsmith_ruletest::Subject;
use kindsmith_ruletest::report::Report;
use kindsmith_ruletest::suite::{Sources, Suite};
use kindsmith_ruletest::variant::Features;

use kindsmith_object::Release;
use kindsmith_openapi::bundle::{self, Head};

use super::jobs::{Job, parallel};
use crate::error::Error;
use crate::schemas::{CrdsArgs, TypesArgs, find_files};
use crate::terminal::Terminal;

/// Where openshift/api has generated CRDs, from the directory of a suite.
const GENERATED: &str = "../../zz_generated.crd-manifests";
/// Where it lists which feature gates are on, in a directory above.
const GATES: &str = "payload-manifests/featuregates";

/// Subjects by what they are made of, so that each is compiled once.
pub(super) struct Schemas<'c> {
    types: &'c TypesArgs,
    crds: &'c CrdsArgs,
    release: Release,
    terminal: &'c Terminal,
    known: Mutex<HashMap<String, Arc<OnceLock<Made>>>>,
    files: Mutex<HashMap<PathBuf, Option<Arc<CrdFile>>>>,
    gates: Mutex<HashMap<PathBuf, Arc<Vec<Features>>>>,
}

type Made = Result<Arc<Subject>, String>;

/// A file with one CRD.
struct CrdFile {
    path: PathBuf,
    text: String,
    name: String,
    features: OnceLock<Features>,
}

impl CrdFile {
    fn features(&self) -> &Features {
        self.features
            .get_or_init(|| Features::read(&self.text).unwrap_or_default())
    }
}

impl<'c> Schemas<'c> {
    pub(super) fn new(
        types: &'c TypesArgs,
        crds: &'c CrdsArgs,
        release: Release,
        terminal: &'c Terminal,
    ) -> Self {
        Self {
            types,
            crds,
            release,
            terminal,
            known: Mutex::default(),
            files: Mutex::default(),
            gates: Mutex::default(),
        }
    }

    /// The subjects of all suites; suites without one are noted as broken. CRDs are compiled on several threads.
    pub(super) fn jobs<'s>(
        &self,
        suites: &'s [Suite],
        threads: Option<usize>,
        report: &mut Report,
    ) -> Result<Vec<Job<'s>>, Error> {
        let found = parallel(suites, threads, |suite| self.subjects(suite));
        let mut jobs = Vec::new();
        for (suite, found) in suites.iter().zip(found) {
            match found? {
                Ok(subjects) => jobs.extend(subjects.into_iter().map(|subject| Job { suite, subject })),
                Err(reason) => report.broken.push((suite.file.clone(), reason)),
            }
        }
        Ok(jobs)
    }

    fn subjects(&self, suite: &Suite) -> Result<Result<Vec<Arc<Subject>>, String>, Error> {
        let sources = &suite.sources;
        let directory = Path::new(&suite.file)
            .parent()
            .unwrap_or(Path::new(""))
            .to_owned();
        let Some(crd_name) = &sources.crd_name else {
            return Ok(self.plain(sources, &directory)?.map(|subject| vec![subject]));
        };
        let mut paths: Vec<PathBuf> = sources.crds.iter().map(|path| directory.join(path)).collect();
        if paths.is_empty() {
            paths.extend(self.crds.paths().iter().cloned());
        }
        if paths.is_empty() {
            paths.push(directory.join(GENERATED));
        }
        paths.retain(|path| path.exists());
        let mut files = Vec::new();
        for path in &paths {
            for file in find_files(path)? {
                files.extend(self.file(&file).filter(|file| file.name == *crd_name));
            }
        }
        Ok(self.variants(sources, &directory, &files))
    }

    /// The CRD files that the suite is for, each as a subject.
    fn variants(
        &self,
        sources: &Sources,
        directory: &Path,
        files: &[Arc<CrdFile>],
    ) -> Result<Vec<Arc<Subject>>, String> {
        let lists = if sources.feature_gates.is_empty() {
            Arc::default()
        } else {
            self.gates(directory)
        };
        let mut subjects = Vec::new();
        for file in files {
            let has_gates = file.features().has_gates(&sources.feature_gates, &lists);
            if has_gates.map_err(|unknown| unknown.to_string())? {
                subjects.push(self.of_file(file, sources.version.as_deref())?);
            }
        }
        if !subjects.is_empty() {
            return Ok(subjects);
        }
        Err(if files.is_empty() {
            format!(
                "no CRD `{}` found; name its file with `--crds`",
                sources.crd_name.as_deref().unwrap_or_default()
            )
        } else {
            format!(
                "no variant of the CRD has the feature gates {}",
                sources.feature_gates.join(", ")
            )
        })
    }

    fn of_file(&self, file: &CrdFile, version: Option<&str>) -> Made {
        let name = file
            .path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let key = format!("{}@{}", file.path.display(), version.unwrap_or_default());
        self.once(key, || {
            let subject = Subject::of_crd(name, &file.text, version, self.release);
            let subject = subject.map_err(|error| error.to_string())?;
            for note in &subject.notes {
                self.terminal.say(&format!(
                    "note: {name}: the API server refuses to create this CRD: {note}"
                ));
            }
            Ok(Arc::new(subject))
        })
    }

    /// All CRDs and types that the suite names, or else those of the options.
    fn plain(&self, sources: &Sources, directory: &Path) -> Result<Made, Error> {
        let join =
            |paths: &[String]| -> Vec<PathBuf> { paths.iter().map(|path| directory.join(path)).collect() };
        let (crds, types) = (join(&sources.crds), join(&sources.types));
        let named = !crds.is_empty() || !types.is_empty();
        if !named && self.crds.is_empty() && self.types.is_empty() {
            let reason =
                "nothing to test; name `crd`, `crds` or `types` in the suite, or use --crds or --types";
            return Ok(Err(reason.to_owned()));
        }
        if let ([file], []) = (&crds[..], &types[..])
            && let Some(file) = self.file(file)
        {
            return Ok(self.of_file(&file, sources.version.as_deref()));
        }
        let crds = if named {
            CrdsArgs::of(crds)
        } else {
            self.crds.clone()
        };
        let types = if named {
            self.types
                .with(types.iter().map(|path| path.display().to_string()))
        } else {
            self.types.with(
                self.types
                    .directories()
                    .iter()
                    .map(|path| path.display().to_string()),
            )
        };
        let key = format!("{crds:?} {types:?}");
        let read = || -> Result<Arc<Subject>, Error> {
            let read = Arc::new(types.read(self.terminal)?);
            let kinds = types.kinds(&read, crds.read(self.terminal)?, self.terminal)?;
            let kinds = kinds.with_release(self.release);
            let subject = Subject::checked("", kinds).map_err(|error| Error::input(error.to_string()))?;
            Ok(Arc::new(subject))
        };
        Ok(self.once(key, || read().map_err(|error| error.to_string())))
    }

    fn once(&self, key: String, make: impl FnOnce() -> Made) -> Made {
        let cell = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(key).or_default())
        };
        cell.get_or_init(make).clone()
    }

    /// A file with one CRD; `None` for anything else.
    fn file(&self, path: &Path) -> Option<Arc<CrdFile>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let text = std::fs::read_to_string(path).ok()?;
            let mut heads = bundle::scan(&text).into_iter().map(|entry| entry.head);
            let (Some(Head::Definition(head)), None) = (heads.next(), heads.next()) else {
                return None;
            };
            let name = format!("{}.{}", head.plural, head.group);
            Some(Arc::new(CrdFile {
                path: path.to_owned(),
                text,
                name,
                features: OnceLock::new(),
            }))
        };
        files.entry(path.to_owned()).or_insert_with(read).clone()
    }

    /// The lists of feature gates of the repository around a directory.
    fn gates(&self, directory: &Path) -> Arc<Vec<Features>> {
        let here = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let found = here
            .ancestors()
            .map(|above| above.join(GATES))
            .find(|path| path.is_dir());
        let Some(found) = found else {
            return Arc::default();
        };
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let files = find_files(&found).unwrap_or_default();
            let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
            Arc::new(texts.filter_map(|text| Features::read(&text)).collect())
        };
        gates.entry(found.clone()).or_insert_with(read).clone()
    }
}
