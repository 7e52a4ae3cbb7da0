//! Pages as AsciiDoc.

use std::fmt::Write as _;

use super::contents::{self, Entry};
use super::marks::{Marks, blocks, fact, line, section};
use super::prose::summary;
use super::{Block, Item, Line, Page};

/// The text of a page; with a link back if there is an index.
pub(super) fn page(page: &Page, has_index: bool) -> String {
    let mut out = format!("= {}\n:toc: left\n:toclevels: 2\n", AsciiDoc::escape(&page.title));
    if has_index {
        out.push_str("\nxref:index.adoc[API reference]\n");
    }
    blocks::<AsciiDoc>(&mut out, &page.description);
    if !page.kinds.is_empty() {
        out.push_str("\n== Kinds\n");
    }
    // The table of contents has no place for objects in objects.
    if contents::types(page).len() < page.types.len() {
        out.push('\n');
        for Entry { depth, name, section } in contents::kinds(page) {
            let (bullets, title) = ("*".repeat(depth + 1), AsciiDoc::escape(name));
            _ = writeln!(out, "{bullets} <<{},{title}>>", section.anchor);
        }
    }
    for kind in &page.kinds {
        section::<AsciiDoc>(&mut out, kind, "===");
    }
    for (title, sections) in [("Types", &page.types), ("Types of other packages", &page.foreign)] {
        if !sections.is_empty() {
            _ = writeln!(out, "\n== {title}");
        }
        for one in sections {
            section::<AsciiDoc>(&mut out, one, "===");
        }
    }
    out
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = "= API reference\n".to_owned();
    for page in pages {
        _ = writeln!(
            out,
            "\n== xref:{}.adoc[{}]\n",
            page.name,
            AsciiDoc::escape(&page.title)
        );
        for kind in &page.kinds {
            let about = summary(&kind.description)
                .map_or(String::new(), |first| format!(": {}", line::<AsciiDoc>(first)));
            let title = AsciiDoc::escape(&kind.title);
            _ = writeln!(out, "* xref:{}.adoc#{}[{title}]{about}", page.name, kind.anchor);
        }
    }
    out
}

struct AsciiDoc;

impl Marks for AsciiDoc {
    const STRONG: &'static str = "*";
    const BADGE: (&'static str, &'static str) = (" ", "_");
    const BULLET: &'static str = "*";

    fn anchor(anchor: &str) -> String {
        format!("[#{anchor}]")
    }

    /// Signs that may have a meaning are written as character references.
    fn escape(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '*' | '_' | '`' | '#' | '^' | '~' | '[' | ']' | '{' | '}' | '<' | '>' | '&' | '+' | '\\'
                | '|' => {
                    _ = write!(out, "&#{};", u32::from(c));
                }
                _ => out.push(c),
            }
        }
        out
    }

    fn code(text: &str) -> String {
        if text.is_empty() {
            String::new()
        } else {
            format!("`+{}+`", text.replace('\n', " "))
        }
    }

    fn listing(text: &str) -> String {
        format!("----\n{text}\n----")
    }

    fn paragraph(text: String) -> String {
        text
    }

    fn bullet(item: &Item) -> String {
        let mark = if item.numbered { "." } else { "*" };
        mark.repeat(item.level + 1)
    }

    fn link(text: &str, page: Option<&str>, anchor: &str) -> String {
        match page {
            Some(page) => format!("xref:{page}.adoc#{anchor}[{}]", Self::escape(text)),
            None => format!("<<{anchor},{}>>", Self::escape(text)),
        }
    }

    fn web(text: &str, url: &str) -> String {
        format!("link:++{url}++[{}]", Self::escape(text))
    }

    fn begin_table(out: &mut String, columns: &[&str]) {
        let widths = "1,".repeat(columns.len() - 1);
        let columns = columns.join(" | ");
        _ = writeln!(
            out,
            "\n[cols=\"{widths}3\",options=\"header\"]\n|===\n| {columns}"
        );
    }

    /// The last cell has blocks.
    fn row(out: &mut String, cells: &[String]) {
        out.push('\n');
        for (position, text) in cells.iter().enumerate() {
            let style = if position + 1 == cells.len() { "a" } else { "" };
            _ = writeln!(out, "{style}| {}", cell(text));
        }
    }

    fn end_table(out: &mut String) {
        out.push_str("|===\n");
    }

    fn described(description: &[Block], facts: &[(String, Line)]) -> String {
        let mut out = String::new();
        blocks::<Self>(&mut out, description);
        for one in facts {
            _ = write!(out, "\n{}\n", fact::<Self>(one));
        }
        out.trim().to_owned()
    }
}

/// A bar would end the cell, even in code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::super::{Piece, Row, Section, prose};
    use super::*;

    #[test]
    fn text_has_no_meaning() {
        assert_eq!(AsciiDoc::escape("a*b {c}"), "a&#42;b &#123;c&#125;");
        assert_eq!(cell(&AsciiDoc::code("a|b")), "`+a\\|b+`");
    }

    #[test]
    fn rows_are_cells() {
        let mut out = String::new();
        let one = Row {
            name: "width".to_owned(),
            ty: vec![Piece::text("integer")],
            required: true,
            description: prose::blocks("How wide.\n- a\n- b"),
            ..Row::default()
        };
        let rows = vec![one];
        section::<AsciiDoc>(
            &mut out,
            &Section {
                rows,
                ..Section::default()
            },
            "===",
        );
        let (_, rows) = out.split_once("Description\n").expect("a table");
        assert_eq!(
            rows,
            "\n| `+width+` _required_\n| integer\na| How wide.\n\n* a\n* b\n|===\n"
        );
    }
}
