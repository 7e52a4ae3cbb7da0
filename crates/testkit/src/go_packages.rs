//! Go packages for a test: inline, recorded, or on disk.

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use kindsmith_go::package::{Entry, Files, Loader, MemoryFiles, Options, Package};
use kindsmith_go::{Profile, Read};
use kindsmith_json::{Arena, Value};

use crate::{entries, json, name, text};

/// Go files and how to read them.
///
/// ```
/// # use kindsmith_testkit::GoPackages;
/// let packages = GoPackages::default()
///     .module("example.org/api", "api")
///     .file("api/v1/types.go", "package v1\n\ntype Thing struct{}\n");
/// assert_eq!(packages.read("api/...").diagnostics, []);
/// ```
#[derive(Default)]
pub struct GoPackages {
    files: Sources,
    options: Options,
    profile: Profile,
    opaque_containers: bool,
}

impl GoPackages {
    /// Adds a module and the directory it lies in.
    #[must_use]
    pub fn module(mut self, path: &str, directory: &str) -> Self {
        self.options.modules.push((path.to_owned(), directory.to_owned()));
        self
    }

    /// Looks up required modules in a module cache on disk.
    #[must_use]
    pub fn module_cache(mut self, directory: &str) -> Self {
        self.options.module_cache = Some(directory.to_owned());
        self
    }

    /// Sets whose rules apply.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Hides from markers on fields that a named type is a list or map, as controller-gen did before v0.23.
    #[must_use]
    pub fn opaque_containers(mut self) -> Self {
        self.opaque_containers = true;
        self
    }

    /// Adds a file.
    #[must_use]
    pub fn file(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.0.add(path, text);
        self
    }

    /// Adds the Go files below a directory on disk as if they were below another one.
    #[must_use]
    pub fn tree(mut self, directory: &Path, below: &str) -> Self {
        for entry in entries(directory) {
            let path = format!("{below}/{}", name(&entry));
            if entry.is_dir() {
                self = self.tree(&entry, &path);
            } else if path.ends_with(".go") {
                self = self.file(&path, text(&entry));
            }
        }
        self
    }

    /// A package recorded with validation-gen, in the directory `p`, and its import path. The tags of the whole package
    /// are recorded separately, and get their own file.
    #[must_use]
    pub fn native(folder: &Path) -> (Self, String) {
        let arena = Arena::new();
        let about = text(&folder.join("package.json"));
        let about = json(&arena, &about);
        let path = about.get("package").and_then(Value::as_str);
        let path = path.expect("an import path");
        let tags = about.get("packageTags").and_then(Value::as_array);
        let tags = tags.unwrap_or_default().iter().filter_map(|tag| tag.as_str());
        let tags: String = tags.map(|tag| format!("// +{tag}\n")).collect();
        let short = path.rsplit('/').next().unwrap_or_default();
        let doc = format!("{tags}\n// Package {short} is recorded.\npackage {short}\n");
        let packages = Self::default()
            .module(path, "p")
            .file("p/doc.go", doc)
            .file("p/types.go", text(&folder.join("types.go")));
        (packages, path.to_owned())
    }

    /// Reads the packages that a pattern names.
    #[must_use]
    pub fn read(&self, pattern: &str) -> Read {
        self.read_all(&[pattern])
    }

    /// Loads the packages that a pattern names, and hands them over with their loader.
    pub fn load<R>(&self, pattern: &str, then: impl FnOnce(&mut Loader<'_>, &[Arc<Package>]) -> R) -> R {
        let mut loader = Loader::new(&self.files, self.options.clone());
        let packages = loader.load(pattern);
        then(&mut loader, &packages)
    }

    /// Reads the packages that patterns name.
    #[must_use]
    pub fn read_all(&self, patterns: &[impl AsRef<str>]) -> Read {
        let mut loader = Loader::new(&self.files, self.options.clone());
        let patterns = patterns.iter();
        let packages = patterns.flat_map(|pattern| loader.load(pattern.as_ref()));
        let packages = packages.collect();
        let options = kindsmith_go::Options {
            profile: self.profile,
            opaque_containers: self.opaque_containers,
            ..kindsmith_go::Options::default()
        };
        kindsmith_go::read_with(loader, packages, &options)
    }
}

/// Files in memory; absolute paths are read from disk.
#[derive(Default)]
struct Sources(MemoryFiles);

fn is_on_disk(path: &str) -> bool {
    path.starts_with('/')
}

impl Files for Sources {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if is_on_disk(path) {
            fs::read(path)
        } else {
            self.0.read(path)
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        if !is_on_disk(path) {
            return self.0.list(path);
        }
        let entries = fs::read_dir(path)?.map(|entry| {
            let path = entry?.path();
            Ok(Entry {
                name: name(&path),
                directory: path.is_dir(),
            })
        });
        entries.collect()
    }

    fn exists(&self, path: &str) -> bool {
        if is_on_disk(path) {
            Path::new(path).exists()
        } else {
            self.0.exists(path)
        }
    }
}
