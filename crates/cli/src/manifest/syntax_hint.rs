//! What is often wrong with YAML that cannot be read.

/// The hint, seen from the line of the error and the one before it.
pub(super) fn of(text: &str, offset: usize) -> Option<String> {
    let start = text[..offset].trim_end().rfind('\n').map_or(0, |end| end + 1);
    let lines: Vec<&str> = text[start..].lines().take(2).collect();
    let has_tab = |line: &&str| line[..line.len() - line.trim_start().len()].contains('\t');
    if lines.iter().any(|line| line.contains("{{")) {
        return Some(
            "this is a template: `helm template … | kindsmith check -` checks what it makes".to_owned(),
        );
    }
    if lines.iter().any(has_tab) {
        return Some("indent with spaces: YAML does not allow tabs".to_owned());
    }
    let is_plain = |line: &&str| {
        let value = line.split_once(": ").map_or("", |(_, value)| value.trim());
        value.contains(": ") && !value.starts_with(['"', '\'', '{', '[', '|', '>'])
    };
    if lines.iter().any(is_plain) {
        return Some("write a value that has `: ` in quotes".to_owned());
    }
    indentation(text, offset)
}

/// The hint for a line that is indented like no line that it could belong to.
fn indentation(text: &str, offset: usize) -> Option<String> {
    let is_written = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let wrong = indent(text[start..].lines().find(is_written)?);
    // The lines that are still open at the wrong one, the deepest last.
    let mut open: Vec<&str> = Vec::new();
    for line in text[..start].lines().filter(is_written) {
        if line.starts_with("---") {
            open.clear();
            continue;
        }
        open.retain(|above| indent(above) < indent(line));
        open.push(line);
    }
    let before = open.last()?;
    let is_scalar = |line: &str| {
        line.split_once(": ")
            .is_some_and(|(_, value)| !value.trim().is_empty())
    };
    if wrong > indent(before) && is_scalar(before) {
        let key = before.trim_start_matches([' ', '-']).split(':').next()?;
        return Some(format!(
            "indent the line like `{key}`, {} spaces, or remove the value of `{key}`",
            indent(before)
        ));
    }
    let levels: Vec<usize> = open.iter().map(|line| indent(line)).collect();
    if wrong > indent(before) || levels.contains(&wrong) {
        return None;
    }
    let levels: Vec<String> = levels.iter().map(usize::to_string).collect();
    Some(format!(
        "check the indentation: it is {wrong}, and lines above have {}",
        levels.join(", ")
    ))
}

/// How many blanks a line starts with; those after the dash of a list count too.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}
