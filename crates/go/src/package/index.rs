//! A loaded package, with an index of its declarations by name.

use std::sync::{Arc, OnceLock};

use kindsmith_source::Span;
use rustc_hash::FxHashMap;

use crate::syntax::{BodyId, Const, File, Func, Import, TypeDecl, Var};

/// The file whose comments gengo all reads as the package's.
pub(super) const DOC_FILE: &str = "doc.go";

/// A package of one loader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub(super) u32);

/// A loaded package: its files and an index of their declarations.
#[derive(Debug)]
pub struct Package {
    /// The package in its loader.
    pub id: PackageId,
    /// The import path.
    pub path: Arc<str>,
    /// The name in the package clauses.
    pub name: String,
    /// The directory it was read from.
    pub directory: String,
    /// The files of the build, sorted by name.
    pub files: Vec<File>,
    /// The file names without directory, in the order of `files`.
    pub file_names: Vec<String>,
    types: ByName,
    consts: OnceLock<ByName>,
    vars: OnceLock<ByName>,
    /// By receiver type, empty for plain functions; those of one receiver sorted by name.
    funcs: FxHashMap<Box<str>, Vec<Place>>,
}

/// Declarations by their name.
type ByName = FxHashMap<Box<str>, Place>;

/// The place of a declaration: file, then index in the file's list.
#[derive(Debug, Clone, Copy)]
struct Place {
    file: u32,
    index: u32,
}

/// A file of a package, or a struct body in it that is parsed as a file of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FilePlace {
    file: u32,
    body: Option<BodyId>,
}

impl FilePlace {
    /// A body of the file.
    pub(crate) fn body(self, body: BodyId) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }
}

impl Package {
    pub(super) fn new(id: PackageId, path: &str, directory: &str, files: Vec<(String, File)>) -> Self {
        let (file_names, files): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let name = files.first().map_or("", |file| file.package_name()).to_owned();
        Self {
            id,
            path: path.into(),
            name,
            directory: directory.to_owned(),
            types: by_name(&files, |file| &file.types, |decl| decl.name),
            consts: OnceLock::new(),
            vars: OnceLock::new(),
            funcs: by_receiver(&files),
            files,
            file_names,
        }
    }

    /// The type of a name, with its file.
    #[must_use]
    pub(crate) fn type_decl(&self, name: &str) -> Option<(&File, &TypeDecl)> {
        let place = self.types.get(name)?;
        Some(place.of(&self.files, |file| &file.types))
    }

    /// The constant of a name, with its file.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<(&File, &Const)> {
        let index = || by_name(&self.files, |file| &file.consts, |decl| decl.name);
        let place = self.consts.get_or_init(index).get(name)?;
        Some(place.of(&self.files, |file| &file.consts))
    }

    /// The variable of a name, with its file.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<(&File, &Var)> {
        let index = || by_name(&self.files, |file| &file.vars, |decl| decl.name);
        let place = self.vars.get_or_init(index).get(name)?;
        Some(place.of(&self.files, |file| &file.vars))
    }

    /// The function of a name, with its file.
    #[must_use]
    pub fn func(&self, name: &str) -> Option<(&File, &Func)> {
        self.method("", name)
    }

    /// All functions without receiver, sorted by name.
    pub fn funcs(&self) -> impl Iterator<Item = (&File, &Func)> {
        self.methods("")
    }

    /// A method of a type of this package, by value or pointer.
    #[must_use]
    pub fn method(&self, ty: &str, name: &str) -> Option<(&File, &Func)> {
        self.methods(ty).find(|(file, func)| file.text(func.name) == name)
    }

    /// All methods of a type of this package, sorted by name.
    pub fn methods<'a>(&'a self, ty: &str) -> impl Iterator<Item = (&'a File, &'a Func)> + use<'a> {
        let places = self.funcs.get(ty).map_or(&[][..], Vec::as_slice);
        places
            .iter()
            .map(|place| place.of(&self.files, |file| &file.funcs))
    }

    /// All types in the order of files and declarations.
    pub fn types(&self) -> impl Iterator<Item = (&File, &TypeDecl)> {
        self.files
            .iter()
            .flat_map(|file| file.types.iter().map(move |decl| (file, decl)))
    }

    /// All constants in the order of files and declarations.
    pub fn consts(&self) -> impl Iterator<Item = (&File, &Const)> {
        self.files
            .iter()
            .flat_map(|file| file.consts.iter().map(move |decl| (file, decl)))
    }

    /// The file called `doc.go`, if there is one.
    #[must_use]
    pub fn doc_file(&self) -> Option<&File> {
        let index = self.file_names.iter().position(|name| name == DOC_FILE)?;
        self.files.get(index)
    }

    /// Where a file of the package is.
    pub(crate) fn place_of(&self, file: &File) -> Option<FilePlace> {
        let index = self.files.iter().position(|other| other.id == file.id)?;
        Some(FilePlace {
            file: index as u32,
            body: None,
        })
    }

    /// The file at a place.
    pub(crate) fn file_at(&self, place: FilePlace) -> &File {
        let file = &self.files[place.file as usize];
        place.body.map_or(file, |body| file.body(body).0)
    }
}

