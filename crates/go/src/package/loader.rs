//! Loads packages on demand. A package that cannot be found or read gives a diagnostic and a hole, never a
//! failure.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kindsmith_source::{Diagnostic, FileId, SourceMap, Span};
use memchr::memmem;
use rustc_hash::FxHashMap;

use super::builtin;
use super::constraint::{Build, file_name_fits, source_fits};
use super::files::Files;
use super::index::{DOC_FILE, Package, PackageId};
use super::modules::Modules;
use super::pattern::{below, clean, directories, join};
use crate::finding;
use crate::syntax::{Detail, File, parse, parse_with};

/// How directories of packages begin that are compiled in.
const BUILT_IN: &str = "<built in>/";

/// The import path of a package that is compiled in, from the name of its file.
pub(crate) fn built_in_path(file: &str) -> Option<&str> {
    let (path, _) = file.strip_prefix(BUILT_IN)?.rsplit_once('/')?;
    Some(path)
}

/// How to find and select source files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The build target.
    pub build: Build,
    /// The module cache (`$GOMODCACHE`), if there is one.
    pub module_cache: Option<String>,
    /// Directories of modules, which take precedence: module path and directory.
    pub modules: Vec<(String, String)>,
    /// Where the standard library's packages are (`$GOROOT/src`), if Go is installed.
    pub standard: Option<String>,
}

/// The target of an import.
#[derive(Debug, Clone)]
pub enum Imported {
    /// A package read from source.
    Package(Arc<Package>),
    /// A package of the standard library, which is read only for otherwise unknown types:
    /// [`Loader::standard`].
    Standard,
    /// Not found; reported as a diagnostic.
    Missing,
}

/// The packages of one run.
pub struct Loader<'a> {
    files: &'a dyn Files,
    build: Build,
    modules: Modules,
    /// Where the standard library is.
    standard: Option<String>,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// By real path, so that a package is read only once.
    by_directory: HashMap<String, Option<Arc<Package>>>,
    /// By the importing package, then by path.
    by_import: FxHashMap<PackageId, FxHashMap<String, Imported>>,
    missing: HashSet<String>,
    /// Directories named by the caller, whether or not they contain a package.
    asked: HashSet<String>,
    count: u32,
    /// Reused for the bytes of every file.
    buffer: Vec<u8>,
}

impl<'a> Loader<'a> {
    /// A loader that has read nothing yet.
    #[must_use]
    pub fn new(files: &'a dyn Files, options: Options) -> Self {
        let modules = options
            .modules
            .into_iter()
            .map(|(path, directory)| (path, clean(&directory)));
        Self {
            files,
            build: options.build,
            modules: Modules::new(modules.collect(), options.module_cache),
            standard: options.standard.as_deref().map(clean),
            sources: SourceMap::default(),
            diagnostics: Vec::new(),
            by_directory: HashMap::new(),
            by_import: FxHashMap::default(),
            missing: HashSet::new(),
            asked: HashSet::new(),
            count: 0,
            buffer: Vec::new(),
        }
    }

    /// The files read so far.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The diagnostics so far.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether the caller named the directory, rather than an import.
    #[must_use]
    pub fn is_asked(&self, directory: &str) -> bool {
        self.asked.contains(directory)
    }

    /// Ends loading: returns all files and all findings.
    #[must_use]
    pub fn finish(self) -> (SourceMap, Vec<Diagnostic>) {
        (self.sources, self.diagnostics)
    }

    /// Loads the packages of a pattern: a directory, or with `/...` all directories below it, sorted by
    /// directory.
    pub fn load(&mut self, pattern: &str) -> Vec<Arc<Package>> {
        let found = directories(self.files, pattern);
        found
            .iter()
            .filter_map(|directory| self.load_directory(directory))
            .collect()
    }

    /// Loads the package in a directory, if it contains one.
    pub fn load_directory(&mut self, directory: &str) -> Option<Arc<Package>> {
        let directory = clean(directory);
        self.asked.insert(directory.clone());
        let path = self.modules.import_path(self.files, &directory);
        self.package(&directory, &path, Detail::Whole)
    }

    /// The directory of an import path, as seen from the working directory; it may have no Go files itself.
    pub fn directory_of(&mut self, path: &str) -> Option<String> {
        self.modules.enter(self.files, ".");
        let candidates = self.modules.candidates(self.files, path, ".");
        candidates
            .into_iter()
            .find(|directory| self.files.list(directory).is_ok())
    }

