//! The arguments of all commands that read Go packages, and reading those packages.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use kindsmith_go::Read;
use kindsmith_go::package::{Imported, Loader, Options, Package};
use kindsmith_source::Span;

use crate::error::Error;
use crate::files::{Observed, module_cache, standard_library};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// What to read, and how.
#[derive(Debug, clap::Args)]
pub struct Input {
    /// Directories of Go packages (`DIR/...` includes all below DIR), import paths, or Go files
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<String>,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = module)]
    modules: Vec<(String, String)>,
    /// Whose rules apply where KEP-5073 and Kubernetes differ
    #[arg(long, value_name = "PROFILE", default_value = "upstream")]
    profile: Profile,
    /// Whether controller-gen's errors are errors in all packages.
    #[arg(skip)]
    controller_gen: bool,
    /// Whether CRDs are generated.
    #[arg(skip)]
    definitions: bool,
}

/// Whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// What Kubernetes' own generators accept
    Upstream,
    /// Also what KEP-5073 describes and Kubernetes never built
    Kep,
}

impl From<Profile> for kindsmith_go::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Upstream => Self::Upstream,
            Profile::Kep => Self::Kep,
        }
    }
}

impl Input {
    /// Input from the options of another command.
    #[must_use]
    pub fn new(paths: Vec<String>, modules: Vec<(String, String)>, profile: Profile) -> Self {
        Self {
            paths,
            modules,
            profile,
            controller_gen: false,
            definitions: false,
        }
    }

    /// Turns on what generating CRDs needs.
    pub(crate) fn for_definitions(self) -> Self {
        Self {
            definitions: true,
            ..self
        }
    }

    /// Treats all packages as input of controller-gen.
    pub(crate) fn for_controller_gen(self) -> Self {
        Self {
            controller_gen: true,
            ..self
        }
    }

    /// The paths to read.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whose rules apply.
    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    /// Reads the packages that the arguments name. If only files are named, findings in other files are dropped.
    ///
    /// # Errors
    ///
    /// If a path does not exist or has no Go files. Errors inside files are findings.
    pub fn read(&self, terminal: &Terminal) -> Result<Read, Error> {
        Ok(self.read_following(terminal, &Following::default())?.0)
    }

    /// Reads the packages and further ones, and says which are which.
    ///
    /// # Errors
    ///
    /// If a path does not exist or has no Go files.
    pub(crate) fn read_following(
        &self,
        terminal: &Terminal,
        following: &Following<'_>,
    ) -> Result<(Read, Named), Error> {
        let mut options = Options {
            module_cache: module_cache(),
            modules: self.modules.clone(),
            standard: standard_library(),
            ..Options::default()
        };
        options.build.tags.extend(following.build_tag.map(str::to_owned));
        let progress = Progress::count(terminal, "reading", "files");
        let files = Observed::new(&progress);
        let mut loader = Loader::new(&files, options);
        let mut packages: Vec<Arc<Package>> = Vec::new();
        for path in &self.paths {
            let found = load(&mut loader, path);
            // A directory that cannot be listed would silently drop packages.
            if let Some((directory, error)) = files.refused() {
                let directory = Path::new(&directory);
                return Err(Error::reading(directory, &error)
                    .hint("make the directory readable, or name the packages to read one by one"));
            }
            packages.extend(found?);
        }
        let asked = packages.iter().map(|package| package.path.clone()).collect();
        let followed: Vec<_> = packages
            .iter()
            .flat_map(|package| named_by(&mut loader, package, following.tags))
            .collect();
        packages.extend(followed);
        let mut peers = Vec::new();
        for path in following.peers {
            let found = load(&mut loader, path)?;
            peers.extend(found.iter().map(|package| package.path.clone()));
            packages.extend(found);
        }
        packages.sort_by(|one, other| one.directory.cmp(&other.directory));
        packages.dedup_by(|one, other| one.directory == other.directory);
        let options = kindsmith_go::Options {
            profile: self.profile.into(),
            controller_gen: self.controller_gen,
            definitions: self.definitions,
        };
        let mut read = kindsmith_go::read_with(loader, packages, &options);
        if self.paths.iter().all(|path| is_go_file(path)) {
            let files: HashSet<PathBuf> = self.paths.iter().map(|path| real(path)).collect();
            let sources = &read.sources;
            read.diagnostics
                .retain(|finding| files.contains(&real(sources.file(finding.span.file).name())));
        }
        Ok((read, Named { asked, peers }))
    }
}

