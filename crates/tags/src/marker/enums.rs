//! Cases of `+k8s:enum` that controller-gen rejects (controller-tools `pkg/crd/markers/validation.go`,
//! `K8sEnum`).

use kindsmith_schema::{Constant, Owner, Scalar, TypeId};
use kindsmith_source::Span;

use super::lines::Lines;
use super::{Gathered, Reader, report};
use crate::finding;

const NAME: &str = "k8s:enum";

impl Reader<'_> {
    /// Checks `+k8s:enum` on a declaration that is published in a custom resource.
    pub(super) fn enums(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let mut markers = lines.markers.iter();
        let Some(marker) = markers.find(|marker| marker.text == NAME && marker.in_crd) else {
            return;
        };
        let span = marker.name_span();
        match lines.owner {
            Owner::Field(id) if self.tools.crd(self.builder, id.owner) => {
                let help = "move the tag to the declaration of the field's type";
                refuse(
                    gathered,
                    span,
                    "k8s:enum must be set on a type, not a field",
                    help,
                );
            }
            Owner::Type(id) if self.tools.crd(self.builder, id) => {
                if let Some((message, help)) = self.enum_problem(id) {
                    refuse(gathered, span, &message, help);
                }
            }
            _ => {}
        }
    }

    fn enum_problem(&self, id: TypeId) -> Option<(String, &'static str)> {
        let ty = self.builder.ty(id);
        let view = self.builder.view();
        if view.scalar(&kindsmith_schema::TypeRef::Named(id)) != Some(Scalar::String) {
            let message = format!("enum type must be a string, not {}", ty.name);
            return Some((message, "declare it as `type T string`"));
        }
        // Only constants of the type's package with a literal value count.
        let counts = |constant: &Constant| constant.literal && constant.package == ty.name.package;
        if ty.constants.iter().any(counts) {
            return None;
        }
        let message = format!("no enum values found for type {}", ty.name);
        Some((
            message,
            "declare constants of the type, each with a string literal",
        ))
    }
}

fn refuse(gathered: &mut Gathered, span: Span, message: &str, help: &str) {
    let found = report::crd(&finding::MARKER_MISUSE, span, message, true);
    gathered.diagnostics.push(found.help(help));
}
