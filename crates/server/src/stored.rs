//! How many objects are stored, by resource.

use std::fmt::Write as _;

use kindsmith_api::Api;

use crate::metrics::head;

/// The metrics of a store that can be counted without asking another machine.
pub(crate) fn text(api: &Api) -> String {
    let counts = api.stored_objects();
    let mut text = String::new();
    if counts.is_empty() {
        return text;
    }
    head(
        &mut text,
        "apiserver_resource_objects",
        "gauge",
        "[ALPHA] How many objects of a resource are stored.",
    );
    for (group, resource, count) in &counts {
        let _ = writeln!(
            text,
            "apiserver_resource_objects{{group=\"{group}\",resource=\"{resource}\"}} {count}"
        );
    }
    head(
        &mut text,
        "apiserver_storage_objects",
        "gauge",
        "[STABLE] The same under its old name, with the group behind the resource.",
    );
    for (group, resource, count) in &counts {
        let dot = if group.is_empty() { "" } else { "." };
        let _ = writeln!(
            text,
            "apiserver_storage_objects{{resource=\"{resource}{dot}{group}\"}} {count}"
        );
    }
    text
}
