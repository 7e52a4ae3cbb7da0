//! `NamesAccepted`: no other CRD of the group uses the names (`naming_controller.go`).

use std::collections::HashSet;

use kindsmith_gostd::quote::quote;
use kindsmith_openapi::crd::{Definition, Names};
use kindsmith_request::aggregate;
use kindsmith_schema::Str;

use super::{Board, ESTABLISHED, Finding, NAMES_ACCEPTED, is_true};

pub(super) fn update(definition: &Definition, others: &[Names], board: &mut Board<'_>) {
    let wanted = &definition.spec.names;
    if same(wanted, &board.status.accepted_names) {
        return;
    }
    let taken = Taken::new(others, &board.status.accepted_names);
    let (accepted, conflict) = accept(wanted, &board.status.accepted_names, &taken);
    board.status.accepted_names = accepted;
    match &conflict {
        Some((reason, message)) => board.set(
            NAMES_ACCEPTED,
            &Finding {
                status: "False",
                reason,
                message,
            },
        ),
        None => board.set(
            NAMES_ACCEPTED,
            &Finding {
                status: "True",
                reason: "NoConflicts",
                message: "no conflicts found",
            },
        ),
    }
    if board.status.condition(ESTABLISHED).is_none() && conflict.is_some() {
        board.set(
            ESTABLISHED,
            &Finding {
                status: "False",
                reason: "NotAccepted",
                message: "not all names are accepted",
            },
        );
    }
    if !is_true(board.status, ESTABLISHED) && conflict.is_none() {
        board.set(
            ESTABLISHED,
            &Finding {
                status: "False",
                reason: "Installing",
                message: "the initial names have been accepted",
            },
        );
    }
}

/// Whether two sets of names are equal; absent and empty lists are the same.
fn same(left: &Names, right: &Names) -> bool {
    left.plural == right.plural
        && left.singular == right.singular
        && *left.short_names == *right.short_names
        && left.kind == right.kind
        && left.list_kind == right.list_kind
        && *left.categories == *right.categories
}

/// Names in use: resources share one namespace, kinds another.
struct Taken<'n> {
    resources: HashSet<&'n str>,
    kinds: HashSet<&'n str>,
}

impl<'n> Taken<'n> {
    fn new(others: &'n [Names], own: &'n Names) -> Taken<'n> {
        let mut taken = Taken {
            resources: HashSet::new(),
            kinds: HashSet::new(),
        };
        for names in others.iter().chain([own]) {
            taken.resources.extend([&*names.plural, &*names.singular]);
            taken
                .resources
                .extend(names.short_names.iter().map(|name| &**name));
            taken.kinds.extend([&*names.kind, &*names.list_kind]);
        }
        taken
    }
}

type Conflict = (&'static str, String);

/// Accepts every name that is free; of several conflicts the last is reported.
fn accept(wanted: &Names, own: &Names, taken: &Taken<'_>) -> (Names, Option<Conflict>) {
    let mut accepted = own.clone();
    let mut conflict = None;
    let singles: [(&Str, &mut Str, &HashSet<&str>, &'static str); 2] = [
        (
            &wanted.plural,
            &mut accepted.plural,
            &taken.resources,
            "PluralConflict",
        ),
        (
            &wanted.singular,
            &mut accepted.singular,
            &taken.resources,
            "SingularConflict",
        ),
    ];
    for (name, slot, used, reason) in singles {
        single(name, slot, used, reason, &mut conflict);
    }
    if *wanted.short_names != *own.short_names {
        let problems: Vec<String> = wanted
            .short_names
            .iter()
            .filter(|name| !own.short_names.contains(name) && is_taken(name, "", &taken.resources))
            .map(|name| in_use(name))
            .collect();
        if problems.is_empty() {
            accepted.short_names = wanted.short_names.clone();
        } else {
            conflict = Some(("ShortNamesConflict", aggregate(problems)));
        }
    }
    let singles: [(&Str, &mut Str, &HashSet<&str>, &'static str); 2] = [
        (&wanted.kind, &mut accepted.kind, &taken.kinds, "KindConflict"),
        (
            &wanted.list_kind,
            &mut accepted.list_kind,
            &taken.kinds,
            "ListKindConflict",
        ),
    ];
    for (name, slot, used, reason) in singles {
        single(name, slot, used, reason, &mut conflict);
    }
    accepted.categories = wanted.categories.clone();
    (accepted, conflict)
}

fn single(
    name: &Str,
    slot: &mut Str,
    used: &HashSet<&str>,
    reason: &'static str,
    conflict: &mut Option<Conflict>,
) {
    if is_taken(name, slot, used) {
        *conflict = Some((reason, in_use(name)));
    } else {
        *slot = name.clone();
    }
}

fn is_taken(name: &str, own: &str, used: &HashSet<&str>) -> bool {
    name != own && used.contains(name)
}

fn in_use(name: &str) -> String {
    format!("{} is already in use", quote(name))
}
