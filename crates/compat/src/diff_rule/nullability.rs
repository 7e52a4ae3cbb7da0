//! `diff-nullability`: whether `null` is a value.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-nullability", Tool::Kindsmith, include_str!("nullability.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    match (node.old.nullable, node.new.nullable) {
        (true, false) if node.new.default.is_some() => {
            report.add(Class::Meaning, &node.path, "null is replaced by the default");
        }
        (true, false) => {
            report
                .add(Class::BreaksClients, &node.path, "null is no longer a value")
                .stored("null is dropped when stored objects are read");
        }
        (false, true) => {
            report
                .add(Class::Compatible, &node.path, "null is a value now")
                .help("clients that read it must expect null");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn null_or_not() {
        let of = |nullable: bool, rest: &str| format!("properties: {{f: {{type: string, nullable: {nullable}{rest}}}}}");
        check(
            &FINDING,
            &of(true, ""),
            &of(false, ""),
            &["breaks-clients spec.f: null is no longer a value"],
        );
        check(
            &FINDING,
            &of(true, ", default: a"),
            &of(false, ", default: a"),
            &["meaning spec.f: null is replaced by the default"],
        );
        check(&FINDING, &of(false, ""), &of(true, ""), &["compatible spec.f: null is a value now"]);
        check(&FINDING, &of(true, ""), &of(true, ""), &[]);
    }
}
