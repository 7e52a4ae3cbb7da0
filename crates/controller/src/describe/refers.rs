//! What a reference refers to: from the words of the CRD, from known kinds, and from the form of names in the API.

use kindsmith_schema::JsonSchema;

use super::words::folded;
use crate::Json;
use crate::description::{Other, Others};

/// The kind that a field refers to.
#[derive(Debug)]
pub(super) struct Refers {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) plural: Option<String>,
    pub(super) status: Vec<String>,
    pub(super) external: Option<String>,
}

pub(super) fn refers(
    base: &str,
    member: &JsonSchema,
    there: &Json,
    others: &Others,
    group: &str,
    todo: &mut Vec<String>,
    path: &str,
) -> Refers {
    let external = member
        .property("external")
        .map(|external| external.description.to_string());
    let texts = [external.unwrap_or_default(), member.description.to_string()];
    let said = texts.iter().find_map(|text| said(text));
    let find = |test: &dyn Fn(&Other) -> bool| {
        let mut found: Vec<&Other> = others.known.iter().filter(|other| test(other)).collect();
        // Of the same group first.
        found.sort_by_key(|other| !other.api_version.starts_with(&format!("{group}/")));
        found.first().copied()
    };
    let other = match &said {
        Some((_, kind)) => find(&|other| other.kind == *kind),
        None => endings(base)
            .iter()
            .find_map(|ending| find(&|other| folded(&other.kind).ends_with(&folded(ending)))),
    };
    let form = there["description"].as_str().and_then(form);
    if other.is_none() {
        let kind = said.as_ref().map_or("an unknown kind", |(_, kind)| kind);
        todo.push(format!(
            "`{path}` refers to {kind}: give its `apiVersion` and `kind`"
        ));
    } else if said.is_none() {
        todo.push(format!(
            "whether `{path}` refers to {}",
            other.map_or("", |other| &other.kind)
        ));
    }
    let status = match (&said, &form) {
        (Some((field, _)), None) if field != "name" => vec![field.clone(), "externalRef".to_owned()],
        (_, Some(_)) | (Some(_), None) => Vec::new(),
        (None, None) => vec!["selfLink".to_owned(), "externalRef".to_owned()],
    };
    let kind = said
        .map(|(_, kind)| kind)
        .or_else(|| other.map(|other| other.kind.clone()));
    let kind = kind.unwrap_or_else(|| capital(base));
    let plural = other.map(|other| other.plural.clone());
    Refers {
        api_version: other.map_or_else(|| format!("{group}/v1beta1"), |other| other.api_version.clone()),
        plural: plural.filter(|plural| *plural != format!("{}s", kind.to_lowercase())),
        kind,
        status,
        external: form,
    }
}

/// The field and the kind in "The `selfLink` field of a `ComputeNetwork` resource".
fn said(text: &str) -> Option<(String, String)> {
    let (before, after) = text.split_once("` field of a").and_then(|(before, after)| {
        let after = after.split_once('`')?.1;
        Some((before, after))
    })?;
    let field = before.rsplit('`').next()?;
    let kind = after.split('`').next()?;
    let is_word = |text: &str| !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric());
    (is_word(field) && is_word(kind)).then(|| (field.to_owned(), kind.to_owned()))
}

/// The form of names that a description shows: `projects/{project}/topics/{name}`.
fn form(text: &str) -> Option<String> {
    let start = text.find("projects/{")?;
    let shown: String = text[start..]
        .chars()
        .take_while(|sign| sign.is_ascii_alphanumeric() || "/{}_-".contains(*sign))
        .collect();
    let mut parts: Vec<&str> = shown.trim_end_matches('/').split('/').collect();
    let places: Vec<usize> = (0..parts.len())
        .filter(|index| parts[*index].starts_with('{'))
        .collect();
    match places[..] {
        [1, last] if last + 1 == parts.len() => {
            parts[1] = "{project}";
            parts[last] = "{name}";
            Some(parts.join("/"))
        }
        _ => None,
    }
}

/// A name, and what is left of it without its first words: `deadLetterTopic`, `LetterTopic`, `Topic`.
fn endings(name: &str) -> Vec<&str> {
    let starts = name
        .char_indices()
        .filter(|(_, sign)| sign.is_ascii_uppercase())
        .map(|(at, _)| at);
    [0].into_iter().chain(starts).map(|at| &name[at..]).collect()
}

fn capital(name: &str) -> String {
    let mut signs = name.chars();
    signs
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_descriptions_are_read() {
        let text = "Allowed value: The `selfLink` field of a `ComputeNetwork` resource.";
        assert_eq!(
            said(text),
            Some(("selfLink".to_owned(), "ComputeNetwork".to_owned()))
        );
        assert_eq!(said("the name of a topic"), None);
        let shown = form("The topic. Format is `projects/{project_id}/topics/{topic_id}`.");
        assert_eq!(shown.as_deref(), Some("projects/{project}/topics/{name}"));
        assert_eq!(form("projects/{p}/locations/{l}/keys/{k}"), None);
        assert_eq!(form("nothing"), None);
    }
}
