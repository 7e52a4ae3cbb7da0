//! Findings, with upstream's full messages.

use kindsmith_schema::{Builder, Owner, TypeName};
use kindsmith_source::{Diagnostic, Finding, Severity, Span, Tool};

use super::at::At;
use super::context::Cx;
use super::misuse::Misuse;
use crate::{catalogue, finding};

/// When upstream would report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// While the tags of a declaration are read.
    Reading,
    /// When all tags of its surroundings are read.
    Deferred,
}

impl<'a> Cx<'a> {
    /// Reports an error in the current tag.
    pub(crate) fn report(&mut self, at: &At<'a>, misuse: Misuse) {
        self.push(at, Phase::Reading, misuse);
    }

    /// Reports an error that upstream finds after everything around is read.
    pub(crate) fn report_deferred(&mut self, at: &At<'a>, misuse: Misuse) {
        self.push(at, Phase::Deferred, misuse);
    }

    /// Reports that upstream rejects something that the KEP describes. The rule is kept.
    pub fn kep_only(&mut self, at: &At<'a>, misuse: Misuse) {
        if self.is_upstream() {
            let help = "Kindsmith understands it; accept it with --profile kep";
            self.push(
                at,
                Phase::Reading,
                misuse.with_finding(&finding::KEP_ONLY).help(help),
            );
        }
    }

    pub(crate) fn push(&mut self, at: &At<'a>, phase: Phase, misuse: Misuse) {
        if misuse.is_reported() || at.mute && !misuse.again {
            return;
        }
        let help = if misuse.help.is_empty() && misuse.wrong_type {
            at.chain
                .last()
                .and_then(|name| applies_to(name))
                .into_iter()
                .collect()
        } else {
            misuse.help
        };
        let span = misuse.span.unwrap_or_else(|| at.name_span.clone());
        let message = match phase {
            Phase::Reading => at
                .chain
                .iter()
                .rev()
                .fold(misuse.text, |text, name| format!("tag {name:?}: {text}")),
            Phase::Deferred => misuse.text,
        };
        let mut found = Diagnostic::error(misuse.finding, at.span.part(span.start, span.end), message);
        if at.ignored {
            found.severity = Severity::Warning;
        } else if misuse.finding.tool() != Tool::Kindsmith {
            if at.unasked {
                found.severity = Severity::Warning;
            }
            let phase = if at.mute { Phase::Deferred } else { phase };
            let envelope = || envelope(self.builder, at.owner, phase, &found.message);
            found.upstream = Some(misuse.whole.unwrap_or_else(envelope));
        }
        found.help = help;
        self.diagnostics.push(found);
    }

    /// Reports something that upstream does not mention.
    pub fn warn(
        &mut self,
        finding: &'static Finding,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics
            .push(Diagnostic::warning(finding, span, message).help(help));
    }
}

/// The types that a tag is for, in fixed words.
fn applies_to(name: &str) -> Option<String> {
    let tag = catalogue::find(name)?;
    Some(format!("+{name} is for {}", tag.types))
}

/// Upstream's full message about an error (tag name and message inside).
fn envelope(builder: &Builder, owner: Owner, phase: Phase, message: &str) -> String {
    const FAILED: &str = "failed to generate validations: ";
    match owner {
        // Messages about packages are complete.
        Owner::Package(_) => message.to_owned(),
        Owner::Constant(id, index) => {
            let ty = builder.ty(id);
            let name = ty
                .constants
                .get(index as usize)
                .map_or("", |constant| &*constant.name);
            let name = TypeName::new(ty.name.package.clone(), name);
            format!("Error discovering constants: constant {name}: {message}")
        }
        Owner::Type(id) => match phase {
            Phase::Reading => format!("{FAILED}{}: {message}", builder.ty(id).name),
            Phase::Deferred => format!("{FAILED}{message}"),
        },
        Owner::Field(id) => {
            let ty = builder.ty(id.owner);
            let Some(field) = ty.fields().get(id.index as usize) else {
                return message.to_owned();
            };
            match phase {
                Phase::Reading => format!("{FAILED}field {}.{}: {message}", ty.name, field.display_name()),
                Phase::Deferred => format!(
                    "{FAILED}deferred validation callback failed for field {} of type {}: {message}",
                    field.name, ty.name
                ),
            }
        }
    }
}
