//! The few lines around a span that are worth drawing. The drawing library's cost grows with the text it is given, so
//! it never sees a whole file, nor the whole of a line a generator wrote.

use std::borrow::Cow;
use std::ops::Range;

use crate::Span;
use crate::map::File;

/// How much of a long line is shown, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// Lines longer than this are cut around the marked text.
    long: usize,
    /// How much stays before the marked text.
    before: usize,
    /// How much stays from the marked text on.
    after: usize,
}

/// For marked source: more than fits on a line, because the drawing library picks the part that does.
pub(super) const SOURCE: Limit = Limit {
    long: 600,
    before: 200,
    after: 300,
};

/// For suggestions, which the drawing library shows in full.
pub(super) const SUGGESTION: Limit = Limit {
    long: 160,
    before: 40,
    after: 80,
};

/// The mark for text cut from a long line.
const CUT: &str = "...";
/// Of a span over more lines than this only the first line is marked.
const MANY_LINES: u32 = 60;

/// Consecutive lines of one file.
pub(super) struct Window<'a> {
    /// The text to draw.
    pub(super) text: Cow<'a, str>,
    /// The number of its first line.
    pub(super) first_line: u32,
    lines: Vec<Line>,
}

/// Where the kept part of a line was in the file and is in the window.
struct Line {
    kept: Range<usize>,
    shown: usize,
}

impl<'a> Window<'a> {
    /// The lines that `spans`, all in `file`, touch and the ones between. `spans` must not be empty.
    pub(super) fn around(file: &'a File, spans: &[Range<usize>], limit: Limit) -> Self {
        let line = |offset: usize| file.position(offset as u32).line;
        let first = spans.iter().map(|span| line(span.start)).min().unwrap_or(1);
        let last = spans.iter().map(|span| line(span.end)).max().unwrap_or(1);
        let ranges: Vec<_> = (first..=last).map(|line| file.line_range(line)).collect();
        if ranges.iter().any(|range| range.len() > limit.long) {
            return Self::cut(file, first, &ranges, spans, limit);
        }
        let (start, end) = (ranges[0].start, ranges[ranges.len() - 1].end);
        let lines = ranges.into_iter().map(|kept| Line {
            shown: kept.start - start,
            kept,
        });
        Self {
            lines: lines.collect(),
            text: Cow::Borrowed(&file.text()[start..end]),
            first_line: first,
        }
    }

    fn cut(
        file: &File,
        first_line: u32,
        ranges: &[Range<usize>],
        spans: &[Range<usize>],
        limit: Limit,
    ) -> Self {
        let mut text = String::new();
        let mut lines = Vec::with_capacity(ranges.len());
        for range in ranges {
            let kept = keep(file.text(), range, spans, limit);
            if kept.start > range.start {
                text.push_str(CUT);
            }
            lines.push(Line {
                kept: kept.clone(),
                shown: text.len(),
            });
            text.push_str(&file.text()[kept.clone()]);
            if kept.end < range.end {
                text.push_str(CUT);
            }
            text.push('\n');
        }
        // The last line's break is not part of the window.
        text.pop();
        Self {
            text: Cow::Owned(text),
            first_line,
            lines,
        }
    }

    /// The range of the window's text for a range of the file; text that was cut shrinks to the cut.
    pub(super) fn locate(&self, range: &Range<usize>) -> Range<usize> {
        let at = |offset: usize| {
            let index = self.lines.partition_point(|line| line.kept.start <= offset);
            let line = &self.lines[index.saturating_sub(1)];
            let inside = offset.clamp(line.kept.start, line.kept.end) - line.kept.start;
            line.shown + inside
        };
        let start = at(range.start);
        start..at(range.end).max(start)
    }
}

/// The part of a line that is worth showing.
fn keep(text: &str, line: &Range<usize>, spans: &[Range<usize>], limit: Limit) -> Range<usize> {
    if line.len() <= limit.long {
        return line.clone();
    }
    let marked = spans
        .iter()
        .flat_map(|span| [span.start, span.end])
        .filter(|offset| line.start <= *offset && *offset <= line.end)
        .min()
        .unwrap_or(line.start);
    let start = marked.saturating_sub(limit.before).max(line.start);
    let end = (marked + limit.after).min(line.end);
    text.floor_char_boundary(start)..text.ceil_char_boundary(end)
}

/// A span as a byte range that is safe to cut with: inside the text, on character boundaries, and on one line if it
/// covers too many to draw.
pub(super) fn drawable(file: &File, span: Span) -> Range<usize> {
    let text = file.text();
    let start = text.floor_char_boundary(span.start as usize);
    let end = text
        .ceil_char_boundary((span.end as usize).min(text.len()))
        .max(start);
    let (first, last) = (file.position(start as u32).line, file.position(end as u32).line);
    if last - first > MANY_LINES {
        return start..file.line_range(first).end.max(start);
    }
    start..end
}