impl Place {
    fn of<'a, T>(self, files: &'a [File], list: impl Fn(&'a File) -> &'a Vec<T>) -> (&'a File, &'a T) {
        let file = &files[self.file as usize];
        (file, &list(file)[self.index as usize])
    }
}

/// If a name is declared twice, the first declaration counts.
fn by_name<T>(files: &[File], list: impl Fn(&File) -> &Vec<T>, name: impl Fn(&T) -> Span) -> ByName {
    let mut index = ByName::default();
    index.reserve(files.iter().map(|file| list(file).len()).sum());
    for (file_index, file) in files.iter().enumerate() {
        for (at, decl) in list(file).iter().enumerate() {
            index.entry(file.text(name(decl)).into()).or_insert(Place {
                file: file_index as u32,
                index: at as u32,
            });
        }
    }
    index
}

fn by_receiver(files: &[File]) -> FxHashMap<Box<str>, Vec<Place>> {
    let mut index: FxHashMap<Box<str>, Vec<Place>> = FxHashMap::default();
    for (file_index, file) in files.iter().enumerate() {
        for (at, func) in file.funcs.iter().enumerate() {
            let receiver = func.receiver.map_or("", |receiver| file.text(receiver.ty));
            let place = Place {
                file: file_index as u32,
                index: at as u32,
            };
            match index.get_mut(receiver) {
                Some(places) => places.push(place),
                None => drop(index.insert(receiver.into(), vec![place])),
            }
        }
    }
    for places in index.values_mut() {
        // Stable, so that the first of two declarations with the same name is found.
        places.sort_by_key(|place| {
            let (file, func) = place.of(files, |file| &file.funcs);
            file.text(func.name)
        });
    }
    index
}

impl File {
    /// The type of a name.
    pub(crate) fn type_decl(&self, name: &str) -> Option<&TypeDecl> {
        self.types.iter().find(|decl| self.text(decl.name) == name)
    }

    /// The import that a qualifier such as `metav1` refers to. Without an explicit name, the package name is
    /// usually the last part of the path that is not a major version.
    #[must_use]
    pub fn import_named(&self, qualifier: &str) -> Option<&Import> {
        let written = |import: &&Import| import.name.is_some_and(|name| self.text(name) == qualifier);
        let unnamed = || self.imports.iter().filter(|import| import.name.is_none());
        let last = |import: &&Import| last_part(self.import_path(import)) == qualifier;
        let usual = |import: &&Import| usual_name(self.import_path(import)) == qualifier;
        let found = self.imports.iter().find(written);
        found
            .or_else(|| unnamed().find(last))
            .or_else(|| unnamed().find(usual))
    }

    /// Imports whose names are visible without a qualifier.
    pub(crate) fn dot_imports(&self) -> impl Iterator<Item = &Import> {
        self.imports
            .iter()
            .filter(|import| import.name.is_some_and(|name| self.text(name) == "."))
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The package name by convention: without major version, `go-` and `.v3` decorations.
fn usual_name(path: &str) -> &str {
    let version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|digits| digits.parse::<u32>().is_ok())
    };
    let last = last_part(path);
    let part = match path.rsplit_once('/') {
        Some((before, _)) if version(last) => last_part(before),
        _ => last,
    };
    let part = part.split_once(".v").map_or(part, |(name, _)| name);
    part.strip_prefix("go-").unwrap_or(part)
}
