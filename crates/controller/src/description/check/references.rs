//! References to unknown kinds.

use kindsmith_formats::nearest::nearest_of;

use super::super::reader::{Mistake, Node};

/// A kind that references may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// API group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
    /// The plural name in paths.
    pub plural: String,
}

/// The kinds that references may name.
#[derive(Debug, Clone, Default)]
pub struct Others {
    /// Those that are known.
    pub known: Vec<Other>,
    /// Whether there are no others.
    pub is_complete: bool,
}

pub(super) fn check(root: &Node<'_>, others: &Others, mistakes: &mut Vec<Mistake>) {
    for (_, field) in root.member("fields").entries() {
        let refers = field.member("refers");
        let text = |key: &str| refers.member(key).json.as_str().map(str::to_owned);
        if let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) {
            one(&refers, &api_version, &kind, others, mistakes);
        }
    }
}

fn one(refers: &Node<'_>, api_version: &str, kind: &str, others: &Others, mistakes: &mut Vec<Mistake>) {
    let named: Vec<&Other> = others.known.iter().filter(|other| other.kind == kind).collect();
    let Some(found) = named.iter().find(|other| other.api_version == api_version) else {
        if let Some(near) = named.first() {
            let mistake = refers.mistake(&format!("`{kind}` is not in `{api_version}`"));
            mistakes.push(mistake.cure(format!("write `apiVersion: {}`", near.api_version)));
        } else if others.is_complete {
            let near = nearest_of(kind, others.known.iter().map(|other| &*other.kind));
            let mistake = refers.mistake(&format!("no CRD of the kind `{kind}`"));
            mistakes.push(mistake.cure(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "add its CRD to --crds".to_owned(),
            }));
        }
        return;
    };
    let plural = refers.member("plural");
    let written = match plural.json.as_str() {
        Some(plural) => plural.to_owned(),
        None => format!("{}s", kind.to_lowercase()),
    };
    if written != found.plural {
        let mistake = refers.mistake(&format!("the plural of `{kind}` is not `{written}`"));
        let cure = format!("write `plural: {}`", found.plural);
        mistakes.push(mistake.cure(cure));
    }
}
