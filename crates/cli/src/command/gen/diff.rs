//! The difference between two texts, as a unified diff.

use std::fmt::Write;

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Texts with more changes than this are shown as replaced entirely.
const MAX_EDITS: usize = 2_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    Keep,
    Remove,
    Insert,
}

/// A unified diff; empty if the texts are equal.
pub(super) fn unified(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let edits = edits(&old, &new);
    let mut out = format!("--- a/{path}\n+++ b/{path}\n");
    for (from, to) in hunks(&edits) {
        hunk(&mut out, &edits, from, to, &old, &new);
    }
    out
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Ranges of edits that form one hunk, with their context.
fn hunks(edits: &[Edit]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        if *edit == Edit::Keep {
            continue;
        }
        let (from, to) = (at.saturating_sub(CONTEXT), (at + 1 + CONTEXT).min(edits.len()));
        match found.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => found.push((from, to)),
        }
    }
    found
}

fn hunk(out: &mut String, edits: &[Edit], from: usize, to: usize, old: &[&str], new: &[&str]) {
    let count = |range: &[Edit], not: Edit| range.iter().filter(|edit| **edit != not).count();
    let (mut at_old, mut at_new) = (
        count(&edits[..from], Edit::Insert),
        count(&edits[..from], Edit::Remove),
    );
    let (of_old, of_new) = (
        count(&edits[from..to], Edit::Insert),
        count(&edits[from..to], Edit::Remove),
    );
    // An empty range has the number of the line before it.
    let start = |at: usize, len: usize| if len == 0 { at } else { at + 1 };
    writeln!(
        out,
        "@@ -{},{of_old} +{},{of_new} @@",
        start(at_old, of_old),
        start(at_new, of_new)
    )
    .expect("a string takes everything");
    for edit in &edits[from..to] {
        let (sign, line) = match edit {
            Edit::Keep => (' ', old[at_old]),
            Edit::Remove => ('-', old[at_old]),
            Edit::Insert => ('+', new[at_new]),
        };
        at_old += usize::from(*edit != Edit::Insert);
        at_new += usize::from(*edit != Edit::Remove);
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The shortest list of edits from one text to the other (Myers, "An O(ND) difference algorithm").
fn edits(old: &[&str], new: &[&str]) -> Vec<Edit> {
    let head = old
        .iter()
        .zip(new)
        .take_while(|(one, other)| one == other)
        .count();
    let (inner_old, inner_new) = (&old[head..], &new[head..]);
    let tail = inner_old
        .iter()
        .rev()
        .zip(inner_new.iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let inner_old = &inner_old[..inner_old.len() - tail];
    let inner_new = &inner_new[..inner_new.len() - tail];
    let middle = shortest(inner_old, inner_new).unwrap_or_else(|| {
        let mut whole = vec![Edit::Remove; inner_old.len()];
        whole.resize(inner_old.len() + inner_new.len(), Edit::Insert);
        whole
    });
    let mut edits = vec![Edit::Keep; head];
    edits.extend(middle);
    edits.resize(edits.len() + tail, Edit::Keep);
    edits
}

/// `None` if there are too many edits.
fn shortest(old: &[&str], new: &[&str]) -> Option<Vec<Edit>> {
    let offset = MAX_EDITS + 1;
    // The farthest line of `old` reached on each diagonal, and the same before each round.
    let mut reached = vec![0_usize; 2 * offset + 1];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for round in 0..=MAX_EDITS.min(old.len() + new.len()) {
        rounds.push(reached[offset - round..=offset + round].to_vec());
        for step in 0..=round {
            let diagonal = offset + 2 * step - round;
            let down = step == 0 || (step < round && reached[diagonal - 1] < reached[diagonal + 1]);
            let mut x = if down {
                reached[diagonal + 1]
            } else {
                reached[diagonal - 1] + 1
            };
            if round == 0 {
                x = 0;
            }
            let mut y = x + offset - diagonal;
            while x < old.len() && y < new.len() && old[x] == new[y] {
                x += 1;
                y += 1;
            }
            reached[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(trace(&rounds, old.len(), new.len()));
            }
        }
    }
    None
}

/// Walks the rounds back to the start.
fn trace(rounds: &[Vec<usize>], old: usize, new: usize) -> Vec<Edit> {
    let (mut x, mut y) = (old, new);
    let mut edits = Vec::new();
    for (round, before) in rounds.iter().enumerate().skip(1).rev() {
        // `before` holds the diagonals from `-round` to `round`.
        let middle = round;
        let step = (x + round - y) / 2;
        let diagonal = 2 * step;
        let down = step == 0 || (step < round && before[diagonal - 1] < before[diagonal + 1]);
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_x, from_y) = (before[from], before[from] + middle - from);
        while x > from_x && y > from_y {
            edits.push(Edit::Keep);
            x -= 1;
            y -= 1;
        }
        edits.push(if down { Edit::Insert } else { Edit::Remove });
        (x, y) = (from_x, from_y);
    }
    edits.extend(std::iter::repeat_n(Edit::Keep, x.min(y)));
    edits.reverse();
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        let found = unified("f", old, new);
        let body = found.split_once("+++ b/f\n").map_or("", |(_, body)| body);
        assert_eq!(body, expected, "{old:?} to {new:?}");
    }

    #[test]
    fn shows_lines_that_differ_with_their_surroundings() {
        check("a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
        check("", "a\n", "@@ -0,0 +1,1 @@\n+a\n");
        check("a\n", "", "@@ -1,1 +0,0 @@\n-a\n");
        check(
            "a\nb\nc\nd\n",
            "b\nd\ne\n",
            "@@ -1,4 +1,3 @@\n-a\n b\n-c\n d\n+e\n",
        );
        check(
            "a",
            "a\n",
            "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
        );
    }

    #[test]
    fn edits_lead_from_one_to_the_other() {
        let texts = [
            "", "a", "abc", "cba", "abcabba", "cbabac", "xaxbxcx", "aaaa", "aab",
        ];
        for old in texts {
            for new in texts {
                let (left, right): (Vec<&str>, Vec<&str>) = (split(old), split(new));
                let (mut x, mut y) = (0, 0);
                for edit in edits(&left, &right) {
                    assert!(edit != Edit::Keep || left[x] == right[y], "{old} {new}");
                    x += usize::from(edit != Edit::Insert);
                    y += usize::from(edit != Edit::Remove);
                }
                assert_eq!((x, y), (left.len(), right.len()), "{old} {new}");
            }
        }
    }

    fn split(text: &str) -> Vec<&str> {
        text.split("").filter(|letter| !letter.is_empty()).collect()
    }
}
