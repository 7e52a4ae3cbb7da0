//! `DeepCopy` methods, byte for byte as controller-gen's generator `object` or deepcopy-gen writes them.
//!
//! `select` decides which types get methods, `handwritten` finds methods that are there already, `copy` decides how
//! each type is copied, `imports` names the packages, and `code` indents.

mod code;
mod copy;
mod handwritten;
mod imports;
mod options;
mod select;

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_go::package::{Loader, Package};
use kindsmith_go::types::Types;

use crate::gengo;
use crate::package_markers::Problem;
use copy::Copier;
use imports::Imports;

pub use options::{Dialect, Options};

/// Generated files, and what cannot be copied.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    /// One for each package with types to copy.
    pub files: Vec<Copy>,
    /// In the order found.
    pub problems: Vec<Problem>,
}

/// The file of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The directory of the package.
    pub directory: String,
    /// The text of the file.
    pub text: String,
}

/// The name of the file in each package.
pub const FILE_NAME: &str = "zz_generated.deepcopy.go";

/// Generates the methods of all packages.
#[must_use]
pub fn methods(loader: &mut Loader<'_>, packages: &[Arc<Package>], options: &Options) -> Copies {
    let mut copies = Copies::default();
    for package in packages {
        let text = of_package(loader, package, options, &mut copies.problems);
        copies.files.extend(text.map(|text| Copy {
            directory: package.directory.clone(),
            text,
        }));
    }
    copies
}

fn of_package(
    loader: &mut Loader<'_>,
    package: &Arc<Package>,
    options: &Options,
    problems: &mut Vec<Problem>,
) -> Option<String> {
    let mut selected = select::types(package, options.dialect, problems);
    if options.dialect == Dialect::DeepcopyGen {
        selected.sort_by(|one, other| one.name.cmp(&other.name));
    }
    if selected.is_empty() {
        return None;
    }
    let mut copier = Copier::new(Types::new(loader), package, options, problems);
    // Aliases of imports are given in the order of declarations, by deepcopy-gen in that of names; methods are sorted by type.
    let mut by_type: BTreeMap<String, String> = BTreeMap::new();
    for ty in selected {
        let functions = copier.functions(&ty);
        if !functions.is_empty() {
            by_type.insert(ty.name, functions.join("\n"));
        }
    }
    let imports = copier.into_imports();
    (!by_type.is_empty()).then(|| file(package, options, &imports, by_type.values()))
}

fn file<'a>(
    package: &Package,
    options: &Options,
    imports: &Imports,
    functions: impl Iterator<Item = &'a String>,
) -> String {
    let dialect = options.dialect;
    let mut text = gengo::head(dialect.constraint(), &options.header, dialect.tool());
    let imports = imports.declaration(package);
    text += &format!("package {}\n{imports}", package.name);
    for function in functions {
        text.push('\n');
        text += function;
    }
    text
}
