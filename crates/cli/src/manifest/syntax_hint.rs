//! What is often wrong with YAML that cannot be read.

/// The hint, seen from the line of the error and the one before it.
pub(super) fn of(text: &str, offset: usize) -> Option<String> {
    let start = text[..offset].trim_end().rfind('\n').map_or(0, |end| end + 1);
    let lines: Vec<&str> = text[start..].lines().take(2).collect();
    let indent = |line: &&str| line[..line.len() - line.trim_start().len()].contains('\t');
    if lines.iter().any(|line| line.contains("{{")) {
        return Some(
            "this is a template: `helm template … | kindsmith check -` checks what it makes".to_owned(),
        );
    }
    if lines.iter().any(indent) {
        return Some("indent with spaces: YAML does not allow tabs".to_owned());
    }
    let is_plain = |line: &&str| {
        let value = line.split_once(": ").map_or("", |(_, value)| value.trim());
        value.contains(": ") && !value.starts_with(['"', '\'', '{', '[', '|', '>'])
    };
    lines
        .iter()
        .any(is_plain)
        .then(|| "write a value that has `: ` in quotes".to_owned())
}
