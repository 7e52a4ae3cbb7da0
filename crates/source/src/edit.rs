//! Applies fixes to text. Decides only which of them can be combined; whether they are correct is up to the rule.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::map::File;
use crate::{Edit, FileId, Fix};

/// The result of applying fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// How many fixes were applied.
    pub count: usize,
    /// Where the new text differs, by its own offsets.
    pub places: Vec<Range<usize>>,
}

/// Applies the fixes of this file that do not overlap. Of two that overlap the earlier one wins; run again for the
/// rest. Returns the text and how many fixes were applied.
#[must_use]
pub fn apply<'a>(id: FileId, file: &File, fixes: impl IntoIterator<Item = &'a Fix>) -> (String, usize) {
    let applied = applied(id, file, fixes);
    (applied.text, applied.count)
}

/// Like [`apply`], and tells where the text changed.
#[must_use]
pub fn applied<'a>(id: FileId, file: &File, fixes: impl IntoIterator<Item = &'a Fix>) -> Applied {
    let (edits, count) = chosen(id, file, fixes);
    let source = file.text();
    let (mut text, mut done) = (String::with_capacity(source.len()), 0);
    let mut places = Vec::with_capacity(edits.len());
    for edit in edits {
        text.push_str(&source[done..edit.span.start as usize]);
        let start = text.len();
        text.push_str(&edit.replacement);
        places.push(start..text.len());
        done = edit.span.end as usize;
    }
    text.push_str(&source[done..]);
    Applied { text, count, places }
}

/// The edits of the fixes that can be made together, in the order of their places, and the number of fixes.
fn chosen<'a>(
    id: FileId,
    file: &File,
    fixes: impl IntoIterator<Item = &'a Fix>,
) -> (BTreeSet<&'a Edit>, usize) {
    let mut fixes: Vec<&Fix> = fixes
        .into_iter()
        .filter(|fix| is_possible(id, file, fix))
        .collect();
    fixes.sort_by(|one, other| sorted(one).cmp(&sorted(other)));
    // Two rules may propose the same fix; it is made once.
    fixes.dedup_by(|one, other| sorted(one) == sorted(other));
    let mut chosen: BTreeSet<&Edit> = BTreeSet::new();
    let mut count = 0;
    for fix in fixes {
        let is_free = |edit: &Edit| chosen.contains(edit) || chosen.iter().all(|other| !clash(edit, other));
        if fix.edits.iter().all(is_free) {
            chosen.extend(&fix.edits);
            count += 1;
        }
    }
    (chosen, count)
}

fn sorted(fix: &Fix) -> Vec<&Edit> {
    let mut edits: Vec<&Edit> = fix.edits.iter().collect();
    edits.sort();
    edits
}

/// A span inside a character or outside the file is a bug in a rule, but must not damage the file.
fn is_possible(id: FileId, file: &File, fix: &Fix) -> bool {
    let fits = |edit: &Edit| {
        edit.span.file == id
            && file
                .text()
                .get(edit.span.start as usize..edit.span.end as usize)
                .is_some()
    };
    let edits = sorted(fix);
    let is_ordered = edits.windows(2).all(|pair| !clash(pair[0], pair[1]));
    !edits.is_empty() && is_ordered && edits.into_iter().all(fits)
}

/// Two insertions at the same position have no defined order, so they clash too.
fn clash(one: &Edit, other: &Edit) -> bool {
    one.span.start == other.span.start || (one.span.start < other.span.end && other.span.start < one.span.end)
}

#[cfg(test)]
mod tests {
    use crate::{Fix, SourceMap, Span};

    fn check(source: &str, fixes: &[&[(u32, u32, &str)]], expected: &str, count: usize) {
        let mut sources = SourceMap::default();
        let id = sources.add("a.go", source);
        let fixes: Vec<_> = fixes
            .iter()
            .map(|edits| {
                edits
                    .iter()
                    .fold(Fix::safe("mend it"), |fix, (start, end, text)| {
                        fix.edit(Span::new(id, *start, *end), *text)
                    })
            })
            .collect();
        for fixes in [fixes.clone(), fixes.into_iter().rev().collect()] {
            let applied = super::apply(id, sources.file(id), &fixes);
            assert_eq!(applied, (expected.to_owned(), count));
        }
    }

    #[test]
    fn applies_in_any_order() {
        check("one two three", &[&[(0, 3, "1")], &[(8, 13, "3")]], "1 two 3", 2);
        check("ab", &[&[(0, 1, "")], &[(1, 2, "c")]], "c", 2);
        check("ab", &[&[(2, 2, "!")], &[(0, 0, "?")]], "?ab!", 2);
        check("ab", &[], "ab", 0);
    }

    #[test]
    fn applies_one_of_two_overlapping_fixes() {
        check("abcdef", &[&[(0, 3, "x")], &[(2, 5, "y")]], "xdef", 1);
        check("ab", &[&[(1, 1, "x")], &[(1, 1, "y")]], "axb", 1);
        check("ab", &[&[(0, 1, "x")], &[(0, 1, "x")]], "xb", 1);
    }

    #[test]
    fn makes_all_edits_of_a_fix_or_none() {
        check("abc", &[&[(0, 1, "x"), (2, 3, "z")]], "xbz", 1);
        check("abc", &[&[(0, 1, "x")], &[(1, 2, "y"), (0, 1, "q")]], "qyc", 1);
        check("abc", &[&[(0, 2, "x"), (1, 3, "y")]], "abc", 0);
        check("abc", &[&[]], "abc", 0);
    }

    #[test]
    fn skips_edits_outside_the_text() {
        check("é", &[&[(1, 2, "x")]], "é", 0);
        check("a", &[&[(0, 9, "x")]], "a", 0);
    }

    #[test]
    fn leaves_other_files_alone() {
        let mut sources = SourceMap::default();
        let (one, two) = (sources.add("a.go", "a"), sources.add("b.go", "b"));
        let fix = Fix::safe("mend it").edit(Span::new(two, 0, 1), "x");
        assert_eq!(super::apply(one, sources.file(one), [&fix]), ("a".to_owned(), 0));
    }
}
