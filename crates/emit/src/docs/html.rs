//! Pages as HTML documents that need nothing else: styles inside, no scripts, nothing loaded.

use std::fmt::Write as _;

use super::{Line, Page, Piece, Row, Section};

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#326ce5}\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem 1.5rem}\
h1,h2,h3{line-height:1.2;margin:2rem 0 .5rem}\
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}\
code{font:.9em ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:.2em;overflow-wrap:anywhere}\
table{border-collapse:collapse;width:100%}\
th,td{border-bottom:1px solid var(--line);padding:.5rem;text-align:left;vertical-align:top}\
td p{margin:0 0 .4rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.3rem 0}\
dt{opacity:.7}dd{margin:0}.badge{font-size:.8em;color:var(--accent);display:block}\
:target{scroll-margin-top:1rem;outline:2px solid var(--accent);outline-offset:.3rem}";

/// The text of a page.
pub(super) fn page(page: &Page) -> String {
    let mut out = head(&page.title);
    paragraphs(&mut out, &page.description);
    out.push_str("<nav><ul>\n");
    for one in page.kinds.iter().chain(&page.types) {
        _ = writeln!(
            out,
            "<li><a href=\"#{}\">{}</a></li>",
            escape(&one.anchor),
            escape(&one.title)
        );
    }
    out.push_str("</ul></nav>\n");
    for kind in &page.kinds {
        section(&mut out, kind, 2);
    }
    if !page.types.is_empty() {
        out.push_str("<h2>Types</h2>\n");
    }
    for ty in &page.types {
        section(&mut out, ty, 3);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// The index of several pages.
pub(super) fn index(pages: &[Page]) -> String {
    let mut out = head("API reference");
    for page in pages {
        let (name, title) = (escape(&page.name), escape(&page.title));
        _ = writeln!(out, "<h2><a href=\"{name}.html\">{title}</a></h2>\n<ul>");
        for kind in &page.kinds {
            let summary = kind
                .description
                .first()
                .map_or(String::new(), |first| format!(": {}", line(first)));
            let (anchor, title) = (escape(&kind.anchor), escape(&kind.title));
            _ = writeln!(
                out,
                "<li><a href=\"{name}.html#{anchor}\">{title}</a>{summary}</li>"
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

fn paragraphs(out: &mut String, paragraphs: &[Line]) {
    for paragraph in paragraphs {
        _ = writeln!(out, "<p>{}</p>", line(paragraph));
    }
}

fn section(out: &mut String, section: &Section, level: u8) {
    let (anchor, title) = (escape(&section.anchor), escape(&section.title));
    _ = writeln!(out, "<section id=\"{anchor}\">\n<h{level}>{title}</h{level}>");
    paragraphs(out, &section.description);
    facts(out, &section.facts);
    if !section.used_by.is_empty() {
        let names: Vec<String> = section.used_by.iter().map(piece).collect();
        _ = writeln!(out, "<p>Used by: {}</p>", names.join(", "));
    }
    if !section.values.is_empty() {
        out.push_str("<table>\n<tr><th>Value</th><th>Meaning</th></tr>\n");
        for (value, meaning) in &section.values {
            let value = escape(value);
            _ = writeln!(
                out,
                "<tr><td><code>{value}</code></td><td>{}</td></tr>",
                line(meaning)
            );
        }
        out.push_str("</table>\n");
    }
    if !section.rows.is_empty() {
        out.push_str("<table>\n<tr><th>Field</th><th>Type</th><th>Description</th></tr>\n");
        for one in &section.rows {
            row(out, one);
        }
        out.push_str("</table>\n");
    }
    out.push_str("</section>\n");
}

fn row(out: &mut String, row: &Row) {
    _ = write!(out, "<tr><td><code>{}</code>", escape(&row.name));
    for (is, badge) in [(row.required, "required"), (row.deprecated, "deprecated")] {
        if is {
            _ = write!(out, "<span class=\"badge\">{badge}</span>");
        }
    }
    _ = writeln!(out, "</td><td>{}</td><td>", line(&row.ty));
    paragraphs(out, &row.description);
    facts(out, &row.facts);
    out.push_str("</td></tr>\n");
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

fn line(pieces: &Line) -> String {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => escape(text),
        Piece::Code(text) => format!("<code>{}</code>", escape(text)),
        Piece::Link { text, page, anchor } => {
            let page = page
                .as_ref()
                .map_or(String::new(), |page| format!("{}.html", escape(page)));
            format!("<a href=\"{page}#{}\">{}</a>", escape(anchor), escape(text))
        }
    }
}

/// Text that is neither a tag nor the end of an attribute.
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
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let page = Page {
            title: "<script>alert('a')</script>".to_owned(),
            description: vec![super::super::inline::line("a `<b>` & \"c\"")],
            ..Page::default()
        };
        let text = super::page(&page);
        assert!(!text.contains("<script") && !text.contains("<b>"), "{text}");
        assert!(
            text.contains("a <code>&lt;b&gt;</code> &amp; &quot;c&quot;"),
            "{text}"
        );
    }
}
