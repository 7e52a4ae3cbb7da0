//! Markers between `/*` and `*/`, which controller-gen does not see (controller-tools `pkg/markers/zip.go`
//! reads only lines that start with `//`).

use kindsmith_schema::Owner;
use kindsmith_source::Diagnostic;

use super::lines::{self, Lines};
use super::{Gathered, Reader};
use crate::finding;
use crate::tag::Family;

impl Reader<'_> {
    /// Warns if such a marker was clearly meant for controller-gen.
    pub(super) fn block_comments(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        for marker in lines.markers.iter().filter(|marker| !marker.slashes) {
            let Some(crd) = lines::crd(marker.text, lines.scope) else {
                continue;
            };
            if crd.tag.family != Family::Kubebuilder && !self.is_custom(lines.owner) {
                continue;
            }
            let message = format!(
                "controller-gen does not see {:?} in a `/* */` comment",
                crd.tag.name
            );
            let found = Diagnostic::warning(&finding::BLOCK_COMMENT, marker.name_span(), message);
            gathered
                .diagnostics
                .push(found.help("write it in a `//` comment, which all tools read"));
        }
    }

    fn is_custom(&self, owner: Owner) -> bool {
        match owner {
            Owner::Type(id) | Owner::Constant(id, _) => self.tools.crd(self.builder, id),
            Owner::Field(id) => self.tools.crd(self.builder, id.owner),
            Owner::Package(_) => false,
        }
    }
}
