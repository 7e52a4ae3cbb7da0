//! Applies fixes to text. Decides only which of them can be combined; whether they are correct is up to the rule.

use crate::map::File;
use crate::{FileId, Fix};

/// Applies the fixes of this file that do not overlap. Of two that overlap the earlier one wins; run again for the
/// rest. Returns the text and how many fixes were applied.
#[must_use]
pub fn apply<'a>(id: FileId, file: &File, fixes: impl IntoIterator<Item = &'a Fix>) -> (String, usize) {
    let source = file.text();
    let mut fixes: Vec<_> = fixes.into_iter().filter(|fix| fix.span.file == id).collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end, &fix.replacement));
    // Two rules may propose the same edit; apply it once.
    fixes.dedup_by_key(|fix| (fix.span, &fix.replacement));
    let (mut text, mut applied, mut done) = (String::with_capacity(source.len()), 0, 0);
    let mut last_start = None;
    for fix in fixes {
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        // Two insertions at the same position have no defined order, so only one is made.
        if start < done || last_start == Some(start) {
            continue;
        }
        // A span inside a character or outside the file is a bug in a rule, but must not damage the file.
        let (Some(before), Some(_)) = (source.get(done..start), source.get(start..end)) else {
            continue;
        };
        text.push_str(before);
        text.push_str(&fix.replacement);
        (done, last_start, applied) = (end, Some(start), applied + 1);
    }
    text.push_str(&source[done..]);
    (text, applied)
}

#[cfg(test)]
mod tests {
    use crate::{Fix, SourceMap, Span};

    fn check(source: &str, edits: &[(u32, u32, &str)], expected: &str, count: usize) {
        let mut sources = SourceMap::default();
        let id = sources.add("a.go", source);
        let fixes: Vec<_> = edits
            .iter()
            .map(|(start, end, replacement)| Fix {
                title: "mend it".to_owned(),
                span: Span::new(id, *start, *end),
                replacement: (*replacement).to_owned(),
            })
            .collect();
        for fixes in [fixes.clone(), fixes.into_iter().rev().collect()] {
            let applied = super::apply(id, sources.file(id), &fixes);
            assert_eq!(applied, (expected.to_owned(), count));
        }
    }

    #[test]
    fn applies_in_any_order() {
        check("one two three", &[(0, 3, "1"), (8, 13, "3")], "1 two 3", 2);
        check("ab", &[(0, 1, ""), (1, 2, "c")], "c", 2);
        check("ab", &[(2, 2, "!"), (0, 0, "?")], "?ab!", 2);
        check("ab", &[], "ab", 0);
    }

    #[test]
    fn applies_one_of_two_overlapping_edits() {
        check("abcdef", &[(0, 3, "x"), (2, 5, "y")], "xdef", 1);
        check("ab", &[(1, 1, "x"), (1, 1, "y")], "axb", 1);
        check("ab", &[(0, 1, "x"), (0, 1, "x")], "xb", 1);
    }

    #[test]
    fn skips_edits_outside_the_text() {
        check("é", &[(1, 2, "x")], "é", 0);
        check("a", &[(0, 9, "x")], "a", 0);
    }

    #[test]
    fn leaves_other_files_alone() {
        let mut sources = SourceMap::default();
        let (one, two) = (sources.add("a.go", "a"), sources.add("b.go", "b"));
        let fix = Fix {
            title: "mend it".to_owned(),
            span: Span::new(two, 0, 1),
            replacement: "x".to_owned(),
        };
        assert_eq!(super::apply(one, sources.file(one), [&fix]), ("a".to_owned(), 0));
    }
}
