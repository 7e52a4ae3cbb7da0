//! The report as one JSON document in our own format, for scripts and editors. Every key is always present; missing
//! values are null or empty.

use serde::Serialize;

use super::region::Region;
use super::{Report, Summary, pretty};
use crate::{Diagnostic, SourceMap};

#[derive(Serialize)]
struct Document<'a> {
    diagnostics: Vec<Finding<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    code: &'a str,
    tool: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    region: Region<'a>,
    label: Option<&'a str>,
    related: Vec<Related<'a>>,
    also: Vec<Region<'a>>,
    help: &'a [String],
    upstream: Option<&'a str>,
    fix: Option<Fix<'a>>,
    help_uri: String,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    #[serde(flatten)]
    region: Region<'a>,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    safety: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    region: Region<'a>,
    replacement: &'a str,
}

pub(super) fn render(report: &Report<'_>) -> String {
    let findings = report.diagnostics.iter();
    let document = Document {
        diagnostics: findings.map(|found| finding(report.sources, found)).collect(),
        summary: report.summary(),
    };
    pretty(&document)
}

fn finding<'a>(sources: &'a SourceMap, found: &'a Diagnostic) -> Finding<'a> {
    let related = found.related.iter().map(|label| Related {
        message: &label.message,
        region: Region::of(sources, label.span),
    });
    let also = found.also.iter().map(|span| Region::of(sources, *span));
    let fix = found.fix.as_ref().map(|fix| Fix {
        title: &fix.title,
        safety: fix.safety.as_str(),
        edits: fix.edits.iter().map(|edit| self::edit(sources, edit)).collect(),
    });
    Finding {
        code: found.code(),
        tool: found.finding.tool().name(),
        severity: found.severity.as_str(),
        message: &found.message,
        region: Region::of(sources, found.span),
        label: found.label.as_deref(),
        related: related.collect(),
        also: also.collect(),
        help: &found.help,
        upstream: found.upstream.as_deref(),
        fix,
        help_uri: found.finding.uri(),
    }
}

fn edit<'a>(sources: &'a SourceMap, edit: &'a crate::Edit) -> Edit<'a> {
    Edit {
        region: Region::of(sources, edit.span),
        replacement: &edit.replacement,
    }
}
