//! `diff-enum`: other values are allowed.

use kindsmith_schema::Json;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-enum", Tool::Kindsmith, include_str!("enumeration.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (old, new) = (&node.old.enum_values[..], &node.new.enum_values[..]);
    match (old.is_empty(), new.is_empty()) {
        (true, true) => {}
        (false, true) => {
            let message = if node.new.pattern.is_empty() { "any value is allowed now".to_owned() } else { format!("any value that matches `{}` is allowed now", node.new.pattern) };
            report
                .add(Class::Compatible, &node.path, message)
                .help("clients that read it must expect other values");
        }
        (true, false) if node.keeps_texts(|text| new.contains(&Json::from(text))) => {
            let message = format!("{} are listed as an enum now", listed(new.iter()));
            report.add(Class::Compatible, &node.path, message);
        }
        (true, false) => {
            let message = format!("only {} are allowed now", listed(new.iter()));
            report
                .add(Class::BreaksClients, &node.path, message)
                .stored(node.stored());
        }
        (false, false) => {
            let gone: Vec<&Json> = old.iter().filter(|value| !new.contains(value)).collect();
            if !gone.is_empty() {
                let message = format!("no longer allowed: {}", listed(gone.into_iter()));
                let change = report.add(Class::BreaksClients, &node.path, message);
                change.stored(node.stored());
            }
            let more: Vec<&Json> = new.iter().filter(|value| !old.contains(value)).collect();
            if !more.is_empty() {
                let message = format!("also allowed: {}", listed(more.into_iter()));
                let change = report.add(Class::Compatible, &node.path, message);
                change.help("clients that read it must expect the new values");
            }
        }
    }
}

fn listed<'j>(values: impl Iterator<Item = &'j Json>) -> String {
    values.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    fn field(values: &str) -> String {
        format!("properties: {{f: {{type: string{values}}}}}")
    }

    #[test]
    fn narrower_and_wider() {
        let (none, ab, bc) = (field(""), field(", enum: [a, b]"), field(", enum: [b, c]"));
        check(&FINDING, &none, &ab, &["breaks-clients spec.f: only \"a\", \"b\" are allowed now"]);
        check(&FINDING, &ab, &none, &["compatible spec.f: any value is allowed now"]);
        check(
            &FINDING,
            &ab,
            &bc,
            &[
                "breaks-clients spec.f: no longer allowed: \"a\"",
                "compatible spec.f: also allowed: \"c\"",
            ],
        );
        check(&FINDING, &field(", enum: [a, b]"), &field(", enum: [b, a]"), &[]);
    }

    #[test]
    fn enums_and_patterns_for_each_other() {
        let (listed, pattern) = (field(", enum: [a, b]"), field(", pattern: ^(a|b)$"));
        check(&FINDING, &pattern, &listed, &["compatible spec.f: \"a\", \"b\" are listed as an enum now"]);
        check(&FINDING, &listed, &pattern, &["compatible spec.f: any value that matches `^(a|b)$` is allowed now"]);
        let more = field(", pattern: ^(a|b|c)$");
        check(&FINDING, &more, &listed, &["breaks-clients spec.f: only \"a\", \"b\" are allowed now"]);
    }
}
