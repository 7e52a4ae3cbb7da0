//! Findings that are right but of no use: in files that a generator wrote, about generators that the project does not
//! run, and the same mistake told twice.

use std::collections::HashMap;

use kindsmith_schema::Schema;
use kindsmith_source::{Diagnostic, FileId, SourceMap, Tool};

/// Families of markers that well-known generators read. A kind with others has a generator of its own.
const FAMILIES: [&str; 8] = [
    "kubebuilder",
    "k8s",
    "genclient",
    "operator-sdk",
    "groupName",
    "versionName",
    "resource",
    "protobuf",
];

/// Drops what is of no use.
pub(crate) fn retain(schema: &Schema, sources: &SourceMap, findings: &mut Vec<Diagnostic>) {
    let has_openapi = uses_openapi(schema);
    let repeated = places(findings, "repeated-marker");
    let unread = places(findings, "default-form");
    findings.retain(|finding| match finding.code() {
        "go-syntax" => true,
        _ if is_generated(sources, finding.span.file) => false,
        // For every tool, two markers contradict each other.
        "marker-conflict" => true,
        // Half of a kind's versions is elsewhere, or another generator puts the CRD together.
        "kind-versions" => is_for_controller_gen(&comment_around(sources, finding)),
        "ambiguous-marker" => !repeated.iter().any(|other| is_same_marker(other, finding)),
        // A default that only controller-gen reads is not one that openapi-gen rejects.
        "default-enforced" => {
            let line = |found: &Diagnostic| (found.span.file, sources.position(found.span).line);
            !unread.iter().any(|other| line(other) == line(finding))
        }
        _ => finding.finding.tool() != Tool::OpenApiGen || has_openapi,
    });
    tell_defaults_once(sources, findings);
}

/// Codes about a default that its own field rejects, the most specific first. A server's verdict on the CRD comes last:
/// it repeats the others in the words of the published schema.
const REJECTED_DEFAULT: [&str; 4] = ["default-type", "default-limits", "default-pattern", "definition"];

/// Keeps one finding for each rejected default. Rules and the server judge the same marker.
fn tell_defaults_once(sources: &SourceMap, findings: &mut Vec<Diagnostic>) {
    let rank = |finding: &Diagnostic| {
        let rank = REJECTED_DEFAULT.iter().position(|code| *code == finding.code())?;
        (finding.code() != "definition" || rejects_default(finding)).then_some(rank)
    };
    let line = |finding: &Diagnostic| (finding.span.file, sources.position(finding.span).line);
    let mut best: HashMap<_, usize> = HashMap::new();
    for finding in findings.iter() {
        if let Some(rank) = rank(finding) {
            let known = best.entry(line(finding)).or_insert(rank);
            *known = rank.min(*known);
        }
    }
    if !best.is_empty() {
        findings.retain(|finding| rank(finding).is_none_or(|rank| best.get(&line(finding)) == Some(&rank)));
    }
}

/// Whether the server's error is about a default: its path in the schema is `.properties[spec].default`.
fn rejects_default(finding: &Diagnostic) -> bool {
    let path = finding.subject.as_deref();
    path.is_some_and(|path| path.contains(".default"))
}

fn places(findings: &[Diagnostic], code: &str) -> Vec<Diagnostic> {
    let found = findings.iter().filter(|finding| finding.code() == code);
    found.cloned().collect()
}

/// Whether one finding tells of the repeated marker that another calls ambiguous.
fn is_same_marker(repeated: &Diagnostic, ambiguous: &Diagnostic) -> bool {
    repeated.span == ambiguous.span && repeated.subject.is_some() && repeated.subject == ambiguous.subject
}

/// Whether any package or type that was asked for wants OpenAPI definitions.
fn uses_openapi(schema: &Schema) -> bool {
    let mut packages = schema.packages().iter().filter(|package| package.input);
    packages.any(|package| {
        let mut own = schema.types().filter(|(_, ty)| ty.name.package == package.path);
        let options = &package.options;
        options.openapi == Some(true)
            || options.model_package.is_some()
            || own.any(|(_, ty)| ty.options.openapi == Some(true))
    })
}

/// Whether a file says that a generator wrote it, in the words that Go's tools look for.
fn is_generated(sources: &SourceMap, file: FileId) -> bool {
    let text = sources.file(file).text();
    let before_package = text.lines().take_while(|line| !line.starts_with("package "));
    before_package
        .into_iter()
        .any(|line| line.starts_with("// Code generated ") && line.trim_end().ends_with(" DO NOT EDIT."))
}

/// The comment lines around a finding, which is in the comment of a declaration or at its name. Blank lines separate
/// markers from the comment, so they do not end it.
fn comment_around<'s>(sources: &'s SourceMap, finding: &Diagnostic) -> Vec<&'s str> {
    let is_comment = |line: &&str| line.is_empty() || line.starts_with("//");
    let text = sources.file(finding.span.file).text();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at = (sources.position(finding.span).line as usize - 1).min(lines.len());
    let above = lines[..at].iter().rev().copied().take_while(is_comment);
    let below = lines[at..].iter().copied().take_while(is_comment);
    above.chain(below).collect()
}

/// Whether a kind with this comment is one for controller-gen, and for no other generator.
fn is_for_controller_gen(comment: &[&str]) -> bool {
    let markers = || {
        let lines = comment.iter().filter_map(|line| line.strip_prefix("//"));
        let markers = lines.filter_map(|line| line.trim_start().strip_prefix('+'));
        markers.filter_map(|marker| marker.split([':', '=']).next())
    };
    markers().any(|family| family == "kubebuilder") && markers().all(|family| FAMILIES.contains(&family))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_source::{Finding, Span};

    static FINDING: Finding = Finding::new("kind-versions", Tool::ControllerGen, "");

    fn keeps(text: &str) -> bool {
        let mut sources = SourceMap::default();
        let file = sources.add("a.go", text);
        let at = text.find("Gate").expect("a kind") as u32;
        let finding = Diagnostic::error(&FINDING, Span::new(file, at, at + 4), "m");
        !is_generated(&sources, file) && is_for_controller_gen(&comment_around(&sources, &finding))
    }

    #[test]
    fn kinds_for_other_generators_are_left_out() {
        let file = |comment: &str| format!("package v1\n\n{comment}\n\n// A gate.\ntype Gate struct {{}}\n");
        assert!(keeps(&file("// +kubebuilder:object:root=true\n// +genclient")));
        assert!(!keeps(&file("// +genclient")));
        assert!(!keeps(&file(
            "// +kubebuilder:object:root=true\n// +openshift:file-pattern=a"
        )));
    }

    #[test]
    fn generated_files_are_left_out() {
        let kind = "// +kubebuilder:object:root=true\ntype Gate struct{}\n";
        let header = "// Code generated by gen. DO NOT EDIT.\n\n";
        assert!(keeps(&format!("package v1\n\n{kind}")));
        assert!(!keeps(&format!("{header}package v1\n\n{kind}")));
    }
}
