//! Pages as GitHub's Markdown. Anchors are written out, so that links work in every renderer.

use std::fmt::Write as _;

use super::{Line, Page, Piece, Row, Section};

/// The text of a page.
pub(super) fn page(page: &Page) -> String {
    let mut out = format!("# {}\n", escape(&page.title));
    paragraphs(&mut out, &page.description);
    if !page.kinds.is_empty() {
        out.push_str("\n## Kinds\n\n");
        for kind in &page.kinds {
            let title = escape(&kind.title);
            _ = writeln!(out, "- [{title}](#{}){}", kind.anchor, summary(kind));
        }
    }
    for kind in &page.kinds {
        section(&mut out, kind, "##");
    }
    if !page.types.is_empty() {
        out.push_str("\n## Types\n");
    }
    for ty in &page.types {
        section(&mut out, ty, "###");
    }
    out
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = "# API reference\n".to_owned();
    for page in pages {
        _ = write!(out, "\n## [{}]({}.md)\n\n", escape(&page.title), page.name);
        for kind in &page.kinds {
            let title = escape(&kind.title);
            _ = writeln!(
                out,
                "- [{title}]({}.md#{}){}",
                page.name,
                kind.anchor,
                summary(kind)
            );
        }
    }
    out
}

fn summary(section: &Section) -> String {
    section
        .description
        .first()
        .map_or(String::new(), |first| format!(": {}", line(first)))
}

fn paragraphs(out: &mut String, paragraphs: &[Line]) {
    let mut in_list = false;
    for paragraph in paragraphs {
        let text = line(paragraph);
        let is_item = text.starts_with("- ");
        if !(in_list && is_item) {
            out.push('\n');
        }
        in_list = is_item;
        out.push_str(&text);
        out.push('\n');
    }
}

fn section(out: &mut String, section: &Section, level: &str) {
    _ = writeln!(
        out,
        "\n<a id=\"{}\"></a>\n{level} {}",
        section.anchor,
        escape(&section.title)
    );
    paragraphs(out, &section.description);
    if !section.facts.is_empty() {
        out.push('\n');
    }
    for (label, text) in &section.facts {
        _ = writeln!(out, "- **{}**: {}", escape(label), line(text));
    }
    if !section.used_by.is_empty() {
        let names: Vec<String> = section.used_by.iter().map(piece).collect();
        _ = writeln!(out, "\nUsed by: {}", names.join(", "));
    }
    if !section.values.is_empty() {
        out.push_str("\n| Value | Meaning |\n|---|---|\n");
        for (value, meaning) in &section.values {
            _ = writeln!(out, "| {} | {} |", cell(&code(value)), cell(&line(meaning)));
        }
    }
    if !section.rows.is_empty() {
        out.push_str("\n| Field | Type | Description |\n|---|---|---|\n");
        for one in &section.rows {
            row(out, one);
        }
    }
}

fn row(out: &mut String, row: &Row) {
    let mut name = code(&row.name);
    if row.required {
        name.push_str("<br>*required*");
    }
    if row.deprecated {
        name.push_str("<br>*deprecated*");
    }
    let described = row.description.iter().map(line);
    let facts = row
        .facts
        .iter()
        .map(|(label, text)| format!("**{}**: {}", escape(label), line(text)));
    let parts: Vec<String> = described.chain(facts).collect();
    let (name, ty, text) = (cell(&name), cell(&line(&row.ty)), cell(&parts.join("<br>")));
    _ = writeln!(out, "| {name} | {ty} | {text} |");
}

/// A bar would end the cell, even in code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn line(pieces: &Line) -> String {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => escape(text),
        Piece::Code(text) => code(text),
        Piece::Link { text, page, anchor } => {
            let page = page.as_ref().map_or(String::new(), |page| format!("{page}.md"));
            format!("[{}]({page}#{anchor})", escape(text))
        }
    }
}

/// Code with a fence longer than any run of backticks in it.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    match text.is_empty() {
        true => String::new(),
        false => format!("{fence}{pad}{text}{pad}{fence}"),
    }
}

/// Text that means nothing but itself.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '*' | '_' | '[' | ']' | '`' | '\\' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        assert_eq!(escape("a*b_c<d>&[e]`"), "a\\*b\\_c&lt;d&gt;&amp;\\[e\\]\\`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(cell(&code("a|b")), "`a\\|b`");
    }
}