/// What to read besides the packages that the arguments name.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Following<'a> {
    /// Tags in `doc.go` that name packages to take types from.
    pub(crate) tags: &'a [&'a str],
    /// Directories or import paths of further packages.
    pub(crate) peers: &'a [String],
    /// A build tag that excludes files generated before.
    pub(crate) build_tag: Option<&'a str>,
}

/// Import paths of the packages read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    /// The packages the arguments name.
    pub(crate) asked: Vec<Arc<str>>,
    /// The further ones.
    pub(crate) peers: Vec<Arc<str>>,
}

/// The packages that tags of a package's `doc.go` name.
fn named_by(loader: &mut Loader<'_>, package: &Package, tags: &[&str]) -> Vec<Arc<Package>> {
    let Some(file) = package.doc_file() else {
        return Vec::new();
    };
    let place = Span::new(file.id, 0, 0);
    let lines = file.source().lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches('/').trim_start();
        let (tag, path) = line.strip_prefix('+')?.split_once('=')?;
        tags.contains(&tag).then(|| path.trim())
    });
    lines
        .filter_map(|path| match loader.import(package, path, place) {
            Imported::Package(package) => Some(package),
            Imported::Standard | Imported::Missing => None,
        })
        .collect()
}

fn is_go_file(path: &str) -> bool {
    path.ends_with(".go") && Path::new(path).is_file()
}

/// The canonical path of a file.
fn real(path: &str) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// Loads the packages of a directory pattern, or the package a file belongs to.
fn load(loader: &mut Loader<'_>, path: &str) -> Result<Vec<Arc<Package>>, Error> {
    if is_go_file(path) {
        let directory = Path::new(path)
            .parent()
            .and_then(Path::to_str)
            .filter(|parent| !parent.is_empty());
        return Ok(loader.load(directory.unwrap_or(".")));
    }
    let top = path
        .strip_suffix("...")
        .map_or(path, |top| top.trim_end_matches('/'));
    let top = if top.is_empty() { "." } else { top };
    let about = match std::fs::metadata(top) {
        Err(error) => {
            return match imported(loader, path, top) {
                Some(packages) => Ok(packages),
                None => Err(Error::reading(Path::new(top), &error)),
            };
        }
        Ok(about) => about,
    };
    if !about.is_dir() {
        return Err(Error::input(format!(
            "{path} is not a directory and not a Go file"
        )));
    }
    // An unreadable file is a finding, so there may be findings without a package.
    let before = loader.diagnostics().len();
    let packages = loader.load(path);
    if packages.is_empty() && loader.diagnostics().len() == before {
        let error = Error::input(format!("no Go files in {path}"));
        return Err(if path.ends_with("...") {
            error
        } else {
            error.hint(format!("`{top}/...` looks in the directories below too"))
        });
    }
    Ok(packages)
}

/// The packages that an import path, perhaps with `/...`, resolves to in the known modules.
fn imported(loader: &mut Loader<'_>, path: &str, top: &str) -> Option<Vec<Arc<Package>>> {
    let directory = loader.directory_of(top)?;
    let packages = if path.ends_with("...") {
        loader.load(&format!("{directory}/..."))
    } else {
        loader.load(&directory)
    };
    (!packages.is_empty()).then_some(packages)
}

pub(crate) fn module(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, directory)) if !path.is_empty() && !directory.is_empty() => {
            Ok((path.to_owned(), directory.to_owned()))
        }
        _ => Err("write it as `example.com/module=directory`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: &str) {
        let input = Input {
            paths: vec![path.to_owned()],
            modules: Vec::new(),
            profile: Profile::Upstream,
            controller_gen: false,
            definitions: false,
        };
        let error = input
            .read(&Terminal::new(true))
            .expect_err("there is nothing to read");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn says_what_cannot_be_read() {
        check(
            "no/such/dir",
            "cannot read no/such/dir: No such file or directory (os error 2)",
        );
        check("Cargo.toml", "Cargo.toml is not a directory and not a Go file");
        check(
            "src",
            "no Go files in src\n  = help: `src/...` looks in the directories below too",
        );
        check("src/...", "no Go files in src/...");
    }

    #[test]
    fn modules_are_pairs() {
        assert_eq!(
            module("k8s.io/api=../api"),
            Ok(("k8s.io/api".to_owned(), "../api".to_owned()))
        );
        for bad in ["", "k8s.io/api", "=x", "x="] {
            assert!(module(bad).is_err(), "{bad}");
        }
    }
}
