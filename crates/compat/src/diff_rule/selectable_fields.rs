//! `diff-selectable-fields`: other fields can be used in field selectors.

use kindsmith_openapi::crd::{SelectableField, Version};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-selectable-fields", Tool::Kindsmith, include_str!("selectable_fields.md"));

pub(crate) fn check(old: &Version, new: &Version, report: &mut Report<'_>) {
    let (old, new) = (&old.selectable_fields[..], &new.selectable_fields[..]);
    let missing = |fields: &[SelectableField], others: &[SelectableField]| {
        let fields = fields.iter().filter(|field| !others.contains(field));
        fields.map(|field| field.json_path.to_string()).collect::<Vec<String>>()
    };
    for path in missing(old, new) {
        let message = format!("field selectors can no longer use {path}");
        report.add(Class::BreaksClients, "", message);
    }
    for path in missing(new, old) {
        report.add(Class::Compatible, "", format!("field selectors can use {path}"));
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn selectors_by_path() {
        let of = |path: &str| {
            format!("versions: [{{name: v1, served: true, storage: true, selectableFields: [{{jsonPath: {path}}}]}}]")
        };
        check(
            &FINDING,
            &of(".a"),
            &of(".b"),
            &[
                "breaks-clients : field selectors can no longer use .a",
                "compatible : field selectors can use .b",
            ],
        );
        check(&FINDING, &of(".a"), &of(".a"), &[]);
    }
}
