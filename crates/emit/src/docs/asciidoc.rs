//! Pages as AsciiDoc.

use std::fmt::Write as _;

use super::prose::summary;
use super::{Block, Line, Page, Piece, Row, Section};

/// The text of a page; with a link back if there is an index.
pub(super) fn page(page: &Page, has_index: bool) -> String {
    let mut out = format!("= {}\n:toc: left\n:toclevels: 2\n", escape(&page.title));
    if has_index {
        out.push_str("\nxref:index.adoc[API reference]\n");
    }
    blocks(&mut out, &page.description);
    if !page.kinds.is_empty() {
        out.push_str("\n== Kinds\n");
    }
    for kind in &page.kinds {
        section(&mut out, kind);
    }
    for (title, sections) in [("Types", &page.types), ("Types of other packages", &page.foreign)] {
        if !sections.is_empty() {
            _ = writeln!(out, "\n== {title}");
        }
        for one in sections {
            section(&mut out, one);
        }
    }
    out
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = "= API reference\n".to_owned();
    for page in pages {
        _ = writeln!(out, "\n== xref:{}.adoc[{}]\n", page.name, escape(&page.title));
        for kind in &page.kinds {
            let about =
                summary(&kind.description).map_or(String::new(), |first| format!(": {}", line(first)));
            let title = escape(&kind.title);
            _ = writeln!(out, "* xref:{}.adoc#{}[{title}]{about}", page.name, kind.anchor);
        }
    }
    out
}

fn section(out: &mut String, section: &Section) {
    _ = writeln!(out, "\n[#{}]\n=== {}", section.anchor, escape(&section.title));
    if section.deprecated {
        out.push_str("\n_deprecated_\n");
    }
    if let Some(package) = &section.package {
        _ = writeln!(out, "\nFrom {}.", code(package));
    }
    blocks(out, &section.description);
    if !section.facts.is_empty() {
        out.push('\n');
    }
    for (label, text) in &section.facts {
        _ = writeln!(out, "* *{}*: {}", escape(label), line(text));
    }
    if !section.used_by.is_empty() {
        let names: Vec<String> = section.used_by.iter().map(piece).collect();
        _ = writeln!(out, "\nUsed by: {}", names.join(", "));
    }
    if !section.values.is_empty() {
        out.push_str("\n[cols=\"1,3\",options=\"header\"]\n|===\n| Value | Meaning\n");
        for value in &section.values {
            let name = named(&value.text, false, value.deprecated);
            _ = writeln!(
                out,
                "\n| {name}\na| {}",
                described(&value.description, &value.facts)
            );
        }
        out.push_str("|===\n");
    }
    if !section.rows.is_empty() {
        out.push_str("\n[cols=\"1,1,3\",options=\"header\"]\n|===\n| Field | Type | Description\n");
        section.rows.iter().for_each(|one| row(out, one));
        out.push_str("|===\n");
    }
}

fn row(out: &mut String, row: &Row) {
    let name = named(&row.name, row.required, row.deprecated);
    let ty = cell(&line(&row.ty));
    _ = writeln!(
        out,
        "\n| {name}\n| {ty}\na| {}",
        described(&row.description, &row.facts)
    );
}

fn named(name: &str, required: bool, deprecated: bool) -> String {
    let mut name = cell(&code(name));
    for (is, badge) in [(required, "required"), (deprecated, "deprecated")] {
        if is {
            _ = write!(name, " _{badge}_");
        }
    }
    name
}

/// The content of a cell.
fn described(description: &[Block], facts: &[(String, Line)]) -> String {
    let mut out = String::new();
    blocks(&mut out, description);
    for (label, text) in facts {
        _ = write!(out, "\n*{}*: {}\n", escape(label), line(text));
    }
    cell(out.trim())
}

/// A description, each block after an empty line.
fn blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        out.push('\n');
        match block {
            Block::Text(text) => _ = writeln!(out, "{}", line(text)),
            Block::Heading(text) => _ = writeln!(out, "*{}*", line(text)),
            Block::Code(text) => _ = writeln!(out, "----\n{text}\n----"),
            Block::List(items) => {
                for item in items {
                    let mark = if item.numbered { "." } else { "*" };
                    _ = writeln!(out, "{} {}", mark.repeat(item.level + 1), line(&item.text));
                }
            }
        }
    }
}

/// A bar would end the cell, even in code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn line(pieces: &Line) -> String {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => escape(text),
        Piece::Strong(text) => format!("*{}*", escape(text)),
        Piece::Code(text) => code(text),
        Piece::Link { text, page, anchor } => match page {
            Some(page) => format!("xref:{page}.adoc#{anchor}[{}]", escape(text)),
            None => format!("<<{anchor},{}>>", escape(text)),
        },
        Piece::Web { text, url } => format!("link:++{url}++[{}]", escape(text)),
    }
}

/// Literal text: nothing in it has a meaning.
fn code(text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("`+{}+`", text.replace('\n', " ")),
    }
}

/// Text without any meaning in AsciiDoc: signs that may have one are written as character references.
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

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    #[test]
    fn text_has_no_meaning() {
        assert_eq!(escape("a*b {c}"), "a&#42;b &#123;c&#125;");
        assert_eq!(cell(&code("a|b")), "`+a\\|b+`");
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
        row(&mut out, &one);
        assert_eq!(
            out,
            "\n| `+width+` _required_\n| integer\na| How wide.\n\n* a\n* b\n"
        );
    }
}
