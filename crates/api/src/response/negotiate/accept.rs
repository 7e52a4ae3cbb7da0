//! The `Accept` header, read and sorted as goautoneg does (`ParseAccept`), which the API server uses. Knows no media
//! type.

/// One clause of the header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clause<'h> {
    /// `application`, or `*`.
    pub(super) ty: &'h str,
    /// `json`, or `*`.
    pub(super) subtype: &'h str,
    /// The parameters, without the quality.
    pub(super) parameters: Vec<(&'h str, &'h str)>,
    quality: f32,
}

impl Clause<'_> {
    /// Whether the clause matches a media type.
    pub(super) fn matches(&self, ty: &str, subtype: &str) -> bool {
        (self.ty == ty && (self.subtype == subtype || self.subtype == "*"))
            || (self.ty == "*" && self.subtype == "*")
    }

    /// The value of a parameter; the last one wins.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let values = self.parameters.iter().rev().filter(|(key, _)| *key == name);
        values.map(|&(_, value)| value).next()
    }
}

/// The clauses of a header, best first.
pub(super) fn parse(header: &str) -> Vec<Clause<'_>> {
    let mut clauses: Vec<Clause<'_>> = header.split(',').filter_map(clause).collect();
    // Clauses are not totally ordered, so the result depends on the algorithm: Go uses insertion sort for short slices.
    for end in 1..clauses.len() {
        let mut at = end;
        while at > 0 && goes_before(&clauses[at], &clauses[at - 1]) {
            clauses.swap(at, at - 1);
            at -= 1;
        }
    }
    clauses
}

fn clause(text: &str) -> Option<Clause<'_>> {
    let mut parts = text.trim_matches(' ').split(';');
    let media = parts.next().unwrap_or_default();
    let (ty, subtype) = match media.split_once('/') {
        Some((_, subtype)) if subtype.contains('/') => return None,
        Some((ty, "" | _)) if ty.trim_matches(' ').is_empty() => return None,
        Some((ty, subtype)) => (ty.trim_matches(' '), subtype.trim_matches(' ')),
        None if media.trim_matches(' ') == "*" => ("*", "*"),
        None => return None,
    };
    let mut clause = Clause {
        ty,
        subtype,
        parameters: Vec::new(),
        quality: 1.0,
    };
    for part in parts {
        match part.split_once('=') {
            Some((name, value)) if !value.is_empty() && !value.contains('=') => {
                match name.trim_matches(' ') {
                    "q" => clause.quality = value.parse().unwrap_or(0.0),
                    name => clause.parameters.push((name, value.trim_matches(' '))),
                }
            }
            _ => {}
        }
    }
    Some(clause)
}

fn goes_before(left: &Clause<'_>, right: &Clause<'_>) -> bool {
    left.quality > right.quality
        || (left.ty != "*" && right.ty == "*")
        || (left.subtype != "*" && right.subtype == "*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &str, expected: &[&str]) {
        let clauses = parse(header);
        let shown: Vec<String> = clauses
            .iter()
            .map(|clause| format!("{}/{}", clause.ty, clause.subtype))
            .collect();
        assert_eq!(shown, expected, "{header}");
    }

    #[test]
    fn clauses_are_sorted_by_quality_then_by_wildcards() {
        check("*/*, application/yaml", &["application/yaml", "*/*"]);
        check("a/b;q=0.5, c/d", &["c/d", "a/b"]);
        check("a/*;q=0.9,a/b;q=0.9", &["a/b", "a/*"]);
        check("*", &["*/*"]);
    }

    #[test]
    fn malformed_media_types_are_dropped() {
        check("nonsense, a/b/c, , a/b", &["a/b"]);
    }

    #[test]
    fn parameters_are_kept() {
        let clauses = parse("application/json; as=Table;g=meta.k8s.io;v=v1;q=1");
        assert_eq!(clauses[0].parameter("as"), Some("Table"));
        assert_eq!(clauses[0].parameter("q"), None);
    }
}
