//! Which letters differ in case only.

use super::fold;

/// Calls `add` for each code point that folds to a member of the range, members included.
pub(in crate::regexp) fn fold_range(lo: u32, hi: u32, mut add: impl FnMut(u32, u32)) {
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
