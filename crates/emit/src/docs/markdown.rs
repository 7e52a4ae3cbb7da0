//! Pages as GitHub's Markdown. Anchors are written out, so that links work in every renderer.

use std::fmt::Write as _;

use super::html;
use super::prose::summary;
use super::{Block, Line, Page, Piece, Row, Section};

/// The text of a page; with a link back if there is an index.
pub(super) fn page(page: &Page, has_index: bool) -> String {
    let mut out = format!("# {}\n", escape(&page.title));
    if has_index {
        out.push_str("\n[API reference](index.md)\n");
    }
    blocks(&mut out, &page.description);
    if !page.kinds.is_empty() {
        out.push_str("\n## Kinds\n\n");
        for kind in &page.kinds {
            let title = escape(&kind.title);
            _ = writeln!(out, "- [{title}](#{}){}", kind.anchor, summary_of(kind));
        }
    }
    for kind in &page.kinds {
        section(&mut out, kind, "##");
    }
    group(&mut out, "Types", &page.types);
    group(&mut out, "Types of other packages", &page.foreign);
    out
}

/// Types below a heading, with links to their sections.
fn group(out: &mut String, title: &str, sections: &[Section]) {
    if sections.is_empty() {
        return;
    }
    let link = |one: &Section| format!("[{}](#{})", escape(&one.title), one.anchor);
    let links: Vec<String> = sections.iter().map(link).collect();
    _ = writeln!(out, "\n## {title}\n\n{}", links.join(" · "));
    for one in sections {
        section(out, one, "###");
    }
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = "# API reference\n".to_owned();
    for page in pages {
        _ = writeln!(out, "\n## [{}]({}.md)", escape(&page.title), page.name);
        if page.kinds.is_empty() {
            blocks(&mut out, &page.description);
            continue;
        }
        out.push('\n');
        for kind in &page.kinds {
            let title = escape(&kind.title);
            _ = writeln!(
                out,
                "- [{title}]({}.md#{}){}",
                page.name,
                kind.anchor,
                summary_of(kind)
            );
        }
    }
    out
}

fn summary_of(section: &Section) -> String {
    summary(&section.description).map_or(String::new(), |first| format!(": {}", line(first)))
}

fn section(out: &mut String, section: &Section, level: &str) {
    let (anchor, title) = (&section.anchor, escape(&section.title));
    _ = writeln!(out, "\n<a id=\"{anchor}\"></a>\n{level} {title}");
    if section.deprecated {
        out.push_str("\n*deprecated*\n");
    }
    if let Some(package) = &section.package {
        _ = writeln!(out, "\nFrom {}.", code(package));
    }
    blocks(out, &section.description);
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
    }
    for value in &section.values {
        let name = named(&value.text, false, value.deprecated);
        let meaning = described(&value.description, &value.facts);
        _ = writeln!(out, "| {} | {} |", cell(&name), cell(&meaning));
    }
    if !section.rows.is_empty() {
        out.push_str("\n| Field | Type | Description |\n|---|---|---|\n");
    }
    for one in &section.rows {
        row(out, one);
    }
}

fn row(out: &mut String, row: &Row) {
    let name = named(&row.name, row.required, row.deprecated);
    let text = described(&row.description, &row.facts);
    let (name, ty, text) = (cell(&name), cell(&line(&row.ty)), cell(&text));
    _ = writeln!(out, "| {name} | {ty} | {text} |");
}

fn named(name: &str, required: bool, deprecated: bool) -> String {
    let mut name = code(name);
    for (is, badge) in [(required, "required"), (deprecated, "deprecated")] {
        if is {
            _ = write!(name, "<br>*{badge}*");
        }
    }
    name
}

/// The content of a cell: it cannot contain line breaks, so breaks and lists are tags.
fn described(blocks: &[Block], facts: &[(String, Line)]) -> String {
    let mut out = String::new();
    // Lists and code are on lines of their own.
    let mut needs_break = false;
    for block in blocks {
        let (text, is_line) = match block {
            Block::Text(text) => (line(text), true),
            Block::Heading(text) => (format!("**{}**", line(text)), true),
            Block::Code(text) => {
                let lines: Vec<String> = text.lines().map(escape).collect();
                (format!("<pre>{}</pre>", lines.join("<br>")), false)
            }
            Block::List(items) => (html::list(items, line), false),
        };
        if needs_break && is_line {
            out.push_str("<br>");
        }
        out.push_str(&text);
        needs_break = is_line;
    }
    for (label, text) in facts {
        if needs_break {
            out.push_str("<br>");
        }
        _ = write!(out, "**{}**: {}", escape(label), line(text));
        needs_break = true;
    }
    out
}

/// A description outside of tables, each block after an empty line.
fn blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        out.push('\n');
        match block {
            Block::Text(text) => _ = writeln!(out, "{}", paragraph(&line(text))),
            Block::Heading(text) => _ = writeln!(out, "**{}**", line(text)),
            Block::Code(text) => {
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                _ = writeln!(out, "{fence}\n{text}\n{fence}");
            }
            Block::List(items) => {
                for item in items {
                    let mark = if item.numbered { "1." } else { "-" };
                    let pad = " ".repeat(item.level * 3);
                    _ = writeln!(out, "{pad}{mark} {}", line(&item.text));
                }
            }
        }
    }
}

/// A paragraph that cannot be mistaken for another kind of block.
fn paragraph(text: &str) -> String {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    if digits > 0 && text[digits..].starts_with(['.', ')']) {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    if text.starts_with(['-', '+', '=', '~']) {
        format!("\\{text}")
    } else {
        text.to_owned()
    }
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
        Piece::Strong(text) => format!("**{}**", escape(text)),
        Piece::Code(text) => code(text),
        Piece::Link { text, page, anchor } => {
            let page = page.as_ref().map_or(String::new(), |page| format!("{page}.md"));
            format!("[{}]({page}#{anchor})", escape(text))
        }
        Piece::Web { text, url } if text == url => format!("<{url}>"),
        Piece::Web { text, url } => format!("[{}](<{url}>)", escape(text)),
    }
}

/// Code with a fence longer than any run of backticks in it.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    if text.is_empty() {
        String::new()
    } else {
        format!("{fence}{pad}{text}{pad}{fence}")
    }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text without any Markdown meaning.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '*' | '_' | '[' | ']' | '`' | '\\' | '#' | '~' => {
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
    use super::super::prose;
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a*b_c<d>&[e]`"), "a\\*b\\_c&lt;d&gt;&amp;\\[e\\]\\`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(cell(&code("a|b")), "`a\\|b`");
        assert_eq!(paragraph("2026. It was"), "2026\\. It was");
        assert_eq!(paragraph("-5 degrees"), "\\-5 degrees");
    }

    const COMMENT: &str = "A:\n- b|c\n  - d\n\nhttps://e.f/_g\n\n```\nh <i>\n  j\n```";

    #[test]
    fn cells_have_no_line_breaks() {
        let text = cell(&described(&prose::blocks(COMMENT), &[]));
        assert_eq!(
            text,
            "A:<ul><li>b\\|c<ul><li>d</li></ul></li></ul><https://e.f/_g><pre>h &lt;i&gt;<br>  j</pre>"
        );
    }

    #[test]
    fn blocks_are_separated() {
        let mut text = String::new();
        blocks(&mut text, &prose::blocks(COMMENT));
        assert_eq!(
            text,
            "\nA:\n\n- b|c\n   - d\n\n<https://e.f/_g>\n\n```\nh <i>\n  j\n```\n"
        );
    }
}
