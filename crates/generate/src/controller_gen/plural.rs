//! Plural names of kinds, by controller-gen's rules (flect `pluralize.go`).

use super::dictionary::{ACRONYMS, ENDINGS, WORDS, Word};

/// The plural of a name in upper camel case; only its last word changes.
#[must_use]
pub fn pluralize(name: &str) -> String {
    let last = last_word(name);
    if last.is_empty() {
        return String::new();
    }
    if let Some(word) = WORDS.iter().find(|word| word.singular == name) {
        return word.plural.to_owned();
    }
    let lower = last.to_lowercase();
    if is_plural(name) || is_plural(&lower) {
        return name.to_owned();
    }
    if let Some(word) = WORDS.iter().find(|word| word.singular == lower) {
        let plural = if last == capitalized(&last) {
            capitalized(word.plural)
        } else {
            word.plural.to_owned()
        };
        return replace_end(name, &last, &plural);
    }
    if let Some(plural) = by_ending(&last) {
        return replace_end(name, &last, &plural);
    }
    if lower.ends_with('s') {
        name.to_owned()
    } else {
        format!("{name}s")
    }
}

fn is_plural(text: &str) -> bool {
    let is = |word: &&Word| {
        !word.one_way && (word.plural == text || (!text.is_empty() && word.alternative == text))
    };
    WORDS.iter().any(|word| is(&word))
}

/// The plural of a word by its ending: first the words of the dictionary, last one first, then the endings.
/// An ending that already is a plural stays.
fn by_ending(last: &str) -> Option<String> {
    let words = WORDS.iter().rev().filter(|word| !word.exact);
    let endings = words
        .map(|word| (word.singular, word.plural))
        .chain(ENDINGS.iter().copied());
    let last_byte = last.bytes().next_back();
    // A look at one byte spares nearly all of the thousand comparisons.
    let may_be = |ending: &str| ending.is_empty() || ending.bytes().next_back() == last_byte;
    for (singular, plural) in endings {
        if may_be(plural) && last.ends_with(plural) {
            return Some(last.to_owned());
        }
        if may_be(singular)
            && let Some(stem) = last.strip_suffix(singular)
        {
            return Some(format!("{stem}{plural}"));
        }
    }
    None
}

fn replace_end(name: &str, end: &str, by: &str) -> String {
    format!("{}{by}", name.strip_suffix(end).unwrap_or(name))
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

fn is_acronym(text: &str) -> bool {
    ACRONYMS.binary_search(&text.to_uppercase().as_str()).is_ok()
}

/// The last word of a name (flect `ident.go`, `toParts`). Acronyms are recognized in upper case, whatever the
/// name has.
fn last_word(name: &str) -> String {
    if is_acronym(name) {
        return name.to_uppercase();
    }
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut previous = '\0';
    for character in name.chars() {
        let starts =
            character == '_' || character.is_uppercase() && (!previous.is_uppercase() || is_acronym(&word));
        if starts {
            push(&mut words, &mut word);
        }
        word.push(character);
        previous = character;
    }
    push(&mut words, &mut word);
    words.pop().unwrap_or_default()
}

fn push(words: &mut Vec<String>, word: &mut String) {
    let trimmed = word.trim_matches('_');
    if !trimmed.is_empty() {
        words.push(if is_acronym(trimmed) {
            trimmed.to_uppercase()
        } else {
            trimmed.to_owned()
        });
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_are_sorted_for_searching() {
        assert!(ACRONYMS.is_sorted());
    }

    #[test]
    fn plurals_are_those_of_controller_gen() {
        for (name, plural) in [
            ("Foo", "Foos"),
            ("Policy", "Policies"),
            ("Gateway", "Gateways"),
            ("HTTPProxy", "HTTPProxies"),
            ("Database", "Databases"),
            ("Octopus", "Octupuses"),
            ("German", "Germen"),
            ("Logo", "Logoes"),
            ("Atlas", "Atlas"),
            ("K8s", "K8s"),
            ("APIKey", "APIKeys"),
            ("Metadata", "Metadata"),
            ("", ""),
        ] {
            assert_eq!(pluralize(name), plural, "{name}");
        }
    }
}
