//! Checks of client-gen's markers (code-generator `cmd/client-gen/generators/util/tags.go`), and of markers
//! that only one tool sees because of their place.

use kindsmith_schema::Owner;

use super::lines::Lines;
use super::{Gathered, Reader, report};
use crate::finding;
use crate::tag::Scope;

impl Reader<'_> {
    /// client-gen stops at an unknown marker with its prefix.
    pub(super) fn client(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        if !matches!(lines.owner, Owner::Type(_)) {
            return;
        }
        let is_client = lines.markers.iter().any(|marker| marker.text == "genclient");
        for marker in &lines.markers {
            let name = marker.text.split('=').next().unwrap_or_default();
            if !name.starts_with("genclient") || crate::catalogue::find(name).is_some() {
                continue;
            }
            let message = format!("unknown tag detected: {name}");
            let is_error = is_client && self.tools.is_input(lines.package);
            let upstream = format!("client-gen: {message}");
            gathered.diagnostics.push(
                report::graded(&finding::CLIENT_TAG, marker.name_span(), message, is_error)
                    .upstream(upstream),
            );
        }
    }

    /// Markers of several tools in a comment that only controller-gen attaches to the field.
    pub(super) fn placement(&self, lines: &Lines<'_>, gathered: &mut Gathered) {
        let mut apart = lines
            .markers
            .iter()
            .filter(|marker| !marker.is_gengo())
            .peekable();
        if lines.scope != Scope::Field || apart.peek().is_none() || !self.is_published(lines) {
            return;
        }
        for marker in apart {
            let shared = marker.crd.as_ref().is_some_and(|crd| {
                let descriptor = crd.tag.as_marker();
                // If the field has the marker too, nothing is lost.
                descriptor.is_some_and(|descriptor| descriptor.openapi.is_some())
                    && !lines.has_old(crd.tag.name)
            });
            if shared || (marker.text.starts_with("default=") && !lines.has_old("default")) {
                let message =
                    "only controller-gen reads this marker here: the comment does not touch the field";
                gathered.diagnostics.push(
                    report::graded(&finding::MARKER_PLACEMENT, marker.name_span(), message, false)
                        .help("move it to the comment directly above the field"),
                );
            }
        }
    }
}
