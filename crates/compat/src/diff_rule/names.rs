//! `diff-names`: other names of the resource.

use kindsmith_openapi::crd::Definition;
use kindsmith_schema::Str;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-names", Tool::Kindsmith, include_str!("names.md"));

pub(crate) fn check(old: &Definition, new: &Definition, report: &mut Report<'_>) {
    let (old, new) = (&old.spec.names, &new.spec.names);
    if old.plural != new.plural {
        report
            .add(
                Class::BreaksClients,
                "",
                format!("the plural changes from {} to {}", old.plural, new.plural),
            )
            .stored("this is another CRD: existing objects do not move to it");
    }
    if old.list_kind != new.list_kind {
        let message = format!("the list kind changes from {} to {}", old.list_kind, new.list_kind);
        report.add(Class::BreaksClients, "", message);
    }
    if old.singular != new.singular {
        let message = format!("the singular changes from {} to {}", old.singular, new.singular);
        report.add(Class::Meaning, "", message);
    }
    for (noun, old, new) in [
        ("short name", &old.short_names, &new.short_names),
        ("category", &old.categories, &new.categories),
    ] {
        for name in missing(old, new) {
            report.add(Class::Meaning, "", format!("the {noun} {name} is gone"));
        }
        for name in missing(new, old) {
            report.add(Class::Compatible, "", format!("the {noun} {name} is new"));
        }
    }
}

/// The names that the other list does not have.
fn missing<'n>(names: &'n [Str], others: &'n [Str]) -> impl Iterator<Item = &'n Str> {
    names.iter().filter(|name| !others.contains(name))
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn names_that_clients_use() {
        let old = "names: {plural: gates, singular: gate, kind: Gate, listKind: GateList, shortNames: [gt]}";
        let new = "names: {plural: doors, singular: gate, kind: Gate, listKind: Gates, categories: [all]}";
        check(&FINDING, old, old, &[]);
        check(
            &FINDING,
            old,
            new,
            &[
                "breaks-clients : the list kind changes from GateList to Gates",
                "breaks-clients : the plural changes from gates to doors",
                "meaning : the short name gt is gone",
                "compatible : the category all is new",
            ],
        );
    }
}
