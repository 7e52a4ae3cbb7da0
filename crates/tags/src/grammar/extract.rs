//! Finds markers in comment lines (gengo `codetags.Extract`).

use super::scanner::{is_ident_begin, is_name_interior};

/// A comment line that is a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker<'a> {
    /// The longest run of name characters after the `+`.
    pub name: &'a str,
    /// Everything after the `+`, including the name.
    pub text: &'a str,
    /// Where `text` starts in the line, in bytes.
    pub offset: usize,
}

/// The marker on a comment line: only blanks before the `+`, and a name after it.
#[must_use]
pub fn marker(line: &str) -> Option<Marker<'_>> {
    // Most lines are prose, so this looks at bytes.
    let blanks = line
        .bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    if line.as_bytes().get(blanks) != Some(&b'+') {
        return None;
    }
    let text = &line[blanks + 1..];
    if !text.chars().next().is_some_and(is_ident_begin) {
        return None;
    }
    let end = text.find(|c| !is_name_interior(c)).unwrap_or(text.len());
    Some(Marker {
        name: &text[..end],
        text: text.trim_end(),
        offset: line.len() - text.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, &str, usize)>) {
        let found = marker(line).map(|m| (m.name, m.text, m.offset));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn names_end_at_the_first_other_character() {
        check("+k8s:maxLength=3", Some(("k8s:maxLength", "k8s:maxLength=3", 1)));
        check(" \t+a.b-c(d)", Some(("a.b-c", "a.b-c(d)", 3)));
        check("+optional  ", Some(("optional", "optional", 1)));
    }

    #[test]
    fn other_lines_are_not_markers() {
        for line in [
            "",
            "+",
            "+ k8s:required",
            "see +k8s:required",
            "++x",
            "+3",
            "text",
        ] {
            check(line, None);
        }
    }
}
