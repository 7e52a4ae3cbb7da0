//! Descriptions: which part of a comment is published, and where it is truncated.

use kindsmith_schema::{Docs, JsonSchema, Str};

use super::Release;
use super::changed::Changed;
use super::children::each_but_members;
use super::release::Change;

/// The published text of a comment (controller-tools `pkg/markers/zip.go`, `extractDoc`): text after `---`
/// and lines that begin with `TODO` are authors' notes, unless they are in a fenced block.
pub(crate) fn description(docs: &Docs) -> Str {
    let prose = docs.prose();
    if !may_have_notes(&prose) {
        return prose.into();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut fenced = false;
    for line in prose.split('\n') {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        }
        if !fenced && line.starts_with("TODO") {
            continue;
        }
        if !fenced && line.starts_with("---") {
            break;
        }
        kept.push(line);
    }
    kept.join("\n").into()
}

/// Whether any line may begin a note. Most texts have none, so this uses comparisons without branches, which
/// the compiler vectorizes.
fn may_have_notes(prose: &str) -> bool {
    let bytes = prose.as_bytes();
    let begins = |byte: u8| (byte == b'T') || (byte == b'-');
    let behind = bytes.iter().zip(bytes.iter().skip(1));
    let first = bytes.first().is_some_and(|first| begins(*first));
    behind.fold(first, |may, (end, next)| may | (*end == b'\n') & begins(*next))
}

/// Truncates descriptions. Members shared by many schemas are truncated once.
pub(crate) struct Cut {
    limit: usize,
    release: Release,
    done: Changed,
}

impl Cut {
    /// To a number of bytes; a negative one truncates nothing.
    pub(crate) fn new(limit: i64, release: Release) -> Option<Self> {
        let limit = usize::try_from(limit).ok()?;
        let done = Changed::default();
        Some(Self { limit, release, done })
    }

    /// Truncates all descriptions of a schema.
    pub(crate) fn all(&mut self, schema: &mut JsonSchema) {
        if schema.description.len() > self.limit {
            schema.description = truncate(&schema.description, self.limit, self.release).into();
        }
        each_but_members(schema, &mut |child| self.all(child));
        if schema.properties.is_empty() {
            return;
        }
        if let Some(cut) = self.done.get(&schema.properties) {
            schema.properties = cut.clone();
            return;
        }
        let before = schema.properties.clone();
        for (_, member) in &mut schema.properties {
            self.all(member);
        }
        self.done.keep(before, &schema.properties);
    }
}

/// Truncates a text after a sentence, otherwise after a word (controller-tools `pkg/crd/desc_visitor.go`,
/// `truncateString`).
fn truncate(text: &str, limit: usize, release: Release) -> String {
    if limit == 0 {
        return String::new();
    }
    // Go may cut inside a character; the rest of it becomes the replacement character in JSON.
    let cut = String::from_utf8_lossy(&text.as_bytes()[..limit]);
    // Upstream keeps the first byte of the character that ends the sentence.
    if let Some(at) = cut.rfind(ends_sentence).filter(|at| *at > 0) {
        return String::from_utf8_lossy(&cut.as_bytes()[..=at]).into_owned();
    }
    if !release.has(Change::CutAtWords) {
        return cut.into_owned();
    }
    match cut.rfind(char::is_whitespace).filter(|at| *at > 0) {
        Some(at) => format!("{}...", &cut[..at]),
        None => format!("{cut}..."),
    }
}

/// The common characters with Unicode's property `Sentence_Terminal`.
fn ends_sentence(character: char) -> bool {
    matches!(
        character,
        '!' | '.' | '?' | '\u{589}' | '\u{61d}'..='\u{61f}' | '\u{6d4}' | '\u{700}'..='\u{702}' | '\u{7f9}'
        | '\u{837}' | '\u{839}' | '\u{83d}' | '\u{83e}' | '\u{964}' | '\u{965}' | '\u{104a}' | '\u{104b}'
        | '\u{1362}' | '\u{1367}' | '\u{1368}' | '\u{166e}' | '\u{1735}' | '\u{1736}' | '\u{17d4}' | '\u{17d5}'
        | '\u{1803}' | '\u{1809}' | '\u{1944}' | '\u{1945}' | '\u{1aa8}'..='\u{1aab}' | '\u{1b4e}' | '\u{1b4f}'
        | '\u{1b5a}' | '\u{1b5b}' | '\u{1b5e}' | '\u{1b5f}' | '\u{1b7d}'..='\u{1b7f}' | '\u{1c3b}' | '\u{1c3c}'
        | '\u{1c7e}' | '\u{1c7f}' | '\u{2024}' | '\u{203c}' | '\u{203d}' | '\u{2047}'..='\u{2049}'
        | '\u{2cf9}'..='\u{2cfb}' | '\u{2e2e}' | '\u{2e3c}' | '\u{2e53}' | '\u{2e54}' | '\u{3002}' | '\u{a4ff}'
        | '\u{a60e}' | '\u{a60f}' | '\u{a6f3}' | '\u{a6f7}' | '\u{a876}' | '\u{a877}' | '\u{a8ce}' | '\u{a8cf}'
        | '\u{a92f}' | '\u{a9c8}' | '\u{a9c9}' | '\u{aa5d}'..='\u{aa5f}' | '\u{aaf0}' | '\u{aaf1}' | '\u{abeb}'
        | '\u{fe12}' | '\u{fe15}' | '\u{fe16}' | '\u{fe52}' | '\u{fe56}' | '\u{fe57}' | '\u{ff01}' | '\u{ff0e}'
        | '\u{ff1f}' | '\u{ff61}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, limit: usize, expected: &str) {
        assert_eq!(
            truncate(text, limit, Release::default()),
            expected,
            "{text} to {limit}"
        );
    }

    #[test]
    fn notes_are_left_out() {
        for (text, published) in [
            ("A thing.\nTODO: more", "A thing."),
            ("TODO: more\nA thing.", "A thing."),
            ("A thing.\n---\nAn end", "A thing."),
            ("--- all", ""),
            (
                "```\nTODO\n---\n```\n- one\nThat",
                "```\nTODO\n---\n```\n- one\nThat",
            ),
            ("Some TODO --- here", "Some TODO --- here"),
            ("", ""),
        ] {
            let docs = Docs {
                text: Some(text.into()),
                ..Docs::default()
            };
            assert_eq!(&*description(&docs), published, "{text}");
        }
    }

    #[test]
    fn texts_are_cut_after_sentences_then_words() {
        check("One. Two words more", 9, "One.");
        check("One two three", 9, "One two...");
        check("Onetwothree", 4, "Onet...");
        check(".One two", 6, ".One...");
        check("anything", 0, "");
    }
}
