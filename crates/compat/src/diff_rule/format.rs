//! `diff-format`: values have another format. The server checks only formats that it knows.

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-format", Tool::Kindsmith, include_str!("format.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (old, new) = (&*node.old.format, &*node.new.format);
    if old == new {
        return;
    }
    let message = match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("the format is {new} now"),
        (_, true) => format!("the format {old} is gone"),
        _ => format!("the format changes from {old} to {new}"),
    };
    if new.is_empty() || is_wider(old, new) {
        report.add(Class::Compatible, &node.path, message);
    } else if is_checked(new) {
        report
            .add(node.tightened(), &node.path, message)
            .stored(node.stored());
    } else {
        report
            .add(Class::Meaning, &node.path, message)
            .help("the server does not know this format and accepts every value");
    }
}

fn is_wider(old: &str, new: &str) -> bool {
    matches!((old, new), ("int32", "int64") | ("float", "double"))
}

fn is_checked(format: &str) -> bool {
    let of = [Applies::String, Applies::Integer, Applies::Number];
    of.into_iter().any(|applies| strfmt::find(applies, format).is_some())
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn formats_that_the_server_knows_are_checked() {
        let of = |ty: &str, format: &str| format!("properties: {{f: {{type: {ty}, format: '{format}'}}}}");
        for (ty, old, new, expected) in [
            ("integer", "int32", "int64", "compatible spec.f: the format changes from int32 to int64"),
            ("integer", "int64", "int32", "ratchets spec.f: the format changes from int64 to int32"),
            ("string", "", "uuid", "ratchets spec.f: the format is uuid now"),
            ("string", "uuid", "", "compatible spec.f: the format uuid is gone"),
            ("string", "", "postcode", "meaning spec.f: the format is postcode now"),
        ] {
            check(&FINDING, &of(ty, old), &of(ty, new), &[expected]);
            check(&FINDING, &of(ty, old), &of(ty, old), &[]);
        }
    }
}
