//! Pages as self-contained HTML documents: styles included, no scripts, no external files.

use std::fmt::Write as _;

use super::contents;
use super::prose::summary;
use super::{Block, Item, Line, Page, Piece, Row, Section};

const STYLE: &str = include_str!("style.css");

/// The text of a page; with a link back if there is an index.
pub(super) fn page(page: &Page, has_index: bool) -> String {
    let mut out = head(&page.title);
    out.push_str("<nav aria-label=\"Contents\">\n");
    if has_index {
        out.push_str("<a href=\"index.html\">API reference</a>\n");
    }
    tree(&mut out, page);
    flat(&mut out, "Types", &contents::types(page));
    flat(
        &mut out,
        "Types of other packages",
        &page.foreign.iter().collect::<Vec<_>>(),
    );
    _ = writeln!(
        out,
        "</nav>\n<main id=\"main\">\n<h1>{}</h1>",
        escape(&page.title)
    );
    blocks(&mut out, &page.description);
    for kind in &page.kinds {
        section(&mut out, kind, 2);
    }
    for (title, sections) in groups(page) {
        if !sections.is_empty() {
            _ = writeln!(out, "<h2>{title}</h2>");
        }
        for one in sections {
            section(&mut out, one, 3);
        }
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn groups(page: &Page) -> [(&'static str, &[Section]); 2] {
    [("Types", &page.types), ("Types of other packages", &page.foreign)]
}

/// The kinds, with what is below them in lists inside their lists.
fn tree(out: &mut String, page: &Page) {
    if page.kinds.is_empty() {
        return;
    }
    out.push_str("<h2>Kinds</h2>\n");
    let mut open = 0;
    for entry in contents::kinds(page) {
        let lists = entry.depth + 1;
        if lists > open {
            // An object is at most one deeper than what stands above it.
            out.push_str("<ul>\n");
            open += 1;
        } else {
            out.push_str("</li>\n");
            out.push_str(&"</ul>\n</li>\n".repeat(open - lists));
            open = lists;
        }
        let (anchor, title) = (escape(&entry.section.anchor), breakable(entry.name));
        _ = write!(out, "<li><a href=\"#{anchor}\">{title}</a>");
    }
    out.push_str(&"</li>\n</ul>\n".repeat(open));
}

fn flat(out: &mut String, title: &str, sections: &[&Section]) {
    if sections.is_empty() {
        return;
    }
    _ = writeln!(out, "<h2>{title}</h2>\n<ul>");
    for one in sections {
        let (anchor, title) = (escape(&one.anchor), breakable(&one.title));
        _ = writeln!(out, "<li><a href=\"#{anchor}\">{title}</a></li>");
    }
    out.push_str("</ul>\n");
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = head("API reference");
    out.push_str("<nav aria-label=\"Contents\">\n<h2>Pages</h2>\n<ul>\n");
    for page in pages {
        let (name, title) = (escape(&page.name), breakable(&page.title));
        _ = writeln!(out, "<li><a href=\"{name}.html\">{title}</a></li>");
    }
    out.push_str("</ul>\n</nav>\n<main id=\"main\">\n<h1>API reference</h1>\n");
    for page in pages {
        let (name, title) = (escape(&page.name), escape(&page.title));
        _ = writeln!(out, "<h2><a href=\"{name}.html\">{title}</a></h2>");
        if page.kinds.is_empty() {
            blocks(&mut out, &page.description);
            continue;
        }
        out.push_str("<dl>\n");
        for kind in &page.kinds {
            let text = summary(&kind.description).map(line).unwrap_or_default();
            let (anchor, title) = (escape(&kind.anchor), escape(&kind.title));
            _ = writeln!(
                out,
                "<dt><a href=\"{name}.html#{anchor}\">{title}</a></dt><dd>{text}</dd>"
            );
        }
        out.push_str("</dl>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n"
    )
}

fn section(out: &mut String, section: &Section, level: u8) {
    let (anchor, title) = (escape(&section.anchor), escape(&section.title));
    _ = writeln!(
        out,
        "<section id=\"{anchor}\">\n<h{level}><a class=\"self\" href=\"#{anchor}\">{title}</a>{}</h{level}>",
        badges(false, section.deprecated)
    );
    if let Some(package) = &section.package {
        _ = writeln!(out, "<p class=\"from\">from <code>{}</code></p>", escape(package));
    }
    blocks(out, &section.description);
    facts(out, &section.facts);
    if !section.used_by.is_empty() {
        let names: Vec<String> = section.used_by.iter().map(piece).collect();
        _ = writeln!(out, "<p class=\"used\">Used by {}</p>", names.join(", "));
    }
    values(out, section);
    if !section.rows.is_empty() {
        out.push_str(
            "<table class=\"fields\">\n<thead><tr><th scope=\"col\">Field</th><th scope=\"col\">Type</th>\
             <th scope=\"col\">Description</th></tr></thead>\n<tbody>\n",
        );
        for one in &section.rows {
            row(out, one, &anchor);
        }
        out.push_str("</tbody>\n</table>\n");
    }
    out.push_str("</section>\n");
}

fn values(out: &mut String, section: &Section) {
    if section.values.is_empty() {
        return;
    }
    out.push_str(
        "<table class=\"values\">\n<thead><tr><th scope=\"col\">Value</th><th scope=\"col\">Meaning</th></tr>\
         </thead>\n<tbody>\n",
    );
    for value in &section.values {
        _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code>{}</th><td>",
            escape(&value.text),
            badges(false, value.deprecated)
        );
        blocks(out, &value.description);
        facts(out, &value.facts);
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

fn row(out: &mut String, row: &Row, section: &str) {
    let name = escape(&row.name);
    // A name may contain any character allowed in an anchor, and no section name has a colon.
    let anchor = format!("{section}:{name}");
    _ = writeln!(
        out,
        "<tr id=\"{anchor}\"><th scope=\"row\"><a href=\"#{anchor}\"><code>{}</code></a>{}</th><td>{}</td><td>",
        breakable(&row.name),
        badges(row.required, row.deprecated),
        line(&row.ty)
    );
    blocks(out, &row.description);
    facts(out, &row.facts);
    out.push_str("</td></tr>\n");
}

fn badges(required: bool, deprecated: bool) -> String {
    let mut out = String::new();
    if required {
        out.push_str(" <span class=\"badge\">required</span>");
    }
    if deprecated {
        out.push_str(" <span class=\"badge old\">deprecated</span>");
    }
    out
}

fn facts(out: &mut String, facts: &[(String, Line)]) {
    if facts.is_empty() {
        return;
    }
    out.push_str("<dl>");
    for (label, text) in facts {
        _ = write!(out, "<dt>{}</dt><dd>{}</dd>", escape(label), line(text));
    }
    out.push_str("</dl>\n");
}

/// A description, one block per line.
fn blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text(text) => _ = writeln!(out, "<p>{}</p>", line(text)),
            Block::Heading(text) => _ = writeln!(out, "<p class=\"title\">{}</p>", line(text)),
            // Scrolling content must be reachable by keyboard.
            Block::Code(text) => _ = writeln!(out, "<pre tabindex=\"0\">{}</pre>", escape(text)),
            Block::List(items) => _ = writeln!(out, "{}", list(items, line)),
        }
    }
}

/// A list, with deeper items in nested lists. Cells of Markdown tables use the same tags.
pub(super) fn list(items: &[Item], line: fn(&Line) -> String) -> String {
    let Some(first) = items.first() else {
        return String::new();
    };
    let tag = if first.numbered { "ol" } else { "ul" };
    let mut out = format!("<{tag}>");
    let mut rest = items;
    while let Some((item, behind)) = rest.split_first() {
        let below = behind
            .iter()
            .position(|next| next.level <= item.level)
            .unwrap_or(behind.len());
        let deeper = list(&behind[..below], line);
        _ = write!(out, "<li>{}{deeper}</li>", line(&item.text));
        rest = &behind[below..];
    }
    _ = write!(out, "</{tag}>");
    out
}

fn line(pieces: &Line) -> String {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => escape(text),
        Piece::Strong(text) => format!("<strong>{}</strong>", escape(text)),
        Piece::Code(text) => format!("<code>{}</code>", escape(text)),
        Piece::Link { text, page, anchor } => {
            let page = page
                .as_ref()
                .map_or(String::new(), |page| format!("{}.html", escape(page)));
            format!("<a href=\"{page}#{}\">{}</a>", escape(anchor), breakable(text))
        }
        Piece::Web { text, url } => format!("<a href=\"{}\">{}</a>", escape(url), escape(text)),
    }
}

/// A name with possible line breaks before each of its words or path parts.
fn breakable(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && was_lower || matches!(c, '.' | '/') {
            out.push_str("<wbr>");
        }
        was_lower = c.is_lowercase();
        out.push_str(&escape(c.encode_utf8(&mut [0; 4])));
    }
    out
}

