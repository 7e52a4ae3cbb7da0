//! openapi-gen's unions (kube-openapi `pkg/generators/union.go`). It only logs errors, so they are warnings.

use kindsmith_schema::{FieldId, Owner, TypeId};
use kindsmith_source::{Diagnostic, Span};

use super::lines::Lines;
use super::{Gathered, Reader, report};
use crate::finding;

impl Reader<'_> {
    /// Checks a struct that is a union.
    pub(super) fn unions(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let Owner::Type(id) = lines.owner else {
            return;
        };
        let Some((marker, _)) = lines.old("union").next() else {
            return;
        };
        let span = marker.name_span();
        let ty = self.builder.ty(id);
        let mut discriminators = Vec::new();
        for (index, field) in ty.fields().iter().enumerate() {
            let member = self.member(id, index);
            let has = |name: &str| member.is_some_and(|lines| lines.has_old(name));
            let at = member.and_then(|lines| lines.any).unwrap_or(span);
            if has("unionDiscriminator") {
                discriminators.push((field.display_name(), at));
            } else if !field.json.omitempty && !has("optional") {
                let text = format!("union members must be optional: {}.{}", ty.name, field.name);
                gathered.diagnostics.push(log(at, text, &ty.name.to_string()));
            }
        }
        if let [first, second, ..] = &discriminators[..] {
            let text = format!("at least two discriminators found: {} and {}", second.0, first.0);
            gathered
                .diagnostics
                .push(log(second.1, text, &ty.name.to_string()));
        }
    }

    fn member(&self, id: TypeId, index: usize) -> Option<&Lines<'_>> {
        let owner = Owner::Field(FieldId {
            owner: id,
            index: u32::try_from(index).ok()?,
        });
        self.lines_of(owner)
    }
}

fn log(span: Span, text: String, ty: &str) -> Diagnostic {
    let upstream = format!("openapi-gen: [{ty}]: {text}");
    report::graded(&finding::UNION_MISUSE, span, text, false).upstream(upstream)
}
