//! Comments of generated declarations: those of the source without markers, as gofmt leaves them.

/// The lines of a comment, each with its slashes.
pub(super) fn lines<'a>(source: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let shown = source.into_iter().map(str::trim);
    for line in shown.filter(|line| !line.starts_with('+')) {
        let is_second_blank = line.is_empty() && kept.last().is_none_or(String::is_empty);
        if !is_second_blank {
            kept.push(quoted(line));
        }
    }
    while kept.last().is_some_and(String::is_empty) {
        kept.pop();
    }
    let headings: Vec<bool> = (0..kept.len()).map(|at| is_heading(&kept, at)).collect();
    let slashes = |(line, is_heading): (&String, &bool)| match (&**line, is_heading) {
        ("", _) => "//".to_owned(),
        (line, true) => format!("// # {line}"),
        (line, false) => format!("// {line}"),
    };
    kept.iter().zip(&headings).map(slashes).collect()
}

/// Two quotes become one typographic quote, except in runs of three or more backticks.
fn quoted(line: &str) -> String {
    if !line.contains("``") && !line.contains("''") {
        return line.to_owned();
    }
    let mut text = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let taken = match ticks {
            2 => {
                text.push('“');
                2
            }
            3.. => {
                text.push_str(&rest[..ticks]);
                ticks
            }
            _ if rest.starts_with("''") => {
                text.push('”');
                2
            }
            _ => {
                text.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    text
}

/// Whether gofmt takes a line for a heading: one line between paragraphs, without punctuation.
fn is_heading(lines: &[String], at: usize) -> bool {
    let line = &*lines[at];
    let is_blank = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(String::is_empty);
    if !is_blank(at.checked_sub(1)) || !is_blank(Some(at + 1)) || lines.len() <= at + 2 {
        return false;
    }
    let begins = line.chars().next().is_some_and(char::is_uppercase);
    let ends = line.chars().last().is_some_and(char::is_alphanumeric);
    let is_plain = !line.contains(|c| ";:!?+*/=[]{}_^°&§~%#@<\">\\".contains(c));
    let quotes = line.match_indices('\'').all(|(at, _)| {
        let rest = &line[at + 1..];
        rest == "s" || rest.starts_with("s ")
    });
    let dots = line
        .match_indices('.')
        .all(|(at, _)| !line[at + 1..].is_empty() && !line[at + 1..].starts_with(' '));
    begins && ends && is_plain && quotes && dots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        assert_eq!(lines(source.lines()).join("\n"), expected);
    }

    #[test]
    fn comments_are_as_gofmt_leaves_them() {
        check("A park.\n\n+marker\n", "// A park.");
        check("A park.\n+marker\n\n\n  many", "// A park.\n//\n// many");
        check("A.\n\nNotes\n\nMore.", "// A.\n//\n// # Notes\n//\n// More.");
        check("A.\n\nNotes.\n\nMore.", "// A.\n//\n// Notes.\n//\n// More.");
        check("The ``name'' of it", "// The “name” of it");
    }
}
