//! Line folding of flow scalars: a single line break becomes a space. Knows neither quotes nor indentation.

/// The white space between two words, while it is collected.
#[derive(Default)]
pub(super) struct Gap {
    spaces: String,
    first_break: Option<&'static str>,
    more_breaks: String,
    joined: bool,
}

impl Gap {
    /// A gap that begins with an escaped line break, which becomes nothing.
    pub(super) fn joined() -> Gap {
        Gap {
            joined: true,
            ..Gap::default()
        }
    }

    /// Was there a line break?
    pub(super) fn is_broken(&self) -> bool {
        self.joined || self.first_break.is_some()
    }

    pub(super) fn push_blank(&mut self, blank: u8) {
        // Blanks around line breaks are dropped.
        if !self.is_broken() {
            self.spaces.push(char::from(blank));
        }
    }

    pub(super) fn push_break(&mut self, line_break: &str) {
        if self.is_broken() {
            self.more_breaks.push_str(line_break);
        } else {
            self.first_break = Some(match line_break {
                "\u{2028}" => "\u{2028}",
                "\u{2029}" => "\u{2029}",
                _ => "\n",
            });
        }
    }

    /// Appends the text of the gap.
    pub(super) fn append_to(&self, text: &mut String) {
        match self.first_break {
            _ if !self.is_broken() => text.push_str(&self.spaces),
            Some("\n") if self.more_breaks.is_empty() => text.push(' '),
            Some("\n") | None => text.push_str(&self.more_breaks),
            Some(separator) => {
                text.push_str(separator);
                text.push_str(&self.more_breaks);
            }
        }
    }
}
