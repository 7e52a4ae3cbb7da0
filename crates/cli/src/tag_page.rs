//! The page of a tag, for `kindsmith tags` and for controller-gen's `-www`.

use std::fmt::Write;

use kindsmith_schema::Level;
use kindsmith_tags::tag::{Arg, Family, Payload, Tag};
use serde_json::{Value, json};

use crate::output::pretty;

/// The facts about a tag, then its page.
pub(crate) fn page(tag: &Tag) -> String {
    let mut text = format!("+{}{}\n\n", tag.name, tag.form());
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name:11}{value}");
        }
    };
    let scopes: Vec<_> = tag.scopes.iter().map(|scope| scope.words()).collect();
    fact("Also", &tag.aliases.join(", "));
    fact("On", &scopes.join(", "));
    fact("Of", tag.types);
    fact("Read by", reader(tag.family));
    fact("Stability", stability(tag.stability));
    for argument in tag.args {
        let need = if argument.required { "" } else { " (optional)" };
        let name = if argument.name.is_empty() {
            "value"
        } else {
            argument.name
        };
        fact(
            "Argument",
            &format!("{name}: {}{need}, {}", argument.kind.word(), argument.docs),
        );
    }
    let _ = write!(text, "\n{}\n", tag.docs.trim_end());
    text
}

/// How a tag is written.
pub(crate) fn syntax(tag: &Tag) -> String {
    format!("+{}{}", tag.name, tag.form())
}

/// Tags as one JSON document.
pub(crate) fn json_list(tags: &[&Tag]) -> String {
    pretty(&json!({"tags": tags.iter().map(|tag| json(tag)).collect::<Value>()}))
}

pub(crate) fn json(tag: &Tag) -> Value {
    let argument = |arg: &Arg| json!({"name": arg.name, "kind": arg.kind.word(), "required": arg.required, "docs": arg.docs});
    json!({
        "name": tag.name,
        "aliases": tag.aliases,
        "form": format!("+{}{}", tag.name, tag.form()),
        "readBy": reader(tag.family),
        "stability": stability(tag.stability),
        "kepOnly": tag.kep_only,
        "scopes": tag.scopes.iter().map(|scope| scope.words()).collect::<Vec<_>>(),
        "types": tag.types,
        "arguments": tag.args.iter().map(argument).collect::<Value>(),
        "openArguments": tag.open_args,
        "payload": tag.payload.kind().map(|kind| {
            json!({"kind": kind.word(), "required": matches!(tag.payload, Payload::Required(_))})
        }),
        "summary": tag.summary(),
        "docs": tag.docs,
    })
}

pub(crate) fn reader(family: Family) -> &'static str {
    match family {
        Family::Declarative => "validation-gen",
        Family::Kep => "nobody yet: KEP-5073 describes it",
        Family::Control => "generators, as a switch",
        Family::OpenApi => "openapi-gen and defaulter-gen",
        Family::Kubebuilder => "controller-gen",
        Family::Other => "other generators",
    }
}

pub(crate) fn stability(level: Level) -> &'static str {
    match level {
        Level::Alpha => "alpha",
        Level::Beta => "beta",
        Level::Stable => "stable",
    }
}
