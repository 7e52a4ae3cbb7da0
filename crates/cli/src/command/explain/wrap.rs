//! Breaks text into lines of a given width, as kubectl does: words stay whole, existing line breaks stay, spaces at a
//! break are dropped.

/// The text with every line at most `width` characters wide, where words allow it.
pub(super) fn wrap(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    let mut rest = line;
    while !rest.is_empty() {
        let word_at = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        let (spaces, behind) = rest.split_at(word_at);
        let word_end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let (word, behind) = behind.split_at(word_end);
        let (gap, length) = (spaces.chars().count(), word.chars().count());
        if column > 0 && column + gap + length > width && !word.is_empty() {
            out.push('\n');
            column = 0;
        } else {
            out.push_str(spaces);
            column += gap;
        }
        out.push_str(word);
        column += length;
        rest = behind;
    }
    out
}

/// The text with every line indented by `amount` spaces.
pub(super) fn indent(text: &str, amount: usize) -> String {
    let pad = " ".repeat(amount);
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole() {
        for (text, width, expected) in [
            ("", 5, ""),
            ("one two three", 7, "one two\nthree"),
            ("one two three", 100, "one two three"),
            ("incomprehensible word", 5, "incomprehensible\nword"),
            ("kept\nbreaks stay", 6, "kept\nbreaks\nstay"),
            ("  indented text", 10, "  indented\ntext"),
            ("größe ändern", 6, "größe\nändern"),
        ] {
            assert_eq!(wrap(text, width), expected);
        }
    }

    #[test]
    fn every_line_is_indented() {
        assert_eq!(indent("a\nb", 2), "  a\n  b");
    }
}
