//! Resolves import paths: through given directories, the workspace's modules, `vendor/`, the module cache.
//! Knows no packages, only directories.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::Files;
use super::gomod::{GoMod, GoWork, Replacement};
use super::pattern::{below, join, parent};

/// The maximum number of parent directories searched for a `go.mod`.
const MAX_UP: usize = 40;

/// A module on disk.
#[derive(Debug, Clone)]
pub(super) struct Module {
    /// The directory of its `go.mod`.
    pub directory: String,
    /// Its `go.mod`.
    pub gomod: Arc<GoMod>,
}

/// The modules of one run.
#[derive(Debug, Default)]
pub(super) struct Modules {
    /// Modules given by the caller: path and directory.
    overrides: Vec<(String, String)>,
    /// The module cache.
    cache: Option<String>,
    /// The modules of the workspace.
    roots: Vec<Module>,
    /// Replacements of `go.work` files, with the directory they are relative to.
    work_replace: Vec<(String, Replacement)>,
    /// The module of each directory that was looked up, and of its parents.
    known: FxHashMap<String, Option<Module>>,
    /// Directories from which `go.work` was searched.
    works: FxHashSet<String>,
}

impl Modules {
    pub(super) fn new(overrides: Vec<(String, String)>, cache: Option<String>) -> Self {
        Self {
            overrides,
            cache,
            ..Self::default()
        }
    }

    /// Adds the module around `directory`, and those of its `go.work`, to the workspace.
    pub(super) fn enter(&mut self, files: &dyn Files, directory: &str) -> Option<Module> {
        self.enter_work(files, directory);
        let module = self.around(files, directory)?;
        self.add_root(module.clone());
        Some(module)
    }

    fn add_root(&mut self, module: Module) {
        if self.roots.iter().all(|root| root.directory != module.directory) {
            self.roots.push(module);
        }
    }

    fn enter_work(&mut self, files: &dyn Files, directory: &str) {
        let mut place = None;
        for directory in upward(files, directory) {
            // Its parents were searched from there.
            if !self.works.insert(directory.clone()) {
                return;
            }
            if files.exists(&join(&directory, "go.work")) {
                place = Some(directory);
                break;
            }
        }
        let Some(place) = place else {
            return;
        };
        let work = GoWork::parse(&text(files, &join(&place, "go.work")));
        for directory in &work.directories {
            if let Some(module) = self.around(files, &join(&place, directory)) {
                self.add_root(module);
            }
        }
        let replace = work
            .replace
            .into_iter()
            .map(|replacement| (place.clone(), replacement));
        self.work_replace.extend(replace);
    }

    /// The module a directory belongs to.
    pub(super) fn around(&mut self, files: &dyn Files, directory: &str) -> Option<Module> {
        if let Some(known) = self.known.get(directory) {
            return known.clone();
        }
        let (mut found, mut passed) = (None, Vec::new());
        for directory in upward(files, directory) {
            if let Some(known) = self.known.get(&directory) {
                found = known.clone();
                break;
            }
            let path = join(&directory, "go.mod");
            passed.push(directory.clone());
            if files.exists(&path) {
                let gomod = Arc::new(GoMod::parse(&text(files, &path)));
                found = Some(Module { directory, gomod });
                break;
            }
        }
        for directory in passed {
            self.known.insert(directory, found.clone());
        }
        found
    }

    /// The import path of a directory: from an override or a module, otherwise the directory itself.
    pub(super) fn import_path(&mut self, files: &dyn Files, directory: &str) -> String {
        let overridden = self.overrides.iter().find_map(|(path, root)| {
            let rest = really_below(files, directory, root)?;
            Some(under(path, &rest))
        });
        if let Some(path) = overridden {
            return path;
        }
        let in_module = |module: Module| {
            let rest = really_below(files, directory, &module.directory)?;
            Some(under(&module.gomod.module, &rest))
        };
        let by_name = self.enter(files, directory).and_then(in_module);
        // A link may lead into a module, or out of one.
        let by_place = || {
            let real = files.real(directory)?;
            self.enter(files, &real).and_then(in_module)
        };
        by_name
            .or_else(by_place)
            .unwrap_or_else(|| directory.trim_start_matches("./").to_owned())
    }

    /// Whether a path belongs to a module of the workspace.
    pub(super) fn is_own(&self, path: &str) -> bool {
        let mut roots = self.roots.iter();
        roots.any(|root| inside(path, &root.gomod.module).is_some())
    }

