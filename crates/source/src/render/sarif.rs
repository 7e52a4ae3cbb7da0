//! The report as a SARIF 2.1.0 log, for code hosts and editors that show findings.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::region::Region;
use super::{Report, pretty};
use crate::{Diagnostic, Fix, SourceMap};

/// What the log says about the program that wrote it.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version, as semantic versioning writes it.
    pub version: &'a str,
    /// Where to read about it.
    pub information_uri: &'a str,
    /// The rules it knows. A finding of a rule that is not listed is reported all the same.
    pub rules: &'a [Rule<'a>],
}

/// What the log says about one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule<'a> {
    /// The code its findings carry.
    pub code: &'a str,
    /// Its page, in Markdown; the first line of text is its summary.
    pub docs: &'a str,
}

impl Rule<'_> {
    /// The first line of its page that is no heading; the code if there is none.
    fn summary(&self) -> &str {
        let mut lines = self.docs.lines().map(str::trim);
        let text = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        text.unwrap_or(self.code)
    }
}

/// A rule's code, where known its description, and its place in the log's list.
type Rules<'a> = BTreeMap<&'a str, (usize, Option<&'a Rule<'a>>)>;

pub(super) fn render(report: &Report<'_>, tool: &Tool<'_>) -> String {
    let rules = rules(report, tool);
    let results: Vec<_> = report
        .diagnostics
        .iter()
        .map(|found| result(report.sources, found, rules[found.code].0))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(tool, &rules) },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    pretty(&log)
}

/// The known rules and those findings name, in order of their codes.
fn rules<'a>(report: &Report<'a>, tool: &Tool<'a>) -> Rules<'a> {
    let found = report.diagnostics.iter().map(|found| (found.code, (0, None)));
    let known = tool.rules.iter().map(|rule| (rule.code, (0, Some(rule))));
    let mut rules: Rules<'a> = found.chain(known).collect();
    for (index, rule) in rules.values_mut().enumerate() {
        rule.0 = index;
    }
    rules
}

fn driver(tool: &Tool<'_>, rules: &Rules<'_>) -> Value {
    let rules = rules.iter().map(|(code, (_, rule))| match rule {
        Some(rule) => json!({
            "id": code,
            "shortDescription": { "text": rule.summary() },
            "help": { "text": rule.docs, "markdown": rule.docs },
        }),
        None => json!({ "id": code }),
    });
    json!({
        "name": tool.name,
        "semanticVersion": tool.version,
        "informationUri": tool.information_uri,
        "rules": rules.collect::<Vec<_>>(),
    })
}

fn result(sources: &SourceMap, found: &Diagnostic, rule_index: usize) -> Value {
    let mut result = json!({
        "ruleId": found.code,
        "ruleIndex": rule_index,
        "level": found.severity.as_str(),
        "message": { "text": message(found) },
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

/// The message with everything a viewer would otherwise not show.
fn message(found: &Diagnostic) -> String {
    let mut text = found.message.clone();
    if let Some(label) = &found.label {
        let _ = write!(text, ": {label}");
    }
    for help in &found.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    if let Some(upstream) = found
        .upstream
        .as_ref()
        .filter(|upstream| **upstream != found.message)
    {
        let _ = write!(text, "\nupstream says: {upstream}");
    }
    text
}

fn edit(sources: &SourceMap, fix: &Fix) -> Value {
    let region = Region::of(sources, fix.span);
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(region.file) },
            "replacements": [{
                "deletedRegion": lines(&region),
                "insertedContent": { "text": fix.replacement },
            }],
        }],
    })
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
