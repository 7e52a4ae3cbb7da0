//! The words of an identifier: `requestTTLs` is `request`, `ttls`.

/// The words, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut start = 0;
    for at in 1..letters.len() {
        if starts_word(&letters, at, start) {
            words.push(&letters[start..at]);
            start = at;
        }
    }
    if start < letters.len() {
        words.push(&letters[start..]);
    }
    words
        .into_iter()
        .map(|word| word.iter().flat_map(|letter| letter.to_lowercase()).collect())
        .collect()
}

/// The name in camel case.
pub(super) fn camel_case(name: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        let mut letters = word.chars();
        let first = letters.next();
        if text.is_empty() {
            text.extend(first);
        } else {
            text.extend(first.into_iter().flat_map(char::to_uppercase));
        }
        text.extend(letters);
    }
    text
}

fn starts_word(letters: &[char], at: usize, start: usize) -> bool {
    let (before, this) = (letters[at - 1], letters[at]);
    if before.is_uppercase() && this.is_uppercase() {
        return ends_acronym(letters, at, start);
    }
    (before.is_lowercase() && this.is_uppercase())
        || (before.is_alphabetic() && this.is_ascii_digit())
        || (before.is_ascii_digit() && this.is_uppercase())
}

/// `HTTPServer` is `http`, `server`, but `IDs` and `TTLsOf` keep their plural.
fn ends_acronym(letters: &[char], at: usize, start: usize) -> bool {
    let Some(next) = letters.get(at + 1) else {
        return false;
    };
    let is_plural = *next == 's' && letters.get(at + 2).is_none_or(|after| after.is_uppercase());
    next.is_lowercase() && at - start > 1 && !is_plural
}

#[cfg(test)]
mod tests {
    #[test]
    fn acronyms_are_words() {
        for (name, expected) in [
            ("MaxReplicas", "maxReplicas"),
            ("RequestTTL", "requestTtl"),
            ("HTTPServer", "httpServer"),
            ("IDs", "ids"),
            ("IPv4Address", "ipv4Address"),
            ("A", "a"),
            ("", ""),
        ] {
            assert_eq!(super::camel_case(name), expected, "{name}");
        }
    }
}
