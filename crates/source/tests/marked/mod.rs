//! Sources with marks: the text between `«` and `»` is a span.

use kindsmith_source::{SourceMap, Span};

/// A file without its marks, and the marked spans in order.
pub(crate) fn read(name: &str, marked: &str) -> (SourceMap, Vec<Span>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    for part in marked.split_inclusive(['«', '»']) {
        text.push_str(part.trim_end_matches(['«', '»']));
        match part.chars().next_back() {
            Some('«') => ranges.push((text.len() as u32, 0)),
            Some('»') => ranges.last_mut().expect("« comes before »").1 = text.len() as u32,
            _ => {}
        }
    }
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let spans = ranges.into_iter().map(|(start, end)| Span::new(file, start, end));
    (sources, spans.collect())
}

/// A finding with only a code.
macro_rules! finding {
    ($code:literal) => {
        &const { kindsmith_source::Finding::new($code, kindsmith_source::Tool::Kindsmith, "") }
    };
}
pub(crate) use finding;
