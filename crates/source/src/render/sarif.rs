//! The report as a SARIF 2.1.0 log, for code hosts and editors that show findings.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::region::Region;
use super::{Report, pretty};
use crate::{Diagnostic, Finding, Fix, SourceMap};

/// The program that wrote the log.
#[derive(Debug, Clone, Copy)]
pub struct Driver<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version, as semantic versioning writes it.
    pub version: &'a str,
    /// Where to read about it.
    pub information_uri: &'a str,
    /// The findings it can report; those that were reported are described in any case.
    pub findings: &'a [&'static Finding],
}

/// Findings by code, each with its index in the log's list of rules.
type Rules = BTreeMap<&'static str, (usize, &'static Finding)>;

pub(super) fn render(report: &Report<'_>, driver: &Driver<'_>) -> String {
    let rules = rules(report, driver);
    let results: Vec<_> = report
        .diagnostics
        .iter()
        .map(|found| result(report.sources, found, rules[found.code()].0))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": describe(driver, &rules) },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    pretty(&log)
}

/// The findings that can be or were reported, sorted by code.
fn rules(report: &Report<'_>, driver: &Driver<'_>) -> Rules {
    let found = report.diagnostics.iter().map(|found| found.finding);
    let known = driver.findings.iter().copied();
    let mut rules: Rules = found
        .chain(known)
        .map(|finding| (finding.code(), (0, finding)))
        .collect();
    for (index, rule) in rules.values_mut().enumerate() {
        rule.0 = index;
    }
    rules
}

fn describe(driver: &Driver<'_>, rules: &Rules) -> Value {
    let rules = rules.values().map(|(_, finding)| rule(finding));
    json!({
        "name": driver.name,
        "semanticVersion": driver.version,
        "informationUri": driver.information_uri,
        "rules": rules.collect::<Vec<_>>(),
    })
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": finding.code(),
        "shortDescription": { "text": finding.summary() },
        "help": { "text": finding.page(), "markdown": finding.page() },
        "helpUri": finding.uri(),
        "properties": { "tool": finding.tool().name() },
    })
}

fn result(sources: &SourceMap, found: &Diagnostic, rule_index: usize) -> Value {
    let mut result = json!({
        "ruleId": found.code(),
        "ruleIndex": rule_index,
        "level": found.severity.as_str(),
        "message": { "text": found.full_message() },
        "locations": [{ "physicalLocation": location(&Region::of(sources, found.span)) }],
    });
    if !found.related.is_empty() {
        let related = found.related.iter().enumerate().map(|(index, label)| {
            json!({
                "id": index + 1,
                "message": { "text": label.message },
                "physicalLocation": location(&Region::of(sources, label.span)),
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(fix) = &found.fix {
        result["fixes"] = json!([edit(sources, fix)]);
    }
    result
}

fn edit(sources: &SourceMap, fix: &Fix) -> Value {
    let changes = fix.edits.iter().map(|edit| {
        let region = Region::of(sources, edit.span);
        json!({
            "artifactLocation": { "uri": uri(region.file) },
            "replacements": [{
                "deletedRegion": lines(&region),
                "insertedContent": { "text": edit.replacement },
            }],
        })
    });
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() })
}

fn location(region: &Region<'_>) -> Value {
    json!({ "artifactLocation": { "uri": uri(region.file) }, "region": lines(region) })
}

fn lines(region: &Region<'_>) -> Value {
    json!({
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    })
}

/// A path as a URI reference (RFC 3986): what a path segment may not hold is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b'@'
            | b'+'
            | b','
            | b'=' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
