//! Splits a YAML stream into its documents.

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'t> {
    /// The text, from its `---` line if it has one.
    pub text: &'t str,
    /// The byte offset of the text in the stream.
    pub offset: usize,
    /// The number of lines before the text.
    pub lines_before: usize,
}

/// The documents of a stream that hold more than comments.
///
/// A line that starts with `---`, followed by white space or nothing, begins a document, as for kubectl.
pub fn documents(stream: &str) -> impl Iterator<Item = Document<'_>> {
    let mut rest = Some(Document {
        text: stream,
        offset: 0,
        lines_before: 0,
    });
    let next = move || {
        let here = rest?;
        let Some(length) = document_length(here.text) else {
            rest = None;
            return Some(here);
        };
        let (text, behind) = here.text.split_at(length);
        let lines = text.bytes().filter(|&byte| byte == b'\n').count();
        rest = Some(Document {
            text: behind,
            offset: here.offset + length,
            lines_before: here.lines_before + lines,
        });
        Some(Document { text, ..here })
    };
    std::iter::from_fn(next).filter(|document| has_content(document.text))
}

/// Where the next separator line begins, not counting one at the very start.
fn document_length(text: &str) -> Option<usize> {
    let mut at = text.find('\n')? + 1;
    loop {
        if is_separator(&text[at..]) {
            return Some(at);
        }
        at += text[at..].find('\n')? + 1;
    }
}

fn is_separator(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("---") else {
        return false;
    };
    rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n'])
}

fn has_content(text: &str) -> bool {
    text.lines().any(|line| {
        let line = if is_separator(line) { &line[3..] } else { line };
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    })
}
