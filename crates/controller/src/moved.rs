//! Fields that are part of a resource's path and no longer agree with it: a resource cannot move.

use kindsmith_merge::effective::Ignored;

use crate::Json;
use crate::cluster::PROJECT;
use crate::kind::{Kind, Parameters};

/// In place of a project that the object does not name.
const ANY_PROJECT: &str = "{project}";

/// The fields that name another place than the one where the resource is.
pub(crate) fn moved(kind: &Kind, object: &Json, identity: &str) -> Vec<Ignored> {
    let Some((is, name)) = places(kind.rest.collection, identity) else {
        return Vec::new();
    };
    let own = object["metadata"]["annotations"][PROJECT].as_str();
    // Without an annotation the project stays what it was.
    let wanted = kind.parameters(object, own.unwrap_or(ANY_PROJECT));
    let differs = |key: &str, wanted: &str| {
        let is = is.get(key).map_or(wanted, String::as_str);
        match wanted.split_once(ANY_PROJECT) {
            Some((before, after)) => !(is.starts_with(before) && is.ends_with(after)),
            None => is != wanted,
        }
    };
    let mut found = Vec::new();
    if let Some(project) = own.filter(|project| differs("project", project)) {
        let path = format!("metadata.annotations[\"{PROJECT}\"]");
        found.push(refusal(&path, project, &is["project"]));
    }
    let mut seen: Vec<&str> = Vec::new();
    for (key, path) in kind.rest.parameters {
        let wanted = wanted.get(*key).map_or("", String::as_str);
        if differs(key, wanted) && !seen.contains(key) {
            found.push(refusal(&format!("spec.{}", path.join(".")), wanted, &is[*key]));
        }
        seen.push(key);
    }
    let given = given_name(object);
    if let Some(given) = given.filter(|given| !name.is_empty() && *given != name) {
        found.push(refusal("spec.resourceID", given, name));
    }
    found
}

/// The name that `spec.resourceID` gives: the last part, if it is the whole name of a resource.
pub(crate) fn given_name(object: &Json) -> Option<&str> {
    let given = object["spec"]["resourceID"].as_str()?;
    given.rsplit('/').next().filter(|name| !name.is_empty())
}

/// Whether a text is the name of a resource of the kind.
pub(crate) fn is_identity(kind: &Kind, text: &str) -> bool {
    kind.rest.collection.is_empty()
        || places(kind.rest.collection, text).is_some_and(|(_, name)| !name.is_empty())
}

fn refusal(path: &str, wanted: &str, is: &str) -> Ignored {
    let wanted = if wanted.is_empty() { "nothing" } else { wanted };
    Ignored {
        path: path.to_owned(),
        reason: format!(
            "immutable: the resource is in {is}, and cannot move to {wanted}; set it back to {is}, or delete the object and \
             create another one"
        ),
    }
}

/// A path with the parameters that are in the path of a resource.
pub(crate) fn filled(template: &str, collection: &str, identity: &str) -> String {
    let found = places(collection, identity).map_or_else(Parameters::new, |(found, _)| found);
    found.iter().fold(template.to_owned(), |path, (key, value)| {
        path.replace(&format!("{{{key}}}"), value)
    })
}

/// The parameters in the path of a resource, and its name; `None` if the path has another form.
fn places<'i>(collection: &str, identity: &'i str) -> Option<(Parameters, &'i str)> {
    let (path, name) = identity.rsplit_once('/')?;
    let mut parts: Vec<&str> = path.split('/').collect();
    let mut wanted: Vec<&str> = collection.split('/').collect();
    let mut found = Parameters::new();
    // A leading parent is the name of another resource.
    if wanted.first() == Some(&"{parent}") {
        wanted.remove(0);
        let parent = parts.len().checked_sub(wanted.len())?;
        found.insert("parent".to_owned(), parts[..parent].join("/"));
        parts.drain(..parent);
    }
    if parts.len() != wanted.len() {
        return None;
    }
    for (wanted, part) in wanted.iter().zip(parts) {
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => drop(found.insert(name.to_owned(), part.to_owned())),
            None if *wanted == part => {}
            None => return None,
        }
    }
    Some((found, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_apart() {
        let check = |collection, identity, expected: Option<(&[(&str, &str)], &str)>| {
            let expected = expected.map(|(pairs, name)| {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
                (pairs.collect(), name)
            });
            assert_eq!(places(collection, identity), expected, "{identity}");
        };
        let at = "projects/{project}/locations/{region}/instances";
        let found: &[_] = &[("project", "p"), ("region", "r")];
        check(at, "projects/p/locations/r/instances/i", Some((found, "i")));
        check(at, "projects/p/locations/r/instances/", Some((found, "")));
        check(at, "projects/p/instances/i", None);
        check(at, "", None);
        check(
            "{parent}/lamps",
            "homes/h/lamps/l",
            Some((&[("parent", "homes/h")], "l")),
        );
        check("{parent}/lamps", "l", None);
        check("", "anything/l", None);
    }
}
