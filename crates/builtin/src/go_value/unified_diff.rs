//! The difference of two texts as errors of the reference show it: a unified diff without file names, with the matches
//! that Ratcliff and Obershelp's way finds (apimachinery's pkg/util/diff).

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Texts with fewer lines have no frequent lines.
const LONG: usize = 200;

/// Lines that are the same in both texts.
#[derive(Debug, Clone, Copy)]
struct Block {
    old: usize,
    new: usize,
    len: usize,
}

/// Lines that differ.
#[derive(Debug, Clone)]
struct Edit {
    old: Range<usize>,
    new: Range<usize>,
}

/// The changes from one text to the other; empty if there are none.
pub(crate) fn unified_diff(old: &str, new: &str) -> String {
    let texts = Texts {
        old: old.split('\n').collect(),
        new: new.split('\n').collect(),
    };
    let mut out = String::new();
    let edits = texts.edits();
    for group in edits.chunk_by(|left, right| right.old.start - left.old.end <= 2 * CONTEXT) {
        texts.write_hunk(&mut out, group);
    }
    out
}

struct Texts<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
}

impl Texts<'_> {
    fn edits(&self) -> Vec<Edit> {
        let end = Block {
            old: self.old.len(),
            new: self.new.len(),
            len: 0,
        };
        let (mut old, mut new) = (0, 0);
        let mut edits = Vec::new();
        for block in self.blocks().into_iter().chain([end]) {
            if old < block.old || new < block.new {
                edits.push(Edit {
                    old: old..block.old,
                    new: new..block.new,
                });
            }
            (old, new) = (block.old + block.len, block.new + block.len);
        }
        edits
    }

    /// All matches in order: the longest one, then those on both sides of it.
    fn blocks(&self) -> Vec<Block> {
        let places = self.places();
        let mut blocks = Vec::new();
        let mut open = vec![(0..self.old.len(), 0..self.new.len())];
        while let Some((old, new)) = open.pop() {
            let block = self.longest(&places, &old, &new);
            if block.len == 0 {
                continue;
            }
            open.push((old.start..block.old, new.start..block.new));
            open.push((block.old + block.len..old.end, block.new + block.len..new.end));
            blocks.push(block);
        }
        blocks.sort_unstable_by_key(|block| block.old);
        blocks
    }

    /// Where each line of the new text is. Frequent lines of a long text start no match.
    fn places(&self) -> HashMap<&str, Vec<usize>> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in self.new.iter().enumerate() {
            places.entry(line).or_default().push(at);
        }
        if self.new.len() >= LONG {
            let limit = self.new.len() / 100 + 1;
            places.retain(|_, found| found.len() <= limit);
        }
        places
    }

    /// The longest match inside two ranges, the first one if several are as long.
    fn longest(&self, places: &HashMap<&str, Vec<usize>>, old: &Range<usize>, new: &Range<usize>) -> Block {
        let mut best = Block {
            old: old.start,
            new: new.start,
            len: 0,
        };
        // How long the match is that ends at a line of the new text and the previous line of the old one.
        let mut runs: HashMap<usize, usize> = HashMap::new();
        for at in old.clone() {
            let mut next = HashMap::new();
            let found = places.get(self.old[at]).map(Vec::as_slice).unwrap_or_default();
            for &place in found.iter().filter(|place| new.contains(place)) {
                let before = place.checked_sub(1).and_then(|before| runs.get(&before));
                let len = before.copied().unwrap_or_default() + 1;
                next.insert(place, len);
                if len > best.len {
                    best = Block {
                        old: at + 1 - len,
                        new: place + 1 - len,
                        len,
                    };
                }
            }
            runs = next;
        }
        self.widened(best, old, new)
    }

    /// The match with the frequent lines beside it.
    fn widened(&self, block: Block, old: &Range<usize>, new: &Range<usize>) -> Block {
        let Block {
            old: mut left,
            new: mut right,
            mut len,
        } = block;
        while left > old.start && right > new.start && self.old[left - 1] == self.new[right - 1] {
            (left, right, len) = (left - 1, right - 1, len + 1);
        }
        while left + len < old.end && right + len < new.end && self.old[left + len] == self.new[right + len] {
            len += 1;
        }
        Block {
            old: left,
            new: right,
            len,
        }
    }

    fn write_hunk(&self, out: &mut String, edits: &[Edit]) {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else {
            return;
        };
        let lead = CONTEXT.min(first.old.start).min(first.new.start);
        let tail = CONTEXT
            .min(self.old.len() - last.old.end)
            .min(self.new.len() - last.new.end);
        let old = first.old.start - lead..last.old.end + tail;
        let new = first.new.start - lead..last.new.end + tail;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "@@ -{} +{} @@", place(&old), place(&new));
        let mut at = old.start;
        for edit in edits {
            write_lines(out, ' ', &self.old[at..edit.old.start]);
            write_lines(out, '-', &self.old[edit.old.clone()]);
            write_lines(out, '+', &self.new[edit.new.clone()]);
            at = edit.old.end;
        }
        write_lines(out, ' ', &self.old[at..old.end]);
    }
}

fn write_lines(out: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        out.push(mark);
        out.push_str(line);
        out.push('\n');
    }
}

/// Lines as the head of a hunk names them: the first one, and how many.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    fn check(old: &str, new: &str, expected: &str) {
        let text = |words: &str| words.replace(' ', "\n");
        assert_eq!(unified_diff(&text(old), &text(new)), expected);
    }

    #[test]
    fn same_texts_have_no_difference() {
        check("a b", "a b", "");
    }

    #[test]
    fn three_lines_stay_around_a_change() {
        check(
            "a b c d e f g h i",
            "a b c d X f g h i",
            "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n",
        );
    }

    #[test]
    fn changes_far_apart_are_two_hunks() {
        check(
            "x b c d e f g h y",
            "b c d e f g h",
            "@@ -1,4 +1,3 @@\n-x\n b\n c\n d\n@@ -6,4 +5,3 @@\n f\n g\n h\n-y\n",
        );
        check(
            "x b c d e f g y",
            "b c d e f g",
            "@@ -1,8 +1,6 @@\n-x\n b\n c\n d\n e\n f\n g\n-y\n",
        );
    }

    #[test]
    fn single_lines_and_none_are_named_shortly() {
        check("a", "b", "@@ -1 +1 @@\n-a\n+b\n");
    }
}
