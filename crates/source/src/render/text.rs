//! Draws findings for people, in the style of rustc.

use std::collections::BTreeSet;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet, normalize_untrusted_str as plain,
};

use super::Report;
use super::marks::{Cluster, clusters};
use super::window::{SUGGESTION, Window, drawable};
use crate::{Diagnostic, Fix, Severity, SourceMap};

/// Options of the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colors.
    pub color: bool,
    /// The line width in characters; 140 if unknown.
    pub width: Option<usize>,
    /// The command that prints the page of a code; each page is mentioned once.
    pub pages: Option<&'static str>,
}

impl Style {
    fn renderer(self) -> Renderer {
        let renderer = if self.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        match self.width {
            // A narrower terminal has no room for line numbers and a caret.
            Some(width) => renderer.term_width(width.max(40)),
            None => renderer,
        }
    }
}

pub(super) fn render(report: &Report<'_>, style: Style) -> String {
    let renderer = style.renderer();
    let mut text = String::new();
    let mut explained = BTreeSet::new();
    for found in &report.diagnostics {
        let clusters = clusters(report.sources, found);
        // Notes need no action, so their page is not mentioned.
        let page = style
            .pages
            .filter(|_| found.severity != Severity::Note && explained.insert(found.code()))
            .map(|command| format!("{command} {}", found.code()));
        let drawn = renderer.render(&groups(report.sources, found, &clusters, page.as_deref()));
        text.push_str(&with_true_columns(drawn, &clusters));
        text.push_str("\n\n");
    }
    text
}

fn groups<'a>(
    sources: &'a SourceMap,
    found: &'a Diagnostic,
    clusters: &[Cluster<'a>],
    page: Option<&'a str>,
) -> Vec<Group<'a>> {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(found.message.as_str()).id(found.code());
    let mut group = Group::with_title(title).elements(clusters.iter().map(snippet));
    for help in &found.help {
        group = group.element(Level::HELP.message(plain(help)));
    }
    if let Some(upstream) = found.upstream.as_ref().filter(|text| **text != found.message) {
        group = group.element(Level::NOTE.message(plain(&format!("upstream says: {upstream}"))));
    }
    if let Some(page) = page {
        group = group.element(Level::HELP.message(page));
    }
    let fix = found.fix.as_ref().map(|fix| suggestion(sources, fix));
    std::iter::once(group).chain(fix).collect()
}

fn snippet<'a>(cluster: &Cluster<'a>) -> Snippet<'a, Annotation<'a>> {
    let annotations = cluster.marks.iter().enumerate().map(|(index, mark)| {
        let kind = if cluster.own && index == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        kind.span(cluster.window.locate(&mark.range))
            .label(mark.label.map(plain))
    });
    Snippet::source(cluster.window.text.clone())
        .line_start(cluster.window.first_line as usize)
        .path(cluster.file.name())
        .annotations(annotations)
}

/// A fix without edits shows only its title.
fn suggestion<'a>(sources: &'a SourceMap, fix: &'a Fix) -> Group<'a> {
    let title = Level::HELP.secondary_title(plain(&fix.title));
    let Some(first) = fix.edits.first() else {
        return Group::with_title(title);
    };
    let file = sources.file(first.span.file);
    let ranges: Vec<_> = fix.edits.iter().map(|edit| drawable(file, edit.span)).collect();
    let window = Window::around(file, &ranges, SUGGESTION);
    let patches = ranges.iter().zip(&fix.edits);
    let patches = patches.map(|(range, edit)| Patch::new(window.locate(range), edit.replacement.as_str()));
    let snippet = Snippet::source(window.text.clone())
        .line_start(window.first_line as usize)
        .path(file.name())
        .patches(patches);
    title.element(snippet)
}

/// Corrects the columns after `-->` and `:::`: the library counts in the text it was given, which lacks the start of a
/// long line.
fn with_true_columns(mut drawn: String, clusters: &[Cluster<'_>]) -> String {
    let mut from = 0;
    for cluster in clusters {
        let (shown, truth) = cluster.columns();
        let place = |column| format!("{}:{}:{column}", cluster.file.name(), cluster.line());
        let (shown, truth) = (place(shown), place(truth));
        let Some(at) = drawn[from..].find(&shown).map(|at| at + from) else {
            continue;
        };
        drawn.replace_range(at..at + shown.len(), &truth);
        from = at + truth.len();
    }
    drawn
}
