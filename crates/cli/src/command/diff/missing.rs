//! Packages that the published types of a side need and that were not found. Without them every field of their types would
//! look removed.

use std::collections::{BTreeSet, HashSet};

use kindsmith_go::Read;
use kindsmith_go::package::Files;
use kindsmith_schema::{Schema, Shape};

use crate::error::Error;

/// Ends the comparison if types of packages that were not found are published, and says what to download.
pub(super) fn refuse(read: &Read, files: &dyn Files, directory: &str, side: &str) -> Result<(), Error> {
    let missing = packages(&read.schema);
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let requirements = requirements(files, directory);
    let modules: BTreeSet<String> = missing
        .iter()
        .map(|path| module(&requirements, path).unwrap_or_else(|| path.clone()))
        .collect();
    let modules: Vec<String> = modules.into_iter().collect();
    let message = match missing.len() {
        1 => format!("{side}: package {first} was not found, and its types are published"),
        count => format!(
            "{side}: {count} packages were not found, and their types are published: {first} and others"
        ),
    };
    Err(Error::input(message).hint(format!(
        "run `go mod download {}`, or name the directory of a module: `--module PATH=DIR`",
        modules.join(" ")
    )))
}

/// Packages of types that kinds reach and nobody has read.
fn packages(schema: &Schema) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut pending: Vec<_> = schema.kinds().iter().map(|kind| kind.ty).collect();
    let mut missing = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let ty = schema.ty(id);
        if schema.is_hole(id) && ty.well_known.is_none() && schema.package(&ty.name.package).is_none() {
            missing.insert(ty.name.package.to_string());
        }
        if let Shape::Def(of) | Shape::Alias(of) = &ty.shape {
            pending.extend(of.innermost());
        }
        pending.extend(ty.fields().iter().filter_map(|field| field.ty.innermost()));
    }
    missing.into_iter().collect()
}

/// Modules and versions in the `go.mod` of a directory or one above it.
fn requirements(files: &dyn Files, directory: &str) -> Vec<(String, String)> {
    let mut at = directory.trim_end_matches("...").trim_end_matches('/');
    loop {
        let name = match at {
            "" => "go.mod".to_owned(),
            at => format!("{at}/go.mod"),
        };
        if let Ok(bytes) = files.read(&name) {
            return read_requirements(&String::from_utf8_lossy(&bytes));
        }
        at = match at.rsplit_once('/') {
            Some((above, _)) => above,
            None if at.is_empty() => return Vec::new(),
            None => "",
        };
    }
}

/// Lines such as `require k8s.io/api v0.36.0`, in a block or alone.
fn read_requirements(text: &str) -> Vec<(String, String)> {
    let lines = text
        .lines()
        .map(|line| line.trim().trim_start_matches("require "));
    let pairs = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    pairs
        .filter(|(module, version)| module.contains('.') && version.starts_with('v'))
        .map(|(module, version)| (module.to_owned(), version.to_owned()))
        .collect()
}

/// `MODULE@VERSION` of a package.
fn module(requirements: &[(String, String)], package: &str) -> Option<String> {
    let is_in = |module: &str| package == module || package.starts_with(&format!("{module}/"));
    let found = requirements.iter().filter(|(module, _)| is_in(module));
    let (module, version) = found.max_by_key(|(module, _)| module.len())?;
    Some(format!("{module}@{version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_module_has_the_package() {
        let text =
            "module a.org/b\n\nrequire c.org/d v1.0.0\n\nrequire (\n\tc.org/d/api v0.2.0 // indirect\n)\n";
        let found = read_requirements(text);
        assert_eq!(
            module(&found, "c.org/d/api/v1").as_deref(),
            Some("c.org/d/api@v0.2.0")
        );
        assert_eq!(module(&found, "c.org/d/apis").as_deref(), Some("c.org/d@v1.0.0"));
        assert_eq!(module(&found, "c.org/x"), None);
    }
}
