//! Findings that a comment in the source silences: `//kindsmith:ignore CODE reason`.

use kindsmith_source::{Diagnostic, File, FileId, SourceMap, Span};

use crate::finding::{IGNORE_REASON, UNUSED_IGNORE};
use crate::rule::Rule;

const DIRECTIVE: &str = "//kindsmith:ignore";

/// A directive in a file.
#[derive(Debug)]
struct Ignore<'a> {
    codes: Vec<&'a str>,
    has_reason: bool,
    place: Span,
    /// First and last line it is about.
    lines: (u32, u32),
    is_used: bool,
}

/// Removes what directives silence, and adds findings about the directives themselves. `runs` tells whether a rule ran.
pub(crate) fn suppress(
    sources: &SourceMap,
    findings: Vec<Diagnostic>,
    files: impl Iterator<Item = FileId>,
    runs: impl Fn(&Rule) -> bool,
) -> Vec<Diagnostic> {
    let mut ignores: Vec<Ignore<'_>> = files.flat_map(|id| directives(sources.file(id), id)).collect();
    if ignores.is_empty() {
        return findings;
    }
    let mut kept: Vec<Diagnostic> = findings
        .into_iter()
        .filter(|finding| !is_silenced(sources, &mut ignores, finding))
        .collect();
    for ignore in ignores {
        kept.extend(problem(&ignore, &runs));
    }
    kept
}

fn is_silenced(sources: &SourceMap, ignores: &mut [Ignore<'_>], finding: &Diagnostic) -> bool {
    let line = sources.position(finding.span).line;
    let alias = Rule::find(finding.code()).and_then(|rule| rule.facts.alias);
    let mut found = false;
    for ignore in ignores {
        let is_named = ignore
            .codes
            .iter()
            .any(|code| *code == finding.code() || Some(*code) == alias);
        let (first, last) = ignore.lines;
        if is_named
            && ignore.has_reason
            && ignore.place.file == finding.span.file
            && (first..=last).contains(&line)
        {
            (ignore.is_used, found) = (true, true);
        }
    }
    found
}

fn problem(ignore: &Ignore<'_>, runs: &impl Fn(&Rule) -> bool) -> Option<Diagnostic> {
    if ignore.codes.is_empty() || !ignore.has_reason {
        let text = "a directive without a code and a reason silences nothing";
        let finding = Diagnostic::warning(&IGNORE_REASON, ignore.place, text);
        return Some(finding.help("write `//kindsmith:ignore CODE why`"));
    }
    // A rule that did not run found nothing to silence.
    let has_run = |code: &&str| Rule::find(code).is_none_or(runs);
    if ignore.is_used || !ignore.codes.iter().any(has_run) {
        return None;
    }
    let text = format!("nothing here is found by {}", ignore.codes.join(", "));
    let finding = Diagnostic::warning(&UNUSED_IGNORE, ignore.place, text);
    Some(finding.help("remove the directive"))
}

fn directives(file: &File, id: FileId) -> Vec<Ignore<'_>> {
    let text: &str = file.text();
    let found = text.match_indices(DIRECTIVE).filter(|(at, _)| {
        let after = text[at + DIRECTIVE.len()..].chars().next();
        after.is_none_or(char::is_whitespace)
    });
    found.map(|(at, _)| directive(file, id, at)).collect()
}

fn directive(file: &File, id: FileId, at: usize) -> Ignore<'_> {
    let line = file.position(at as u32).line;
    let range = file.line_range(line);
    let words = &file.text()[at + DIRECTIVE.len()..range.end.max(at + DIRECTIVE.len())];
    let (codes, reason) = words
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((words.trim(), ""));
    let is_alone = file.text()[range.start..at].trim().is_empty();
    Ignore {
        codes: codes.split(',').filter(|code| !code.is_empty()).collect(),
        has_reason: !reason.trim().is_empty(),
        place: Span::new(id, at as u32, range.end as u32),
        lines: if is_alone {
            around(file, line)
        } else {
            (line, line)
        },
        is_used: false,
    }
}

/// The comment that a line belongs to, and the declaration below it.
fn around(file: &File, line: u32) -> (u32, u32) {
    let is_comment = |line: u32| file.text()[file.line_range(line)].trim_start().starts_with("//");
    let is_empty = |line: u32| file.text()[file.line_range(line)].trim().is_empty();
    let mut first = line;
    while first > 1 && is_comment(first - 1) {
        first -= 1;
    }
    let mut last = line;
    while last < file.line_count() && (is_comment(last) || is_empty(last)) {
        last += 1;
    }
    (first, last)
}
