//! The reference of all tags as one Markdown document.

use std::fmt::Write;

use kindsmith_tags::catalogue::catalogue;
use kindsmith_tags::tag::{Family, Tag};

use crate::tag_page::{reader, stability};

/// Families in the order of the reference, with their headings.
const FAMILIES: &[(Family, &str)] = &[
    (Family::Declarative, "Declarative validation (`+k8s:`)"),
    (Family::Kep, "Described by KEP-5073, built by Kindsmith"),
    (Family::OpenApi, "Defaults and OpenAPI"),
    (Family::Kubebuilder, "Custom resources (`+kubebuilder:`)"),
    (Family::Control, "Switches of generators"),
    (Family::Other, "Other generators"),
];

/// The whole reference.
pub(super) fn reference() -> String {
    let mut text = String::from(
        "# Tags\n\nEvery tag Kindsmith knows. This file is printed by `kindsmith tags -o markdown`; the text of each tag \
         lives beside its code.\n",
    );
    for (family, heading) in FAMILIES {
        let tags: Vec<&Tag> = catalogue().filter(|tag| tag.family == *family).collect();
        let _ = write!(text, "\n## {heading}\n\n| Tag | What it does |\n|---|---|\n");
        for tag in &tags {
            let _ = writeln!(
                text,
                "| [`+{}`](#{}) | {} |",
                tag.name,
                anchor(tag),
                tag.summary().replace('|', "\\|")
            );
        }
        for tag in tags {
            let _ = write!(text, "\n{}", page(tag));
        }
    }
    text
}

/// The page of one tag.
pub(super) fn page(tag: &Tag) -> String {
    let mut text = format!("### {}\n\n`+{}{}`\n\n", tag.name, tag.name, tag.form());
    let scopes: Vec<_> = tag.scopes.iter().map(|scope| scope.words()).collect();
    let _ = writeln!(text, "- On: {}", scopes.join(", "));
    let _ = writeln!(text, "- Of: {}", tag.types);
    let _ = writeln!(text, "- Read by: {}", reader(tag.family));
    let _ = writeln!(text, "- Stability: {}", stability(tag.stability));
    if !tag.aliases.is_empty() {
        let _ = writeln!(text, "- Also: {}", tag.aliases.join(", "));
    }
    for argument in tag.args {
        let name = if argument.name.is_empty() {
            "value"
        } else {
            argument.name
        };
        let need = if argument.required { "" } else { " (optional)" };
        let _ = writeln!(
            text,
            "- Argument `{name}`: {}{need}, {}",
            argument.kind.word(),
            argument.docs
        );
    }
    let _ = write!(text, "\n{}\n", tag.docs.trim_end());
    text
}

/// The anchor Markdown renderers give a heading.
fn anchor(tag: &Tag) -> String {
    let kept = tag
        .name
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}
