//! `diff-list-type`: items of a list are merged and told apart in another way.

use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-list-type", Tool::Kindsmith, include_str!("list_type.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if &*node.old.ty != "array" || &*node.new.ty != "array" {
        return;
    }
    let (old, new) = (list_type(node.old), list_type(node.new));
    let message = if old != new {
        format!("the list type changes from {old} to {new}")
    } else if node.old.list_map_keys != node.new.list_map_keys {
        format!("the keys of the list change from {} to {}", keys(node.old), keys(node.new))
    } else {
        return;
    };
    let change = report.add(Class::Meaning, &node.path, message);
    change.help("server-side apply merges the list in another way; managers may lose or gain fields");
    if new != "atomic" {
        change.stored("new duplicates are refused; an object that was stored with some can still be updated");
    }
}

fn list_type(schema: &JsonSchema) -> &str {
    schema.list_type.as_deref().unwrap_or("atomic")
}

fn keys(schema: &JsonSchema) -> String {
    schema.list_map_keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn types_and_keys() {
        let of = |list: &str| {
            format!(
                "properties: {{f: {{type: array, items: {{type: object, required: [a, b], properties: {{a: {{type: string}}, b: {{type: string}}}}}}{list}}}}}"
            )
        };
        let map = |key: &str| of(&format!(", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{key}]"));
        check(&FINDING, &of(""), &map("a"), &["meaning spec.f: the list type changes from atomic to map"]);
        check(&FINDING, &map("a"), &of(""), &["meaning spec.f: the list type changes from map to atomic"]);
        check(&FINDING, &map("a"), &map("b"), &["meaning spec.f: the keys of the list change from a to b"]);
        check(&FINDING, &of(""), &of(", x-kubernetes-list-type: atomic"), &[]);
    }
}