/// Text escaped for content and attributes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    fn written(text: &str) -> String {
        let mut out = String::new();
        blocks(&mut out, &prose::blocks(text));
        out
    }

    #[test]
    fn text_cannot_become_markup() {
        let page = Page {
            title: "<script>alert('a')</script>".to_owned(),
            description: prose::blocks("a `<b>` & \"c\"\n\n    <i>\n\nhttps://a.b/?c=\"><u>"),
            ..Page::default()
        };
        let text = super::page(&page, false);
        for tag in ["<script", "<b>", "<i>", "<u>"] {
            assert!(!text.contains(tag), "{text}");
        }
        assert!(
            text.contains("a <code>&lt;b&gt;</code> &amp; &quot;c&quot;"),
            "{text}"
        );
    }

    #[test]
    fn lists_are_nested_inside_items() {
        assert_eq!(
            written("- a\n  1. b\n  2. c\n- d"),
            "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>\n"
        );
        assert_eq!(
            written("See https://a.b/?c&d."),
            "<p>See <a href=\"https://a.b/?c&amp;d\">https://a.b/?c&amp;d</a>.</p>\n"
        );
        assert_eq!(
            written("A:\n\n  b <c"),
            "<p>A:</p>\n<pre tabindex=\"0\">b &lt;c</pre>\n"
        );
    }
}
