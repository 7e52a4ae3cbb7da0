//! One self-contained HTML file, for a person who opens it from CI: no scripts, no other files.

use super::{Report, Summary};
use crate::{Diagnostic, Severity, SourceMap, Span};

/// Lines of source above and below the marked one.
const AROUND: u32 = 2;

const STYLE: &str = include_str!("html.css");

/// A whole document around a body that is HTML already.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// Text as HTML.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
    out
}

pub(super) fn render(report: &Report<'_>) -> String {
    let Summary { errors, warnings, .. } = report.summary();
    let state = match (errors, warnings) {
        (0, 0) => "fine",
        (0, _) => "warning",
        _ => "error",
    };
    let mut body = format!(
        "<p class=\"summary {state}\">{}</p>\n",
        escaped(&report.summary().to_string())
    );
    for (file, findings) in report.by_file() {
        if findings.is_empty() {
            body.push_str(&format!("<h2 class=\"fine\">{}</h2>\n", escaped(file)));
            continue;
        }
        body.push_str(&format!("<h2>{}</h2>\n", escaped(file)));
        for found in findings {
            body.push_str(&finding(report.sources, found));
        }
    }
    page("Kindsmith report", &body)
}

fn finding(sources: &SourceMap, found: &Diagnostic) -> String {
    let severity = found.severity.as_str();
    let mut out = format!(
        "<section class=\"{severity}\">\n<h3><span class=\"severity\">{severity}</span> {} \
         <a href=\"{}\"><code>{}</code></a></h3>\n",
        escaped(&found.message),
        escaped(&found.finding.uri()),
        found.code()
    );
    out.push_str(&excerpt(sources, found.span, found.severity));
    if !found.also.is_empty() {
        let places = found.also.iter().map(|span| {
            let line = sources.position(*span).line;
            escaped(&format!("{}:{line}", sources.file(span.file).name()))
        });
        let places: Vec<String> = places.collect();
        out.push_str(&format!("<p class=\"help\">also at {}</p>\n", places.join(", ")));
    }
    for related in &found.related {
        out.push_str(&format!("<p>{}</p>\n", escaped(&related.message)));
        out.push_str(&excerpt(sources, related.span, Severity::Note));
    }
    for help in &found.help {
        out.push_str(&format!("<p class=\"help\">{}</p>\n", escaped(help)));
    }
    if let Some(fix) = &found.fix {
        out.push_str(&format!("<p class=\"help\">fix: {}</p>\n", escaped(&fix.title)));
    }
    if let Some(upstream) = found.upstream.as_ref().filter(|text| **text != found.message) {
        out.push_str(&format!(
            "<p class=\"help\">upstream says: {}</p>\n",
            escaped(upstream)
        ));
    }
    out.push_str("</section>\n");
    out
}

/// The marked line and its neighbors.
fn excerpt(sources: &SourceMap, span: Span, severity: Severity) -> String {
    let file = sources.file(span.file);
    let line = file.position(span.start).line;
    let last = (line + AROUND).min(file.line_count());
    let mut out = format!(
        "<figure><figcaption>{}:{line}</figcaption><pre>",
        escaped(file.name())
    );
    for number in line.saturating_sub(AROUND).max(1)..=last {
        let range = file.line_range(number);
        let text = &file.text()[range.clone()];
        let text = text.trim_end_matches(['\n', '\r']);
        let shown = if number == line {
            let start = (span.start as usize).saturating_sub(range.start).min(text.len());
            let end = (span.end as usize)
                .saturating_sub(range.start)
                .clamp(start, text.len());
            format!(
                "{}<mark class=\"{}\">{}</mark>{}",
                escaped(&text[..start]),
                severity.as_str(),
                escaped(&text[start..end]),
                escaped(&text[end..])
            )
        } else {
            escaped(text)
        };
        out.push_str(&format!("<span class=\"line\">{number:>5}</span> {shown}\n"));
    }
    out.push_str("</pre></figure>\n");
    out
}

#[cfg(test)]
mod tests {
    use crate::{Diagnostic, Finding, SourceMap, Span, Tool};

    use super::super::Report;

    static FINDING: Finding = Finding::new("a-code", Tool::Kindsmith, "# a-code\n\nA page.\n");

    #[test]
    fn a_report_marks_the_place_and_escapes_everything() {
        let mut sources = SourceMap::default();
        let file = sources.add("a<b>.yaml", "one: 1\ntwo: <x> & \"y\"\n");
        let found = Diagnostic::error(&FINDING, Span::new(file, 12, 15), "bad <script>").help("write & run");
        let html = Report::new(&sources, [&found]).html();
        assert!(
            html.contains("two: <mark class=\"error\">&lt;x&gt;</mark> &amp; &quot;y&quot;"),
            "{html}"
        );
        assert!(html.contains("bad &lt;script&gt;"));
        assert!(html.contains("a&lt;b&gt;.yaml:2"));
        assert!(!html.contains("<script"));
        assert!(!html.contains("src="), "nothing is loaded");
    }

    #[test]
    fn covered_files_without_findings_are_listed() {
        let mut sources = SourceMap::default();
        let file = sources.add("fine.yaml", "");
        let html = Report::new(&sources, []).covering([file]).html();
        assert!(html.contains("<h2 class=\"fine\">fine.yaml</h2>"));
    }
}
