//! The order of packages by their imports.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::index::{Package, PackageId};
use super::loader::Loader;

impl Loader<'_> {
    /// The packages in the order in which `go list -deps` names them: each after all that it imports, directly or not, and
    /// otherwise as given. Packages outside of the workspace are not followed: they import none of these.
    pub fn in_import_order(&mut self, packages: &[Arc<Package>]) -> Vec<Arc<Package>> {
        let mut seen: FxHashSet<PackageId> = FxHashSet::default();
        let mut order = Vec::new();
        for package in packages {
            if !seen.insert(package.id) {
                continue;
            }
            let mut way = vec![(Arc::clone(package), self.own_imports(package).into_iter())];
            while let Some((_, rest)) = way.last_mut() {
                match rest.next() {
                    Some(imported) if seen.insert(imported.id) => {
                        let below = self.own_imports(&imported).into_iter();
                        way.push((imported, below));
                    }
                    Some(_) => {}
                    None => order.extend(way.pop().map(|(package, _)| package)),
                }
            }
        }
        order.retain(|package| packages.iter().any(|given| given.id == package.id));
        order
    }

    /// The packages of the workspace that a package imports, by path.
    fn own_imports(&mut self, package: &Package) -> Vec<Arc<Package>> {
        let files = package.files.iter();
        let paths: BTreeSet<&str> = files
            .flat_map(|file| file.imports.iter().map(|import| file.import_path(import)))
            .collect();
        let own = paths
            .into_iter()
            .filter_map(|path| self.of_workspace(package, path));
        own.collect()
    }
}
