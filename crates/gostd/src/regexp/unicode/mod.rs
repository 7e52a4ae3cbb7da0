//! Unicode as Go 1.26 knows it: version 15.0, older than the tables of Rust's regular expressions.

mod alias;
mod category;
mod fold;
pub(super) mod folding;
mod script;

use super::set::RuneSet;

/// Finds the code points of a `\p{...}` name, compared as Go does: first letter upper case, the others lower case,
/// without underscores, spaces and dashes.
pub(super) fn class(name: &str) -> Option<RuneSet> {
    let name = canonical(name);
    match name.as_str() {
        "Any" => return Some(RuneSet::full()),
        "Ascii" => return Some(RuneSet::from_pairs(&[0, 0x7f])),
        "Assigned" => return Some(assigned()),
        "Lc" => return general("LC"),
        _ => {}
    }
    general(&name)
        .or_else(|| lookup(script::SCRIPTS, &name))
        .or_else(|| {
            let (_, target) = alias::ALIASES.iter().find(|(long, _)| *long == name)?;
            general(target)
        })
}

fn canonical(name: &str) -> String {
    let mut letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first
        .into_iter()
        .chain(letters.map(|c| c.to_ascii_lowercase()))
        .collect()
}

/// A general category: two letters, or one letter for all categories that start with it.
fn general(name: &str) -> Option<RuneSet> {
    match name {
        // Surrogates never occur in text, so `Cs` is empty here.
        "Cs" => Some(RuneSet::default()),
        "Cn" => Some(assigned().negated()),
        "LC" => Some(union(|category| matches!(category, "Lu" | "Ll" | "Lt"))),
        "C" => Some(union(|category| !category.starts_with('C')).negated()),
        "L" | "M" | "N" | "P" | "S" | "Z" => Some(union(|category| category.starts_with(name))),
        _ => lookup(category::CATEGORIES, name),
    }
}

fn assigned() -> RuneSet {
    union(|_| true)
}

fn union(keep: impl Fn(&str) -> bool) -> RuneSet {
    let mut set = RuneSet::default();
    for (_, pairs) in category::CATEGORIES.iter().filter(|(name, _)| keep(name)) {
        set.add_pairs(pairs);
    }
    set.normalized()
}

fn lookup(table: &[(&str, &[u32])], name: &str) -> Option<RuneSet> {
    let index = table.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(RuneSet::from_pairs(table[index].1))
}
