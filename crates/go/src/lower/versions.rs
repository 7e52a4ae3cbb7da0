//! Other versions of kinds: imported packages of the same group may declare them (controller-tools
//! `pkg/crd/spec.go`, `NeedCRDFor`).

use std::sync::Arc;

use kindsmith_schema::{Str, TypeName, TypeRef, WellKnown};

use super::Lower;
use crate::package::Package;

impl Lower<'_, '_> {
    /// Defines types with the group and name of a kind in imported packages.
    pub(super) fn other_versions(&mut self) {
        let kinds = self.kinds();
        if kinds.is_empty() {
            return;
        }
        // These refer to further packages, which may have more.
        let mut at = 0;
        while let Some(package) = self.entered.get(at).cloned() {
            at += 1;
            if self.is_input(&package) {
                continue;
            }
            let Some(group) = group(&package) else {
                continue;
            };
            for (_, name) in kinds.iter().filter(|(of, _)| *of == group) {
                if package.type_decl(name).is_some() {
                    self.want(&package, name, Vec::new());
                }
            }
            self.drain();
        }
    }

    /// Groups and names of the structs with metadata in input packages.
    fn kinds(&self) -> Vec<(String, Str)> {
        let mut kinds = Vec::new();
        for package in self.entered.iter().filter(|package| self.is_input(package)) {
            let Some(group) = group(package) else {
                continue;
            };
            for (file, decl) in package.types() {
                let name = file.text(decl.name);
                if self.has_metadata(package, name) {
                    kinds.push((group.clone(), name.into()));
                }
            }
        }
        kinds
    }

    fn has_metadata(&self, package: &Arc<Package>, name: &str) -> bool {
        let Some(id) = self.builder.find(&TypeName::new(package.path.clone(), name)) else {
            return false;
        };
        self.builder.ty(id).fields().iter().any(|field| match &field.ty {
            TypeRef::Named(of) => {
                field.embedded && self.builder.ty(*of).well_known == Some(WellKnown::ObjectMeta)
            }
            _ => false,
        })
    }
}

/// The group that a package declares. Only a guess; its markers decide later.
fn group(package: &Package) -> Option<String> {
    const MARKER: &str = "+groupName=";
    let groups = package
        .files
        .iter()
        .flat_map(|file| file.package_groups.iter().map(move |group| (file, *group)));
    let mut lines = groups.flat_map(|(file, group)| file.comment_lines(group));
    let line = lines.find_map(|line| line.text.trim().strip_prefix(MARKER).map(str::to_owned))?;
    Some(line.trim_matches(['"', '`']).to_owned())
}
