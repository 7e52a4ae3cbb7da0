//! Spellings that KEP-5073 uses and the grammar of tags does not have: comments after a tag, text in single quotes, and
//! the `pairs` of `listMapItem`.

/// The line in the grammar of tags; `None` if it has no such spelling.
pub(super) fn respelled(text: &str) -> Option<String> {
    let plain = without_pairs(&with_double_quotes(without_comment(text)));
    (plain != text).then_some(plain)
}

/// The text up to a `//` after a blank, outside quotes.
pub(crate) fn without_comment(text: &str) -> &str {
    let mut outer = None;
    for (at, c) in text.char_indices() {
        match (c, outer) {
            ('\'' | '"' | '`', None) => outer = Some(c),
            (_, Some(open)) if c == open => outer = None,
            ('/', None) if text[at..].starts_with("//") && text[..at].ends_with([' ', '\t']) => {
                return text[..at].trim_end();
            }
            _ => {}
        }
    }
    text
}

/// `'/status'` becomes `"/status"`, except within other quotes.
fn with_double_quotes(text: &str) -> String {
    let mut outer = None;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (c, outer) {
            ('\'' | '"' | '`', None) => {
                outer = Some(c);
                out.push(if c == '\'' { '"' } else { c });
            }
            (_, Some(open)) if c == open => {
                outer = None;
                out.push(if c == '\'' { '"' } else { c });
            }
            ('"', Some('\'')) => out.push_str("\\\""),
            _ => out.push(c),
        }
    }
    out
}

/// `(pairs: [[type, "A"], [size, 1]])` becomes `(type: "A", size: 1)`.
fn without_pairs(text: &str) -> String {
    const START: &str = "(pairs:";
    let Some((before, rest)) = text.split_once(START) else {
        return text.to_owned();
    };
    let Some((list, after)) = rest.split_once("]])") else {
        return text.to_owned();
    };
    let Some(pairs) = list.trim_start().strip_prefix("[[") else {
        return text.to_owned();
    };
    let named: Option<Vec<String>> = pairs
        .split(']')
        .map(|pair| {
            let pair = pair.trim_start_matches([',', ' ', '[']);
            let (key, value) = pair.split_once(',')?;
            Some(format!("{}: {}", key.trim().trim_matches('"'), value.trim()))
        })
        .collect();
    match named {
        Some(named) => format!("{before}({}){after}", named.join(", ")),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(respelled(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn single_quotes_are_double_ones() {
        check(
            "k8s:ifSubresource('/status')=+k8s:required",
            Some("k8s:ifSubresource(\"/status\")=+k8s:required"),
        );
        check("k8s:neq=\"it's\"", None);
        check("k8s:maxLength=3", None);
    }

    #[test]
    fn comments_after_a_tag_are_dropped() {
        check("k8s:immutable // as three modes", Some("k8s:immutable"));
        check("k8s:maxLength=3\t// short", Some("k8s:maxLength=3"));
        check("k8s:neq=\"a // b\"", None);
        check("k8s:neq=\"a\"//b", None);
    }

    #[test]
    fn pairs_are_named_arguments() {
        check(
            "k8s:listMapItem(pairs: [[type,\"A\"], [size, 1]])=+k8s:required",
            Some("k8s:listMapItem(type: \"A\", size: 1)=+k8s:required"),
        );
        check(
            "k8s:listMapItem(pairs: [['type','A']])=+k8s:required",
            Some("k8s:listMapItem(type: \"A\")=+k8s:required"),
        );
        check("k8s:listMapItem(pairs: [])=+k8s:required", None);
    }
}
