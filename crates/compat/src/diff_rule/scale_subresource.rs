//! `diff-scale-subresource`: `/scale` appears, disappears, or uses other fields.

use kindsmith_openapi::crd::{Scale, Version};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-scale-subresource", Tool::Kindsmith, include_str!("scale_subresource.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    let change = match (scale(old), scale(new)) {
        (Some(_), None) => (Class::BreaksClients, "the subresource /scale is gone"),
        (None, Some(_)) => (Class::Compatible, "the subresource /scale is new"),
        (Some(old), Some(new)) if old != new => {
            (Class::Meaning, "the subresource /scale uses other fields")
        }
        _ => return,
    };
    report.add(change.0, "", change.1);
}

fn scale(version: &Version) -> Option<&Scale> {
    version.subresources.as_ref()?.scale.as_ref()
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn scale_comes_goes_and_changes() {
        let with = |path: &str| {
            format!(
                "versions: [{{name: v1, served: true, storage: true, subresources: {{scale: {{specReplicasPath: {path}, statusReplicasPath: .status.n}}}}}}]"
            )
        };
        let without = "versions: [{name: v1, served: true, storage: true}]";
        check(&FINDING, &with(".spec.n"), without, &["breaks-clients : the subresource /scale is gone"]);
        check(&FINDING, without, &with(".spec.n"), &["compatible : the subresource /scale is new"]);
        check(
            &FINDING,
            &with(".spec.n"),
            &with(".spec.m"),
            &["meaning : the subresource /scale uses other fields"],
        );
        check(&FINDING, without, without, &[]);
    }
}