    /// Resolves `path` in `importer`. A missing package is reported once, at `place`.
    pub fn import(&mut self, importer: &Package, path: &str, place: Span) -> Imported {
        let known = self
            .by_import
            .get(&importer.id)
            .and_then(|imports| imports.get(path));
        if let Some(known) = known {
            return known.clone();
        }
        let candidates = self.modules.candidates(self.files, path, &importer.directory);
        let found = candidates
            .iter()
            .find_map(|directory| self.package(directory, path, Detail::Outline));
        let imported = match found {
            Some(package) => Imported::Package(package),
            None if candidates.is_empty() && is_standard(path) => Imported::Standard,
            None => match self.built_in(path) {
                Some(package) => Imported::Package(package),
                None if self.is_of_standard(importer) => Imported::Missing,
                None => self.report_missing(path, place, &candidates),
            },
        };
        let imports = self.by_import.entry(importer.id).or_default();
        imports.insert(path.to_owned(), imported.clone());
        imported
    }

    /// Resolves `path` in `importer` if it belongs to a module of the workspace.
    pub(super) fn of_workspace(&mut self, importer: &Package, path: &str) -> Option<Arc<Package>> {
        if !self.modules.is_own(path) {
            return None;
        }
        let candidates = self.modules.candidates(self.files, path, &importer.directory);
        let mut candidates = candidates.iter();
        candidates.find_map(|directory| self.package(directory, path, Detail::Outline))
    }

    /// Resolves a qualifier such as `metav1` in a file of `importer`.
    pub fn import_named(&mut self, importer: &Package, file: &File, qualifier: &str) -> Option<Imported> {
        if let Some(import) = file.import_named(qualifier) {
            return Some(self.import(importer, file.import_path(import), import.path));
        }
        // The name of a package may differ from its path; then only its source tells.
        let unnamed = file.imports.iter().filter(|import| import.name.is_none());
        unnamed.into_iter().find_map(|import| {
            let imported = self.import(importer, file.import_path(import), import.path);
            matches!(&imported, Imported::Package(package) if package.name == qualifier).then_some(imported)
        })
    }

    /// A package of the standard library from the installed Go, otherwise our built-in excerpt.
    pub fn standard(&mut self, path: &str) -> Option<Arc<Package>> {
        let installed = self.standard.as_deref().map(|root| join(root, path));
        let read = installed.and_then(|directory| self.package(&directory, path, Detail::Outline));
        read.or_else(|| self.built_in(path))
    }

    /// The file of the installed standard library that declares a type. No other is parsed: for one type of a large package
    /// that would take longer than reading many an API.
    pub(crate) fn standard_file(&mut self, path: &str, name: &str) -> Option<File> {
        let directory = join(self.standard.as_deref()?, path);
        // gofmt formats the standard library.
        let declaration = format!("\ntype {name} ");
        let files = self.go_files(&directory)?;
        let mut content = std::mem::take(&mut self.buffer);
        let found = files.iter().find_map(|file| {
            let place = join(&directory, file);
            self.files.read_wanted(&place, &mut content, &mut |_| true).ok()?;
            memmem::find(&content, declaration.as_bytes())?;
            self.parse_file(&place, &content, Detail::Outline)
        });
        self.buffer = content;
        found
    }

    /// Whether a package is part of the standard library, whose own imports do not matter.
    fn is_of_standard(&self, package: &Package) -> bool {
        let root = self.standard.as_deref();
        root.is_some_and(|root| below(&package.directory, root).is_some())
    }

    /// Our built-in excerpt of Kubernetes' basic types, for reading an API without its dependencies.
    fn built_in(&mut self, path: &str) -> Option<Arc<Package>> {
        let source: Arc<str> = builtin::source(path)?.into();
        let directory = format!("{BUILT_IN}{path}");
        if let Some(known) = self.by_directory.get(&directory) {
            return known.clone();
        }
        let name = "types.go".to_owned();
        let file = parse(
            self.sources.add(join(&directory, &name), Arc::clone(&source)),
            &source,
        );
        let id = PackageId(self.count);
        self.count += 1;
        let package = Arc::new(Package::new(id, path, &directory, vec![(name, file)]));
        self.by_directory.insert(directory, Some(Arc::clone(&package)));
        Some(package)
    }

    fn report_missing(&mut self, path: &str, place: Span, tried: &[String]) -> Imported {
        if self.missing.insert(path.to_owned()) {
            let mut diagnostic = Diagnostic::note(
                &finding::GO_IMPORT,
                place,
                format!("package `{path}` was not found"),
            );
            if !tried.is_empty() {
                diagnostic = diagnostic.help(format!("looked in {}", tried.join(", ")));
            }
            let help =
                format!("run `go mod download`, or name the directory of its module: `--module {path}=DIR`");
            self.diagnostics.push(diagnostic.help(help));
        }
        Imported::Missing
    }

    fn package(&mut self, directory: &str, path: &str, detail: Detail) -> Option<Arc<Package>> {
        let real = self.files.real(directory).unwrap_or_else(|| directory.to_owned());
        if let Some(known) = self.by_directory.get(&real) {
            return known.clone();
        }
        let package = self.read_package(directory, path, detail).map(Arc::new);
        self.by_directory.insert(real, package.clone());
        package
    }

