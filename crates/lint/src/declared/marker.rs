//! Markers as written: a name, named arguments and a value. Reads the lines of a doc comment; knows no rule.

use std::hash::Hash;

use kindsmith_source::Span;
use kindsmith_tags::catalogue::find_marker;

/// A marker in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker<'a> {
    /// Everything after the `+`.
    pub(crate) text: &'a str,
    /// Its name, such as `kubebuilder:validation:MaxLength`.
    pub(crate) name: &'a str,
    /// The value, without `=`; empty if there is none.
    pub(crate) value: &'a str,
    /// Named arguments, in the order written. An argument without a name has an empty one.
    pub(crate) arguments: Vec<(&'a str, &'a str)>,
    /// From the comment mark to the end of the line.
    pub(crate) span: Span,
}

impl<'a> Marker<'a> {
    /// Reads the text after the `+`.
    pub(crate) fn parse(text: &'a str, span: Span) -> Self {
        let name = name(text);
        Self::named(text, name, span)
    }

    /// The same marker if its name is `name`, wherever the catalogue says that it ends.
    pub(crate) fn as_named(&self, name: &str) -> Option<Self> {
        let rest = self.text.strip_prefix(name)?;
        let ends = rest.is_empty() || rest.starts_with([':', '=', '(', ' ']);
        ends.then(|| Self::named(self.text, &self.text[..name.len()], self.span))
    }

    fn named(text: &'a str, name: &'a str, span: Span) -> Self {
        let (arguments, value) = if text.starts_with("k8s:") {
            native(&text[name.len()..])
        } else {
            arguments(&text[name.len()..])
        };
        Self {
            text,
            name,
            value,
            arguments,
            span,
        }
    }

    /// An argument by its name.
    pub(crate) fn argument(&self, name: &str) -> Option<&'a str> {
        let mut found = self.arguments.iter().filter(|(key, _)| *key == name);
        found.next().map(|(_, value)| *value)
    }

    /// The value without quotes.
    pub(crate) fn plain_value(&self) -> &'a str {
        self.value.trim_matches(['"', '\'', '`'])
    }

    /// What is equal for markers that say the same: name, value, and arguments in any order.
    pub(crate) fn meaning(&self) -> impl Eq + Hash + use<'a> {
        let mut arguments = self.arguments.clone();
        arguments.sort_unstable();
        (self.name, self.value, arguments)
    }

    /// The place of the text after the `+`.
    pub(crate) fn text_span(&self) -> Span {
        Span::new(
            self.span.file,
            self.span.end - self.text.len() as u32,
            self.span.end,
        )
    }
}

/// The markers in the `//` lines of a comment; `start` is the offset of its first byte.
pub(crate) fn markers(comment: &str, place: Span) -> impl Iterator<Item = Marker<'_>> {
    let mut offset = place.start;
    comment.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len() as u32;
        let written = line.trim_end();
        let indent = written.len() - written.trim_start().len();
        let text = written.trim_start().strip_prefix("//")?.trim_start();
        let text = text.strip_prefix('+')?;
        let is_name = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let span = Span::new(place.file, start + indent as u32, start + written.len() as u32);
        is_name.then(|| Marker::parse(text, span))
    })
}

/// The name at the start of a marker: the longest that the catalogue knows, otherwise everything before the part that
/// has an `=`.
fn name(text: &str) -> &str {
    if text.starts_with("k8s:") {
        let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, ':' | '_' | '-' | '.')));
        return &text[..end.unwrap_or(text.len())];
    }
    let head = &text[..text.find(['=', ' ']).unwrap_or(text.len())];
    let mut known = head.trim_end_matches(':');
    loop {
        if find_marker(known).is_some() {
            return known;
        }
        match known.rsplit_once(':') {
            Some((shorter, _)) => known = shorter,
            None => break,
        }
    }
    if text.matches('=').count() <= 1 {
        return head.trim_end_matches(':');
    }
    // The last part before the first `=` is the name of an argument.
    head.trim_end_matches(':')
        .rsplit_once(':')
        .map_or(head, |(name, _)| name)
}

/// The arguments and value of a `+k8s:` tag: `(name: value, …)=value`.
fn native(rest: &str) -> (Vec<(&str, &str)>, &str) {
    let (inside, after) = match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').unwrap_or((inside, "")),
        None => ("", rest),
    };
    let arguments = inside
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, value) = part.split_once(':').unwrap_or(("", part));
            (name.trim(), value.trim().trim_matches(['"', '`']))
        });
    let value = after.strip_prefix('=').unwrap_or_default();
    (arguments.collect(), value)
}

/// The arguments and value of any other marker: `=value`, `:=value`, `:name=value,…`.
fn arguments(rest: &str) -> (Vec<(&str, &str)>, &str) {
    if let Some(value) = rest.strip_prefix(":=").or_else(|| rest.strip_prefix('=')) {
        return (Vec::new(), value);
    }
    let mut rest = rest.strip_prefix(':').unwrap_or_default();
    let mut arguments = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = value(after);
        arguments.push((
            name.trim_start_matches([',', ' ', ':']).trim_end_matches(':'),
            value,
        ));
        rest = next;
    }
    (arguments, "")
}

/// The value at the start of a text, quoted or up to the next comma, and what follows.
fn value(text: &str) -> (&str, &str) {
    let quote = text
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\'' | '`'));
    let Some(quote) = quote else {
        return text.split_at(text.find(',').unwrap_or(text.len()));
    };
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if c == quote => return text.split_at(at + 1),
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_source::SourceMap;

    fn parsed(text: &str) -> String {
        let mut sources = SourceMap::default();
        let id = sources.add("a.go", "");
        let marker = Marker::parse(text, Span::new(id, 0, 0));
        format!("{} | {:?} | {}", marker.name, marker.arguments, marker.value)
    }

    #[test]
    fn names_arguments_and_values() {
        for (text, expected) in [
            ("optional", "optional | [] | "),
            ("listType=map", "listType | [] | map"),
            (
                "kubebuilder:validation:MaxLength:=3",
                "kubebuilder:validation:MaxLength | [] | 3",
            ),
            (
                "kubebuilder:validation:XValidation:rule=\"a,b == ''\",message='x'",
                "kubebuilder:validation:XValidation | [(\"rule\", \"\\\"a,b == ''\\\"\"), (\"message\", \"'x'\")] | ",
            ),
            ("custom:marker=1", "custom:marker | [] | 1"),
            (
                "custom:marker:fruit=apple,color=red",
                "custom:marker | [(\"fruit\", \"apple\"), (\"color\", \"red\")] | ",
            ),
            (
                "k8s:ifEnabled(Foo)=+k8s:required",
                "k8s:ifEnabled | [(\"\", \"Foo\")] | +k8s:required",
            ),
            (
                "k8s:unionMember(union: \"a\")",
                "k8s:unionMember | [(\"union\", \"a\")] | ",
            ),
        ] {
            assert_eq!(parsed(text), expected);
        }
    }

    #[test]
    fn configured_names_decide_where_arguments_start() {
        let mut sources = SourceMap::default();
        let id = sources.add("a.go", "");
        let marker = Marker::parse("custom:fruit=apple", Span::new(id, 0, 0));
        let named = marker.as_named("custom").expect("the marker has this name");
        assert_eq!(named.argument("fruit"), Some("apple"));
        assert_eq!(marker.as_named("cust"), None);
    }
}
