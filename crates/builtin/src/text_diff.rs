//! Unified diffs of texts, as errors about updates show them. The lines that are kept are found as Python's `difflib`
//! finds them, which the reference's library follows: the longest run of equal lines first, then left and right of it.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

/// Unchanged lines that are shown around a change.
const CONTEXT: usize = 3;
/// In texts of this length, lines that are there too often do not start a run.
const LONG: usize = 200;

/// Equal lines of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    old: usize,
    new: usize,
    len: usize,
}

/// A part of the two texts; `is_kept` if it is the same in both.
#[derive(Debug, Clone)]
struct Part {
    old: Range<usize>,
    new: Range<usize>,
    is_kept: bool,
}

/// What to do to get from the old text to the new one; empty if they are equal.
pub(crate) fn unified(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let mut out = String::new();
    for hunk in hunks(&parts(&old, &new)) {
        let span = |of: fn(&Part) -> &Range<usize>| match (hunk.first(), hunk.last()) {
            (Some(first), Some(last)) => of(first).start..of(last).end,
            _ => 0..0,
        };
        let (removed, added) = (span(|part| &part.old), span(|part| &part.new));
        let _ = writeln!(out, "@@ -{} +{} @@", position(&removed), position(&added));
        for part in &hunk {
            let kept = if part.is_kept { part.old.clone() } else { 0..0 };
            let changed = !part.is_kept;
            let lines = old[kept].iter().map(|line| (' ', line));
            let gone = old[if changed { part.old.clone() } else { 0..0 }].iter();
            let come = new[if changed { part.new.clone() } else { 0..0 }].iter();
            let lines = lines
                .chain(gone.map(|line| ('-', line)))
                .chain(come.map(|line| ('+', line)));
            for (sign, line) in lines {
                let _ = writeln!(out, "{sign}{line}");
            }
        }
    }
    out
}

/// A range of lines as headings say it: counted from one, without the length if that is one.
fn position(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

/// The texts as parts that are kept and parts that are not, in turn.
fn parts(old: &[&str], new: &[&str]) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    for run in runs(old, new) {
        if old_end < run.old || new_end < run.new {
            parts.push(Part {
                old: old_end..run.old,
                new: new_end..run.new,
                is_kept: false,
            });
        }
        (old_end, new_end) = (run.old + run.len, run.new + run.len);
        if run.len > 0 {
            parts.push(Part {
                old: run.old..old_end,
                new: run.new..new_end,
                is_kept: true,
            });
        }
    }
    parts
}

/// Groups changes that are near each other, with their context.
fn hunks(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut hunks = vec![Vec::new()];
    let last = parts.len().saturating_sub(1);
    for (index, part) in parts.iter().enumerate() {
        let len = part.old.len();
        if !part.is_kept {
            hunks.last_mut().expect("there is always one").push(part.clone());
            continue;
        }
        let tail = |count: usize| Part {
            old: part.old.end - count..part.old.end,
            new: part.new.end - count..part.new.end,
            is_kept: true,
        };
        let head = |count: usize| Part {
            old: part.old.start..part.old.start + count,
            new: part.new.start..part.new.start + count,
            is_kept: true,
        };
        let is_between = index > 0 && index < last;
        let hunk = hunks.last_mut().expect("there is always one");
        if index == 0 {
            hunk.push(tail(len.min(CONTEXT)));
        } else if is_between && len > 2 * CONTEXT {
            hunk.push(head(CONTEXT));
            hunks.push(vec![tail(CONTEXT)]);
        } else if is_between {
            hunk.push(part.clone());
        } else {
            hunk.push(head(len.min(CONTEXT)));
        }
    }
    hunks.retain(|hunk| hunk.iter().any(|part| !part.is_kept));
    hunks
}

/// The runs of equal lines in order, and an empty one at the end of both texts.
fn runs(old: &[&str], new: &[&str]) -> Vec<Run> {
    let places = places(new);
    let mut runs = Vec::new();
    let mut waiting = vec![(0..old.len(), 0..new.len())];
    while let Some((left, right)) = waiting.pop() {
        let run = longest(old, new, &places, &left, &right);
        if run.len == 0 {
            continue;
        }
        waiting.push((left.start..run.old, right.start..run.new));
        waiting.push((run.old + run.len..left.end, run.new + run.len..right.end));
        runs.push(run);
    }
    runs.sort_by_key(|run| (run.old, run.new));
    runs.dedup_by(|next, run| {
        let follows = run.old + run.len == next.old && run.new + run.len == next.new;
        if follows {
            run.len += next.len;
        }
        follows
    });
    runs.push(Run {
        old: old.len(),
        new: new.len(),
        len: 0,
    });
    runs
}

/// Where each line stands; lines that are there too often in a long text are left out.
fn places<'t>(lines: &[&'t str]) -> HashMap<&'t str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        places.entry(line).or_default().push(index);
    }
    if lines.len() >= LONG {
        let most = lines.len() / 100 + 1;
        let popular: HashSet<&str> = places
            .iter()
            .filter(|(_, found)| found.len() > most)
            .map(|(line, _)| *line)
            .collect();
        places.retain(|line, _| !popular.contains(line));
    }
    places
}

/// The longest run inside two ranges; the first of several.
fn longest(
    old: &[&str],
    new: &[&str],
    places: &HashMap<&str, Vec<usize>>,
    left: &Range<usize>,
    right: &Range<usize>,
) -> Run {
    let mut best = Run {
        old: left.start,
        new: right.start,
        len: 0,
    };
    // How long a run is that ends with the line before, by its place in the new text.
    let mut ending: HashMap<usize, usize> = HashMap::new();
    for index in left.clone() {
        let mut next = HashMap::new();
        let found = places.get(old[index]).map(Vec::as_slice).unwrap_or_default();
        for &place in found.iter().filter(|place| right.contains(place)) {
            let before = place.checked_sub(1).and_then(|place| ending.get(&place));
            let len = before.copied().unwrap_or_default() + 1;
            next.insert(place, len);
            if len > best.len {
                best = Run {
                    old: index + 1 - len,
                    new: place + 1 - len,
                    len,
                };
            }
        }
        ending = next;
    }
    // Lines that are there too often do not start a run, but they make it longer.
    while best.old > left.start && best.new > right.start && old[best.old - 1] == new[best.new - 1] {
        best.old -= 1;
        best.new -= 1;
        best.len += 1;
    }
    while best.old + best.len < left.end
        && best.new + best.len < right.end
        && old[best.old + best.len] == new[best.new + best.len]
    {
        best.len += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn shows_changes_with_their_surroundings() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh";
        for (new, expected) in [
            (old, ""),
            (
                "a\nb\nc\nd\nE\nf\ng\nh",
                "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n",
            ),
            ("a\nb\nc\nd\ne\nf\ng\nh\ni", "@@ -6,3 +6,4 @@\n f\n g\n h\n+i\n"),
            ("b\nc\nd\ne\nf\ng\nh", "@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n"),
        ] {
            assert_eq!(unified(old, new), expected);
        }
    }

    #[test]
    fn changes_that_are_far_apart_are_shown_apart() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        let new = "x\n2\n3\n4\n5\n6\n7\n8\ny";
        let expected = "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n";
        assert_eq!(unified(old, new), expected);
    }
}
