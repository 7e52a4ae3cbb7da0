//! Go text that gofmt leaves unchanged. Expressions are strings whose further lines are indented relative to
//! the first; a [`Code`] puts them at their depth. Knows Go's layout, not the meaning of the text.

/// Longest function literal that gofmt keeps on one line, head and body together (go/printer, `funcBody`).
const LONGEST_LITERAL: usize = 100;

/// Longer calls are broken into lines.
const LONGEST_CALL: usize = 110;

/// Lines of Go at their depth.
#[derive(Debug, Default)]
pub(super) struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// A line, or several that belong together.
    pub(super) fn line(&mut self, text: &str) {
        for line in text.split('\n') {
            if !line.is_empty() {
                self.text.extend(std::iter::repeat_n('\t', self.depth));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// An empty line, unless a block has just begun.
    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") && !self.text.ends_with("{\n") {
            self.text.push('\n');
        }
    }

    /// A line that begins a block.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    /// A line that ends the block.
    pub(super) fn close(&mut self, text: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(text);
    }

    /// The text without the last line break.
    pub(super) fn finish(self) -> String {
        self.text.trim_end_matches('\n').to_owned()
    }
}

/// The lines one step deeper.
pub(super) fn deeper(text: &str) -> String {
    let lines = text.split('\n').map(|line| match line {
        "" => String::new(),
        line => format!("\t{line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A call; each group of arguments may get a line of its own.
pub(super) fn call(function: &str, groups: &[String]) -> String {
    let inline = groups.join(", ");
    if !inline.contains('\n') && function.len() + inline.len() <= LONGEST_CALL {
        return format!("{function}({inline})");
    }
    let lines: Vec<String> = groups.iter().map(|group| deeper(&format!("{group},"))).collect();
    format!("{function}(\n{}\n)", lines.join("\n"))
}

/// A function literal.
pub(super) fn literal(head: &str, body: &str) -> String {
    if !body.contains('\n') && head.len() + body.len() <= LONGEST_LITERAL {
        return format!("{head} {{ {body} }}");
    }
    format!("{head} {{\n{}\n}}", deeper(body))
}

/// Text as a Go literal.
pub(super) fn quote(text: &str) -> String {
    kindsmith_gostd::quote::quote(text)
}

/// Turns any text into an identifier.
pub(super) fn identifier(text: &str) -> String {
    let clean = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    text.chars().map(clean).collect()
}
