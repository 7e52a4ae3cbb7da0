//! Markers of a project's own generator: nobody misspells the same name again and again.

use std::collections::BTreeMap;

use kindsmith_source::{Diagnostic, Severity, SourceMap};

use crate::config::is_unknown_tag;

/// From how many uses on a name is taken for the project's own.
const MANY: usize = 3;

/// Makes one note of the unknown tags with the same name, if there are many and none is close to a known one.
pub(crate) fn fold(sources: &SourceMap, findings: &mut Vec<Diagnostic>) {
    let name = |finding: &Diagnostic| {
        let is_far = finding.fix.is_none();
        (is_unknown_tag(finding) && is_far && finding.severity != Severity::Error).then(|| {
            let text = sources.text(finding.span).trim_start_matches(['/', ' ', '+']);
            text.split(['=', '(', ' '])
                .next()
                .unwrap_or_default()
                .trim_end_matches(':')
                .to_owned()
        })
    };
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for name in findings.iter().filter_map(name) {
        *uses.entry(name).or_default() += 1;
    }
    uses.retain(|_, count| *count >= MANY);
    let mut told: Vec<String> = Vec::new();
    findings.retain_mut(|finding| {
        let Some((name, count)) = name(finding).and_then(|name| Some((name.clone(), *uses.get(&name)?)))
        else {
            return true;
        };
        // The first of them tells about all.
        if told.contains(&name) {
            return false;
        }
        finding.severity = Severity::Note;
        finding.message = format!("`+{name}` is used {count} times, but no known tool reads it");
        finding.help.push(format!(
            "if a generator of your own does, write `known-tags = [\"{name}\"]` in kindsmith.toml"
        ));
        told.push(name);
        true
    });
}
