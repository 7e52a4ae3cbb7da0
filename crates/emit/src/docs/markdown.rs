//! Pages as GitHub's Markdown. Anchors are written out, so that links work in every renderer.

use std::fmt::Write as _;

use super::contents::{self, Entry};
use super::html;
use super::marks::{Marks, blocks, fact, line, section, strong};
use super::prose::summary;
use super::{Block, Item, Line, Page, Section};

/// The text of a page; with a link back if there is an index.
pub(super) fn page(page: &Page, has_index: bool) -> String {
    let mut out = format!("# {}\n", Markdown::escape(&page.title));
    if has_index {
        out.push_str("\n[API reference](index.md)\n");
    }
    blocks::<Markdown>(&mut out, &page.description);
    if !page.kinds.is_empty() {
        out.push_str("\n## Kinds\n\n");
        for Entry { depth, name, section } in contents::kinds(page) {
            let about = if depth == 0 {
                summary_of(section)
            } else {
                String::new()
            };
            let (indent, title) = ("  ".repeat(depth), Markdown::escape(name));
            _ = writeln!(out, "{indent}- [{title}](#{}){about}", section.anchor);
        }
    }
    for kind in &page.kinds {
        section::<Markdown>(&mut out, kind, "##");
    }
    group(&mut out, "Types", &page.types, &contents::types(page));
    group(
        &mut out,
        "Types of other packages",
        &page.foreign,
        &page.foreign.iter().collect::<Vec<_>>(),
    );
    out
}

/// Types below a heading, with links to the sections that the contents above do not list.
fn group(out: &mut String, title: &str, sections: &[Section], unlisted: &[&Section]) {
    if sections.is_empty() {
        return;
    }
    let link = |one: &Section| format!("[{}](#{})", Markdown::escape(&one.title), one.anchor);
    let links: Vec<String> = unlisted.iter().map(|one| link(one)).collect();
    _ = writeln!(out, "\n## {title}");
    if !links.is_empty() {
        _ = writeln!(out, "\n{}", links.join(" · "));
    }
    for one in sections {
        section::<Markdown>(out, one, "###");
    }
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = "# API reference\n".to_owned();
    for page in pages {
        _ = writeln!(out, "\n## [{}]({}.md)", Markdown::escape(&page.title), page.name);
        if page.kinds.is_empty() {
            blocks::<Markdown>(&mut out, &page.description);
            continue;
        }
        out.push('\n');
        for kind in &page.kinds {
            let title = Markdown::escape(&kind.title);
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
    summary(&section.description).map_or(String::new(), |first| format!(": {}", line::<Markdown>(first)))
}

struct Markdown;

impl Marks for Markdown {
    const STRONG: &'static str = "**";
    const BADGE: (&'static str, &'static str) = ("<br>", "*");
    const BULLET: &'static str = "-";

    fn anchor(anchor: &str) -> String {
        format!("<a id=\"{anchor}\"></a>")
    }

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

    fn listing(text: &str) -> String {
        let fence = "`".repeat(longest_run(text).max(2) + 1);
        format!("{fence}\n{text}\n{fence}")
    }

    fn paragraph(text: String) -> String {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        if digits > 0 && text[digits..].starts_with(['.', ')']) {
            return format!("{}\\{}", &text[..digits], &text[digits..]);
        }
        if text.starts_with(['-', '+', '=', '~']) {
            format!("\\{text}")
        } else {
            text
        }
    }

    fn bullet(item: &Item) -> String {
        let mark = if item.numbered { "1." } else { "-" };
        format!("{}{mark}", " ".repeat(item.level * 3))
    }

    fn link(text: &str, page: Option<&str>, anchor: &str) -> String {
        let page = page.map_or(String::new(), |page| format!("{page}.md"));
        format!("[{}]({page}#{anchor})", Self::escape(text))
    }

    fn web(text: &str, url: &str) -> String {
        if text == url {
            format!("<{url}>")
        } else {
            format!("[{}](<{url}>)", Self::escape(text))
        }
    }

    fn begin_table(out: &mut String, columns: &[&str]) {
        let line = "---|".repeat(columns.len());
        _ = writeln!(out, "\n| {} |\n|{line}", columns.join(" | "));
    }

    fn row(out: &mut String, cells: &[String]) {
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        _ = writeln!(out, "| {} |", cells.join(" | "));
    }

    fn end_table(_: &mut String) {}

    /// The content of a cell: it cannot contain line breaks, so breaks and lists are tags.
    fn described(description: &[Block], facts: &[(String, Line)]) -> String {
        let mut out = String::new();
        // Lists and code are on lines of their own.
        let mut needs_break = false;
        for block in description {
            let (text, is_line) = match block {
                Block::Text(text) => (line::<Self>(text), true),
                Block::Heading(text) => (strong::<Self>(&line::<Self>(text)), true),
                Block::Code(text) => {
                    let lines: Vec<String> = text.lines().map(Self::escape).collect();
                    (format!("<pre>{}</pre>", lines.join("<br>")), false)
                }
                Block::List(items) => (html::list(items, line::<Self>), false),
            };
            if needs_break && is_line {
                out.push_str("<br>");
            }
            out.push_str(&text);
            needs_break = is_line;
        }
        for one in facts {
            if needs_break {
                out.push_str("<br>");
            }
            out.push_str(&fact::<Self>(one));
            needs_break = true;
        }
        out
    }
}

/// A bar would end the cell, even in code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            Markdown::escape("a*b_c<d>&[e]`"),
            "a\\*b\\_c&lt;d&gt;&amp;\\[e\\]\\`"
        );
        assert_eq!(Markdown::code("a`b"), "``a`b``");
        assert_eq!(Markdown::code("`a"), "`` `a ``");
        assert_eq!(cell(&Markdown::code("a|b")), "`a\\|b`");
        assert_eq!(Markdown::paragraph("2026. It was".to_owned()), "2026\\. It was");
        assert_eq!(Markdown::paragraph("-5 degrees".to_owned()), "\\-5 degrees");
    }

    const COMMENT: &str = "A:\n- b|c\n  - d\n\nhttps://e.f/_g\n\n```\nh <i>\n  j\n```";

    #[test]
    fn cells_have_no_line_breaks() {
        let text = cell(&Markdown::described(&prose::blocks(COMMENT), &[]));
        assert_eq!(
            text,
            "A:<ul><li>b\\|c<ul><li>d</li></ul></li></ul><https://e.f/_g><pre>h &lt;i&gt;<br>  j</pre>"
        );
    }

    #[test]
    fn blocks_are_separated() {
        let mut text = String::new();
        blocks::<Markdown>(&mut text, &prose::blocks(COMMENT));
        assert_eq!(
            text,
            "\nA:\n\n- b|c\n   - d\n\n<https://e.f/_g>\n\n```\nh <i>\n  j\n```\n"
        );
    }
}