    fn read_package(&mut self, directory: &str, path: &str, detail: Detail) -> Option<Package> {
        let mut files = Vec::new();
        for name in self.go_files(directory)? {
            // All comments of this file are read as the package's.
            let detail = if name == DOC_FILE { Detail::Whole } else { detail };
            if let Some(file) = self.read_file(&join(directory, &name), detail) {
                files.push((name, file));
            }
        }
        self.keep_one_package(&mut files);
        if files.is_empty() {
            return None;
        }
        let id = PackageId(self.count);
        self.count += 1;
        Some(Package::new(id, path, directory, files))
    }

    /// The names of the files in a directory that may be part of the build, sorted.
    fn go_files(&self, directory: &str) -> Option<Vec<String>> {
        let entries = self.files.list(directory).ok()?.into_iter();
        let fitting = entries.filter(|entry| !entry.directory && file_name_fits(&entry.name, &self.build));
        let mut names: Vec<String> = fitting.map(|entry| entry.name).collect();
        names.sort();
        Some(names)
    }

    /// Reads a file if it is part of the build.
    fn read_file(&mut self, path: &str, detail: Detail) -> Option<File> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let build = &self.build;
        let mut wanted = |start: &[u8]| !is_plumbing(path, start) && start_fits(start, build);
        let file = match self.files.read_wanted(path, &mut buffer, &mut wanted) {
            Ok(false) => None,
            Ok(true) if u32::try_from(buffer.len()).is_ok() => self.parse_file(path, &buffer, detail),
            Ok(true) => self.unreadable(path, "it is larger than 4 GiB"),
            Err(error) => self.unreadable(path, &error.to_string()),
        };
        self.buffer = buffer;
        file
    }

    fn parse_file(&mut self, path: &str, bytes: &[u8], detail: Detail) -> Option<File> {
        // One finding is better than one for each byte that is not Go.
        if memchr::memchr(0, bytes).is_some() {
            return self.unreadable(path, "it is not text");
        }
        let (text, broken) = match std::str::from_utf8(bytes) {
            Ok(text) => (Cow::Borrowed(text), None),
            Err(error) => (String::from_utf8_lossy(bytes), Some(error.valid_up_to() as u32)),
        };
        if !source_fits(&text, &self.build) {
            return None;
        }
        let text: Arc<str> = text.into();
        let id = self.sources.add(path, Arc::clone(&text));
        let mut file = parse_with(id, &text, detail);
        if let Some(at) = broken {
            let place = Span::new(id, at, at);
            let finding = Diagnostic::error(&finding::GO_PACKAGE, place, "the file is not valid UTF-8");
            self.diagnostics
                .push(finding.help("save it as UTF-8; Go refuses other encodings"));
        }
        self.diagnostics.append(&mut file.diagnostics);
        Some(file)
    }

    fn unreadable(&mut self, path: &str, why: &str) -> Option<File> {
        let id: FileId = self.sources.add(path, "");
        let finding = Diagnostic::error(
            &finding::GO_PACKAGE,
            Span::new(id, 0, 0),
            format!("the file cannot be read: {why}"),
        );
        self.diagnostics.push(finding);
        None
    }

    /// Go allows one package per directory; files of another package than the first file's are reported and
    /// skipped.
    fn keep_one_package(&mut self, files: &mut Vec<(String, File)>) {
        let first = files
            .iter()
            .find_map(|(_, file)| Some((file.package_name().to_owned(), file.package?)));
        let Some((name, place)) = first else {
            return;
        };
        files.retain(|(_, file)| {
            let Some(other) = file.package.filter(|span| file.text(*span) != name) else {
                return true;
            };
            let message = format!(
                "package `{}` is in the directory of package `{name}`",
                file.text(other)
            );
            let finding = Diagnostic::error(&finding::GO_PACKAGE, other, message)
                .related(place, format!("`{name}` is declared here"));
            self.diagnostics
                .push(finding.help("move the file to a directory of its own"));
            false
        });
    }
}

/// Whether a path outside all known modules is in the standard library: a host name has a dot.
fn is_standard(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    !first.contains('.')
}

/// Whether a file with these first bytes may be part of the build; build constraints come before the package
/// clause.
fn start_fits(start: &[u8], build: &Build) -> bool {
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    source_fits(valid, build)
}

/// Whether a file contains only generated methods that do not describe the types. Such files are the bulk of
/// Kubernetes' own packages.
fn is_plumbing(path: &str, start: &[u8]) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let made_by = |generator: &str| memmem::find(start, generator.as_bytes()).is_some();
    match name {
        "generated.pb.go" => made_by("// Code generated by protoc-gen-gogo."),
        "zz_generated.deepcopy.go" => {
            made_by("// Code generated by deepcopy-gen. DO NOT EDIT.")
                || made_by("// Code generated by controller-gen. DO NOT EDIT.")
        }
        "types_swagger_doc_generated.go" => made_by("// This file contains a collection of methods"),
        _ => false,
    }
}
