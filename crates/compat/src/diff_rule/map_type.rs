//! `diff-map-type`: an object is applied as a whole, or field by field.

use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-map-type", Tool::Kindsmith, include_str!("map_type.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (old, new) = (map_type(node.old), map_type(node.new));
    if old != new {
        report
            .add(Class::Meaning, &node.path, format!("the map type changes from {old} to {new}"))
            .help("server-side apply merges it in another way; managers may lose or gain fields");
    }
}

fn map_type(schema: &JsonSchema) -> &str {
    schema.map_type.as_deref().unwrap_or("granular")
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn granular_is_the_default() {
        let of = |map: &str| format!("properties: {{f: {{type: object{map}}}}}");
        let atomic = of(", x-kubernetes-map-type: atomic");
        check(
            &FINDING,
            &of(""),
            &atomic,
            &["meaning spec.f: the map type changes from granular to atomic"],
        );
        check(&FINDING, &of(""), &of(", x-kubernetes-map-type: granular"), &[]);
    }
}
