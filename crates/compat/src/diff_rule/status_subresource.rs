//! `diff-status-subresource`: `/status` appears or disappears.

use kindsmith_openapi::crd::Version;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-status-subresource", Tool::Kindsmith, include_str!("status_subresource.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    let has_status = |version: &Version| {
        let subresources = version.subresources.as_ref();
        subresources.is_some_and(|subresources| subresources.status.is_some())
    };
    match (has_status(old), has_status(new)) {
        (true, false) => {
            report
                .add(Class::BreaksClients, "", "the subresource /status is gone")
                .help("requests to /status get 404; writes of the object change its status again");}
        (false, true) => {
            report
                .add(Class::BreaksClients, "", "the subresource /status is new: writes of the object no longer change its status")
                .help("clients that write the status must use /status");}
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn with_and_without_status() {
        let with = "versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]";
        let without = "versions: [{name: v1, served: true, storage: true}]";
        check(&FINDING, with, without, &["breaks-clients : the subresource /status is gone"]);
        check(
            &FINDING,
            without,
            with,
            &["breaks-clients : the subresource /status is new: writes of the object no longer change its status"],
        );
        check(&FINDING, with, with, &[]);
    }
}
