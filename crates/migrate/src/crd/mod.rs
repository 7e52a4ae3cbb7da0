//! Go types from CRDs: one package per group and version, with controller-gen's markers for everything that a schema says.
//!
//! `restate` says keywords without a marker in other words, `declare` makes types of schemas, `markers` says keywords as markers, `kind` writes what belongs to
//! the resource, `back` generates the CRD again and compares. A schema that markers cannot express is never approximated
//! in silence: the comparison finds it.

mod back;
mod declare;
mod kind;
mod markers;
mod names;
mod restate;
mod text;

use std::collections::BTreeMap;

use kindsmith_openapi::crd::{Definition, Version};

use crate::difference::{Difference, compare};

pub use restate::Restated;

/// A Go file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoFile {
    /// Where it belongs, below the directory for all packages.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Go packages for CRDs, and how far the CRDs generated from them differ.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// By path.
    pub files: Vec<GoFile>,
    /// What the types do not say as the CRDs do, in the order of the CRDs.
    pub differences: Vec<Difference>,
    /// What they say in other words, with the same answers for objects.
    pub restated: Vec<Restated>,
    /// Types declared, without lists of kinds.
    pub declared: usize,
}

/// Makes Go types for CRDs, and checks them by generating the CRDs again.
#[must_use]
pub fn types(definitions: &[&Definition]) -> Types {
    let (definitions, restated): (Vec<Definition>, Vec<Vec<Restated>>) = definitions
        .iter()
        .map(|definition| restate::restated(definition))
        .unzip();
    let mut packages: BTreeMap<(&str, &str), Vec<(&Definition, &Version)>> = BTreeMap::new();
    for definition in &definitions {
        for version in &definition.spec.versions {
            let of = (&*definition.spec.group, &*version.name);
            packages.entry(of).or_default().push((definition, version));
        }
    }
    let directories = names::directories(packages.keys().copied());
    let mut made = Types {
        restated: restated.into_iter().flatten().collect(),
        ..Types::default()
    };
    for (((group, version), kinds), directory) in packages.into_iter().zip(directories) {
        let mut package = declare::Package::new(
            names::package(version),
            kinds.iter().map(|(of, _)| &*of.spec.names.kind),
        );
        for (definition, version) in &kinds {
            kind::declare(&mut package, definition, version);
        }
        made.declared += package.declared();
        let mut files = package.files();
        files.push(kind::about(group, version, &kinds));
        made.files.extend(files.into_iter().map(|file| GoFile {
            path: format!("{directory}/{}", file.path),
            text: file.text,
        }));
    }
    made.files.sort_by(|one, other| one.path.cmp(&other.path));
    let (copies, generated) = back::generate(&made.files);
    made.files.extend(copies);
    made.files.sort_by(|one, other| one.path.cmp(&other.path));
    for definition in &definitions {
        made.differences.extend(compare(definition, &generated));
    }
    made
}
