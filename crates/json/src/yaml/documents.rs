//! Splits a stream into its documents, as Kubernetes' tools do, at lines that begin with `---`.

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'t> {
    /// Its text, including its `---` line, if any.
    pub text: &'t str,
    /// The offset of its text in the stream, in bytes.
    pub offset: usize,
    /// The number of lines of the stream before it.
    pub lines_before: usize,
}

/// The documents of a stream that have content; comments alone do not count.
pub fn documents(stream: &str) -> impl Iterator<Item = Document<'_>> {
    let mut rest = stream;
    let mut lines = 0;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (text, tail) = rest.split_at(first_document(rest));
            let document = Document {
                text,
                offset: stream.len() - rest.len(),
                lines_before: lines,
            };
            rest = tail;
            lines += text.bytes().filter(|&byte| byte == b'\n').count();
            if has_content(text) {
                return Some(document);
            }
        }
        None
    })
}

/// The length of the text up to the next line that separates documents; one at the very beginning does not
/// count.
fn first_document(text: &str) -> usize {
    let mut lines = text.match_indices("\n---").map(|(at, _)| at + 1);
    lines
        .find(|&line| is_separator(&text[line..]))
        .unwrap_or(text.len())
}

/// Whether the text begins with the line that separates documents.
fn is_separator(text: &str) -> bool {
    text.strip_prefix("---")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn has_content(document: &str) -> bool {
    document.lines().enumerate().any(|(number, line)| {
        let line = match line.strip_prefix("---") {
            Some(rest) if number == 0 && is_separator(line) => rest,
            _ => line,
        };
        let line = line.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        !line.is_empty() && !line.starts_with('#')
    })
}
