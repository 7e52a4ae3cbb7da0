//! The page of a rule, for `kindsmith rules` and `kindsmith lint --explain`.

use std::fmt::Write;

use kindsmith_lint::{Form, PackageKind, Rule};
use kindsmith_source::{Finding, Tool};

use crate::error::Error;
use crate::registry::{find, nearest};

/// The finding with a code, which may be in brackets, as in the output.
pub(crate) fn finding(code: &str) -> Result<&'static Finding, Error> {
    let code = code.trim_matches(['[', ']']);
    let rule = Rule::find(code).map(|rule| &rule.facts.finding);
    find(code).or(rule).ok_or_else(|| {
        let hint = match nearest(code) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`kindsmith rules` lists all codes".to_owned(),
        };
        Error::input(format!("no rule `{code}`")).hint(hint)
    })
}

/// The page of one finding as text: its tools, then the explanation.
pub(crate) fn page(finding: &Finding) -> String {
    let body = body(finding)
        .replace("\n## ", "\n\n## ")
        .replace("\n\n\n## ", "\n\n## ");
    format!(
        "{}\n\nReported for {}\n\n{body}\n{}",
        finding.code(),
        tools(finding),
        settings(finding, "## ")
    )
}

/// When a rule is on, its other name and its settings.
pub(crate) fn settings(finding: &Finding, heading: &str) -> String {
    let rule = Rule::find(finding.code()).map(|rule| &rule.facts);
    let Some(rule) = rule.filter(|rule| rule.finding == *finding) else {
        return String::new();
    };
    let mut text = format!("\n{heading}Settings\n");
    let kinds = [PackageKind::Native, PackageKind::Custom, PackageKind::Library];
    let on = |is: &dyn Fn(PackageKind) -> bool| match kinds.map(is) {
        [true, true, true] => "everywhere",
        [true, true, false] => "in every API",
        [true, false, _] => "in native APIs",
        [false, true, _] => "in custom resources",
        _ => "nowhere",
    };
    let by_default = on(&|kind| rule.is_on(kind));
    let _ = match by_default {
        "nowhere" => writeln!(
            text,
            "Off by default; select it by name, or with its group {}.",
            on(&|kind| rule.applies_to(kind))
        ),
        by_default => writeln!(text, "On by default {by_default}."),
    };
    if let Some(alias) = rule.alias {
        let _ = writeln!(
            text,
            "kube-api-linter calls it `{alias}`, and so may `kindsmith.toml`."
        );
    }
    for setting in rule.settings {
        let values = match setting.form {
            Form::Choice(values) => format!("one of {}", values.join(", ")),
            Form::Text => format!("a text, by default `{}`", setting.default),
            Form::Texts => "a list of texts".to_owned(),
            Form::Tables(keys) => format!("a list of tables with {}", keys.join(", ")),
        };
        let _ = writeln!(text, "\n- `{}`: {}; {values}.", setting.name, setting.docs);
    }
    text.replace("\n\n- ", "\n- ").replacen("\n- ", "\n\n- ", 1)
}

pub(crate) fn tools(finding: &Finding) -> String {
    let names: Vec<&str> = finding.tools().map(Tool::name).collect();
    names.join(", ")
}

/// The page without its title.
pub(crate) fn body(finding: &Finding) -> &'static str {
    let page = finding.page().trim();
    page.split_once('\n').map_or("", |(_, body)| body.trim_start())
}
