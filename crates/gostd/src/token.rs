//! Words of the language, as in go/token.

/// The keywords, sorted.
const KEYWORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// Whether a word is a keyword, and so no name.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_and_names_are_not() {
        assert!(KEYWORDS.iter().all(|word| is_keyword(word)));
        assert!(
            !["", "gopher", "nil", "string", "Type"]
                .into_iter()
                .any(is_keyword)
        );
    }
}
