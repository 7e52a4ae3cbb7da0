//! Which packages use declarative validation. validation-gen ignores all others, so an error in their tags
//! has no effect.

use kindsmith_schema::{Builder, Owner, Str};
use rustc_hash::FxHashSet;

use super::at::At;
use super::context::Cx;
use super::groups::VirtualGroup;
use crate::grammar::marker;
use crate::site::{BlockKind, Site};

const NAME: &str = "k8s:validation-gen";
const INPUT: &str = "k8s:validation-gen-input=";

/// Import paths of packages that have validation-gen enabled, that another package names as input, or that
/// enable it for one of their types.
pub(super) fn packages(builder: &Builder, sites: &[Site<'_>]) -> FxHashSet<Str> {
    let mut asked = FxHashSet::default();
    for site in sites {
        let Some(path) = package_of(builder, site.owner) else {
            continue;
        };
        let markers = |kind| site.lines(kind).filter_map(|line| marker(line.text));
        match site.owner {
            Owner::Package(_) => {
                for marker in markers(BlockKind::DocFile) {
                    if marker.name == NAME && marker.text != "k8s:validation-gen=false" {
                        asked.insert(path.clone());
                    }
                    if let Some(input) = marker.text.strip_prefix(INPUT) {
                        asked.insert(input.trim().into());
                    }
                }
            }
            Owner::Type(_) if !asked.contains(path) => {
                let mut markers = markers(BlockKind::Closest).chain(markers(BlockKind::Second));
                if markers.any(|marker| marker.text.trim_end() == "k8s:validation-gen=true") {
                    asked.insert(path.clone());
                }
            }
            Owner::Type(_) | Owner::Field(_) | Owner::Constant(..) => {}
        }
    }
    asked
}

fn package_of(builder: &Builder, owner: Owner) -> Option<&Str> {
    match owner {
        Owner::Package(index) => builder
            .packages()
            .get(index as usize)
            .map(|package| &package.path),
        Owner::Type(id) | Owner::Constant(id, _) => Some(&builder.ty(id).name.package),
        Owner::Field(id) => Some(&builder.ty(id.owner).name.package),
    }
}

impl<'a> Cx<'a> {
    /// The group of virtual fields with this name in the package of a declaration.
    pub(crate) fn virtual_group(&mut self, at: &At<'a>, name: &str) -> &mut VirtualGroup<'a> {
        let package = package_of(self.builder, at.owner).cloned().unwrap_or_default();
        let groups = &mut self.groups.virtual_groups;
        groups.entry((package, name.into())).or_default()
    }

    /// Whether validation-gen reads a declaration.
    pub(super) fn asks_validation(&self, owner: Owner) -> bool {
        package_of(self.builder, owner).is_none_or(|path| self.asked.contains(path))
    }
}
