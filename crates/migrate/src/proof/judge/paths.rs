//! Fields as errors name them.

use crate::validation::PathStep;

/// The path of an object itself is empty.
pub(super) fn plain(field: &str) -> &str {
    if field == "<nil>" { "" } else { field }
}

/// Whether a field is another or inside it.
pub(super) fn is_within(field: &str, other: &str) -> bool {
    match field.strip_prefix(other) {
        Some("") => true,
        Some(rest) => other.is_empty() || rest.starts_with(['.', '[']),
        None => false,
    }
}

/// The steps of a field's path; keys and indexes are alike.
pub(super) fn parsed(field: &str) -> Vec<PathStep> {
    let mut made = Vec::new();
    let mut rest = field;
    while !rest.is_empty() && rest != "<nil>" {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']').unwrap_or(inside.len());
            made.push(PathStep::Key);
            rest = inside.get(end + 1..).unwrap_or_default();
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            made.push(PathStep::Child(name[..end].to_owned()));
            rest = &name[end..];
        }
    }
    made
}

pub(super) fn fits(pattern: &[PathStep], steps: &[PathStep]) -> bool {
    let is_alike = |pair: (&PathStep, &PathStep)| match pair {
        (PathStep::Child(one), PathStep::Child(two)) => one == two,
        (PathStep::Child(_), _) | (_, PathStep::Child(_)) => false,
        _ => true,
    };
    pattern.len() == steps.len() && pattern.iter().zip(steps).all(is_alike)
}