    /// Directories in which `path`, imported by a package in `from`, may be, best first.
    pub(super) fn candidates(&mut self, files: &dyn Files, path: &str, from: &str) -> Vec<String> {
        let importer = self.around(files, from);
        let overrides = self
            .overrides
            .iter()
            .map(|(module, root)| (module.as_str(), root.as_str()));
        let roots = self
            .roots
            .iter()
            .map(|root| (root.gomod.module.as_str(), root.directory.as_str()));
        let mut found: Vec<String> = longest(path, overrides).into_iter().collect();
        found.extend(longest(path, roots));
        let vendored = self
            .roots
            .iter()
            .map(|root| join(&root.directory, &format!("vendor/{path}")));
        // A package that is missing from a vendor directory is not worth reporting.
        found.extend(vendored.filter(|directory| files.exists(directory)));
        found.extend(self.required(path, importer.as_ref()));
        found
    }

    /// Directories by `replace` and `require`: of the workspace's modules, then of the importing module.
    fn required(&self, path: &str, importer: Option<&Module>) -> Vec<String> {
        let mut found = Vec::new();
        for (place, replacement) in &self.work_replace {
            found.extend(self.replaced(path, place, replacement));
        }
        for root in &self.roots {
            for replacement in &root.gomod.replace {
                found.extend(self.replaced(path, &root.directory, replacement));
            }
            found.extend(self.cached(path, &root.gomod));
        }
        found.extend(importer.and_then(|module| self.cached(path, &module.gomod)));
        found.dedup();
        found
    }

    fn replaced(&self, path: &str, place: &str, replacement: &Replacement) -> Option<String> {
        let rest = inside(path, &replacement.path)?;
        match &replacement.target_version {
            None => Some(join(&join(place, &replacement.target), rest)),
            Some(version) => self.in_cache(&replacement.target, version, rest),
        }
    }

    fn cached(&self, path: &str, gomod: &GoMod) -> Option<String> {
        let fits = gomod
            .require
            .iter()
            .filter(|required| inside(path, &required.path).is_some());
        let best = fits.max_by_key(|required| required.path.len())?;
        self.in_cache(&best.path, &best.version, inside(path, &best.path)?)
    }

    fn in_cache(&self, module: &str, version: &str, rest: &str) -> Option<String> {
        let cache = self.cache.as_deref()?;
        let directory = format!("{}@{}", escape_path(module), escape_path(version));
        Some(join(&join(cache, &directory), rest))
    }
}

/// A module path as spelled in the module cache: a capital becomes `!` and the lower-case letter.
#[must_use]
pub fn escape_path(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for char in path.chars() {
        if char.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(char.to_ascii_lowercase());
    }
    escaped
}

/// The directory of `path` in the module with the longest matching path.
fn longest<'a>(path: &str, modules: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let fitting = modules.filter_map(|(module, root)| Some((module.len(), root, inside(path, module)?)));
    let (_, root, rest) = fitting.max_by_key(|(len, _, _)| *len)?;
    Some(join(root, rest))
}

/// The rest of an import path inside a module.
fn inside<'a>(path: &'a str, module: &str) -> Option<&'a str> {
    match path.strip_prefix(module)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

/// The rest of a directory below another, by name or by real path: `..` and absolute paths are other names
/// for the same directories.
fn really_below(files: &dyn Files, directory: &str, root: &str) -> Option<String> {
    let real = |path: &str| files.real(path);
    match (real(directory), real(root)) {
        (Some(directory), Some(root)) => below(&directory, &root).map(str::to_owned),
        _ => below(directory, root).map(str::to_owned),
    }
}

fn under(path: &str, rest: &str) -> String {
    if rest.is_empty() {
        path.to_owned()
    } else {
        format!("{path}/{rest}")
    }
}

/// A directory and its parents, up to the root: a relative path alone does not show how many there are.
fn upward(files: &dyn Files, directory: &str) -> impl Iterator<Item = String> + use<> {
    let real = files.real(directory);
    let names = real.map(|real| real.split('/').filter(|name| !name.is_empty()).count());
    let most = names.map_or(MAX_UP, |names| MAX_UP.min(names + 1));
    std::iter::successors(Some(directory.to_owned()), |directory| parent(directory)).take(most)
}

fn text(files: &dyn Files, path: &str) -> String {
    let bytes = files.read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
