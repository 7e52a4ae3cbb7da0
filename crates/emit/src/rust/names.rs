//! Names in Rust.

/// The file of a group and version: `park_example_org_v1.rs`.
#[must_use]
pub fn file_name(group: &str, version: &str) -> String {
    let name: String = format!("{group}_{version}")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    format!("{name}.rs")
}

/// A field: `litersPerDay` is `liters_per_day`, `podCIDRs` is `pod_cid_rs`, as kopium and serde's rules have it.
pub(super) fn field(name: &str) -> String {
    let mut out = String::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
        } else if letter.is_uppercase() {
            let follows_lower = before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit());
            let starts_word = before.is_some_and(char::is_uppercase)
                && letters.get(index + 1).is_some_and(|next| next.is_lowercase());
            if (follows_lower || starts_word) && !out.ends_with('_') {
                out.push('_');
            }
            out.push(letter.to_ascii_lowercase());
        } else {
            out.push(letter);
        }
        before = Some(letter);
    }
    let out = out.trim_end_matches('_').to_owned();
    match out.as_str() {
        "" => "empty".to_owned(),
        "self" | "super" | "crate" => format!("{out}_"),
        _ if out.starts_with(|letter: char| letter.is_ascii_digit()) => format!("x{out}"),
        _ if KEYWORDS.contains(&out.as_str()) => format!("r#{out}"),
        _ => out,
    }
}

/// A type or variant: `full-sun` is `FullSun`, `HTTPRoute` is `HttpRoute`, as kopium has it.
pub(super) fn pascal(name: &str) -> String {
    let mut out = String::new();
    for part in name.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let letters: Vec<char> = part.chars().collect();
        let (mut starts, mut is_acronym) = (true, false);
        for (index, &letter) in letters.iter().enumerate() {
            let next = letters.get(index + 1);
            // The last capital of several starts the next word.
            let ends_acronym =
                is_acronym && letter.is_uppercase() && next.is_some_and(|next| next.is_lowercase());
            starts |= ends_acronym;
            out.push(if starts {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            });
            is_acronym = letter.is_uppercase() || (is_acronym && letter.is_ascii_digit());
            starts = !is_acronym && next.is_some_and(|next| next.is_uppercase());
            is_acronym &= !ends_acronym;
        }
    }
    match out.chars().next() {
        None => "Empty".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{out}"),
        Some(_) if out == "Self" => "Self_".to_owned(),
        Some(_) => out,
    }
}

/// A name that is not taken yet, which it is then.
pub(super) fn free(name: &str, taken: &mut std::collections::BTreeSet<String>) -> String {
    let mut candidates = std::iter::once(name.to_owned()).chain((2..).map(|count| format!("{name}{count}")));
    let found = candidates
        .find(|candidate| !taken.contains(candidate))
        .expect("there are more numbers than names");
    taken.insert(found.clone());
    found
}

/// Text in Rust's quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_in_snake_case() {
        for (name, expected) in [
            ("litersPerDay", "liters_per_day"),
            ("type", "r#type"),
            ("podCIDR", "pod_cidr"),
            ("IPBlock", "ip_block"),
            ("x-y.z", "x_y_z"),
            ("self", "self_"),
            ("3d", "x3d"),
            ("$", "empty"),
        ] {
            assert_eq!(field(name), expected, "{name}");
        }
    }

    #[test]
    fn variants_are_in_pascal_case() {
        for (name, expected) in [
            ("full-sun", "FullSun"),
            ("", "Empty"),
            ("3d", "N3d"),
            ("Always", "Always"),
            ("TCP", "Tcp"),
            ("HTTPProxy", "HttpProxy"),
            ("acmeDNS01", "AcmeDns01"),
            ("downwardAPI", "DownwardApi"),
            ("podIPs", "PodIPs"),
        ] {
            assert_eq!(pascal(name), expected, "{name}");
        }
    }
}
