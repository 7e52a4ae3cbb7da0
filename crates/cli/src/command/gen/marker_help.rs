//! `-w`, `-ww`, `-www` and `-wwww` of controller-gen: which markers there are, in more and more detail. The texts are those of
//! `kindsmith tags`.

use std::fmt::Write;

use kindsmith_tags::catalogue::catalogue;
use kindsmith_tags::tag::{Family, Tag};

use crate::tag_page;

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// `-w`: one line each.
    Line,
    /// `-ww`: with their arguments and an example.
    Arguments,
    /// `-www`: their whole pages.
    Page,
    /// `-wwww`: all of it as JSON.
    Json,
}

/// The verbosity that a number of `w` selects.
pub(super) fn counted(count: u8) -> Option<Detail> {
    match count {
        0 => None,
        1 => Some(Detail::Line),
        2 => Some(Detail::Arguments),
        3 => Some(Detail::Page),
        _ => Some(Detail::Json),
    }
}

/// The flag of a command line, if it has one.
pub(super) fn asked(words: &[String]) -> Option<Detail> {
    words.iter().find_map(|word| match word.as_str() {
        "--which-markers" => counted(1),
        "-w" | "-ww" | "-www" | "-wwww" => counted(word.len() as u8 - 1),
        _ => None,
    })
}

/// Whether controller-gen reads a marker.
fn is_read(tag: &&'static Tag) -> bool {
    tag.family == Family::Kubebuilder
        || tag.name.starts_with("kubebuilder:")
        || [
            "groupName",
            "versionName",
            "listType",
            "listMapKey",
            "mapType",
            "structType",
            "optional",
            "nullable",
        ]
        .contains(&tag.name)
}

/// The markers.
pub(super) fn text(detail: Detail) -> String {
    let markers: Vec<&Tag> = catalogue().filter(is_read).collect();
    if detail == Detail::Json {
        return tag_page::json_list(&markers);
    }
    let mut out = String::new();
    let width = markers
        .iter()
        .map(|tag| tag_page::syntax(tag).len())
        .max()
        .unwrap_or(0);
    for tag in markers {
        match detail {
            Detail::Page => {
                let _ = writeln!(out, "{}\n", tag_page::page(tag).trim_end());
            }
            _ => {
                let scopes: Vec<&str> = tag.scopes.iter().map(|scope| scope.words()).collect();
                let syntax = tag_page::syntax(tag);
                let _ = writeln!(out, "{syntax:width$}  {} ({})", tag.summary(), scopes.join(", "));
            }
        }
        if detail == Detail::Arguments {
            if let Some(example) = example(tag) {
                let _ = writeln!(out, "    {example}");
            }
            for argument in tag.args {
                let need = if argument.required { "" } else { " (optional)" };
                let _ = writeln!(
                    out,
                    "    {}: {}{need}, {}",
                    if argument.name.is_empty() {
                        "value"
                    } else {
                        argument.name
                    },
                    argument.kind.word(),
                    argument.docs
                );
            }
        }
    }
    out
}

/// The marker as the example of its page has it.
fn example(tag: &'static Tag) -> Option<String> {
    let marker = format!("// +{}", tag.name);
    let page = tag_page::page(tag);
    let mut lines = page.lines().map(str::trim);
    let line = lines.find(|line| line.starts_with(&marker))?;
    Some(line["// ".len()..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_adds_detail() {
        let words = |flag: &str| asked(&["crd".to_owned(), flag.to_owned()]).map(text);
        let [line, arguments, page, json] =
            ["-w", "-ww", "-www", "-wwww"].map(|flag| words(flag).expect("a flag"));
        assert!(line.contains("+kubebuilder:validation:MaxLength "), "{line}");
        assert!(line.contains("+kubebuilder:rbac"), "{line}");
        assert!(line.len() < arguments.len() && arguments.len() < page.len());
        assert!(json.starts_with("{\n"), "{json}");
        assert_eq!(words("--check"), None);
    }
}
