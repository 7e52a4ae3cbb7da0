//! Go code with its indentation.

/// Code being written.
#[derive(Debug, Default)]
pub(super) struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.text.push('\t');
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Starts a block: `if x` becomes `if x {`, and nothing becomes `{`.
    pub(super) fn open(&mut self, head: &str) {
        let head = if head.is_empty() {
            "{".to_owned()
        } else {
            format!("{head} {{")
        };
        self.line(&head);
        self.depth += 1;
    }

    /// Ends a block and starts its alternative.
    pub(super) fn otherwise(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("} else {");
        self.depth += 1;
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }

    /// The code so far; the next begins anew.
    pub(super) fn take(&mut self) -> String {
        self.depth = 0;
        std::mem::take(&mut self.text)
    }
}
