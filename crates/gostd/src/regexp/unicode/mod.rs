//! Unicode as Go 1.26 knows it: version 15.0, older than the tables of Rust's regular expressions.

mod alias;
mod category;
mod fold;
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

/// Calls `add` for each code point that folds to a member of the range, members included.
pub(super) fn fold_range(lo: u32, hi: u32, mut add: impl FnMut(u32, u32)) {
    add(lo, hi);
    for &(first, last, step, distance) in fold::PAIRS {
        add_shifted((first, last), step, distance.cast_signed(), (lo, hi), &mut add);
        add_shifted(
            (first + distance, last + distance),
            step,
            -distance.cast_signed(),
            (lo, hi),
            &mut add,
        );
    }
    for orbit in fold::ORBITS {
        if orbit.iter().any(|rune| (lo..=hi).contains(rune)) {
            orbit.iter().for_each(|&rune| add(rune, rune));
        }
    }
}

/// Adds the partners of those members of a run that are in the range.
fn add_shifted(
    (first, last): (u32, u32),
    step: u32,
    distance: i32,
    (lo, hi): (u32, u32),
    add: &mut impl FnMut(u32, u32),
) {
    if hi < first || lo > last {
        return;
    }
    let start = first + lo.saturating_sub(first).div_ceil(step) * step;
    let end = last.min(hi);
    if start > end {
        return;
    }
    let shift = |rune: u32| rune.wrapping_add_signed(distance);
    if step == 1 {
        add(shift(start), shift(end));
        return;
    }
    for rune in (start..=end).step_by(step as usize) {
        add(shift(rune), shift(rune));
    }
}
