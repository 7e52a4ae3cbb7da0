//! The tag at a place of a Go file: `// +name(arguments)=value`, perhaps with another tag as its value.

use kindsmith_tags::Tag;
use kindsmith_tags::catalogue::resolve;

/// A tag in a comment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TagLine<'t> {
    /// Everything after the `+`, up to the end of the line.
    pub(crate) text: &'t str,
    /// The offset of that text in the file.
    pub(crate) start: usize,
    /// The tags around it, up to the `=` before its `+`; empty if it is the outermost.
    pub(crate) around: &'t str,
}

/// Where a cursor is in a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// In its name.
    Name,
    /// In its arguments.
    Arguments,
    /// In its value.
    Value,
}

impl<'t> TagLine<'t> {
    /// The innermost tag whose text begins before a place in a line; `line_start` is the line's offset in the file.
    pub(crate) fn at(line: &'t str, line_start: usize, offset: usize) -> Option<Self> {
        let outer = Self::of(line, line_start)?;
        let cursor = offset.checked_sub(outer.start)?.min(outer.text.len());
        let before = outer.text.get(..cursor)?;
        let nested = before.rfind("=+").map_or(0, |at| at + 2);
        Some(Self {
            text: &outer.text[nested..],
            start: outer.start + nested,
            around: &outer.text[..nested.saturating_sub(2)],
        })
    }

    /// The tag of a line, if it is a comment that starts with one.
    pub(crate) fn of(line: &'t str, line_start: usize) -> Option<Self> {
        let text = line
            .trim_start()
            .strip_prefix("//")?
            .trim_start_matches([' ', '\t']);
        let text = text.strip_prefix('+')?;
        Some(Self {
            text,
            start: line_start + line.len() - text.len(),
            around: "",
        })
    }

    /// Its name, as written.
    pub(crate) fn name(&self) -> &'t str {
        let end = self.text.find(['(', '=', ' ', '\t']).unwrap_or(self.text.len());
        &self.text[..end]
    }

    /// The tag in the catalogue.
    pub(crate) fn known(&self) -> Option<&'static Tag> {
        resolve(self.name())
    }

    /// The part at an offset of the file.
    pub(crate) fn part(&self, offset: usize) -> Part {
        let cursor = offset.saturating_sub(self.start);
        if cursor <= self.name().len() {
            return Part::Name;
        }
        let arguments_end = match self.text.as_bytes().get(self.name().len()) {
            Some(b'(') => closing(self.text, self.name().len()),
            _ => self.name().len(),
        };
        if cursor <= arguments_end {
            Part::Arguments
        } else {
            Part::Value
        }
    }
}

/// The offset of the parenthesis that closes the one at `open`; the end if there is none.
fn closing(text: &str, open: usize) -> usize {
    let (mut depth, mut quote) = (0_u32, None);
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The identifier around an offset of a text.
pub(crate) fn word(text: &str, at: usize) -> std::ops::Range<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let at = at.min(text.len());
    let before = text.get(..at).unwrap_or_default();
    let after = text.get(at..).unwrap_or_default();
    let start = before.rfind(|letter| !is_part(letter)).map_or(0, |found| {
        found + before[found..].chars().next().map_or(1, char::len_utf8)
    });
    let end = after
        .find(|letter| !is_part(letter))
        .map_or(text.len(), |found| at + found);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marked: &str, name: &str, part: Part) {
        let offset = marked.find('|').expect("a cursor");
        let line = marked.replace('|', "");
        let tag = TagLine::at(&line, 0, offset).expect("a tag");
        assert_eq!((tag.name(), tag.part(offset)), (name, part));
    }

    #[test]
    fn parts_of_tags() {
        check("\t// +k8s:max|", "k8s:max", Part::Name);
        check("// +k8s:maxLength=|", "k8s:maxLength", Part::Value);
        check(
            "// +k8s:item(na|me: \"a\")=+k8s:required",
            "k8s:item",
            Part::Arguments,
        );
        check(
            "// +k8s:item(name: \"a\")=+k8s:req|uired",
            "k8s:required",
            Part::Name,
        );
        check("// +default=|1", "default", Part::Value);
    }

    #[test]
    fn other_lines_have_none() {
        for line in ["Name string", "// a comment + more", "//", ""] {
            assert!(TagLine::of(line, 0).is_none(), "{line}");
        }
    }

    #[test]
    fn words_around_a_place() {
        assert_eq!(word("self.name > 1", 7), 5..9);
        assert_eq!(word("a", 1), 0..1);
        assert_eq!(word("é.b", 2), 0..2);
    }
}
