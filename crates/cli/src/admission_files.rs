//! Webhook configurations, policies and bindings from files: in force from the start, and no objects.

use std::path::Path;
use std::sync::Arc;

use kindsmith::local_api;
use kindsmith_api::{Api, Options};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_object::StorePrefix;
use kindsmith_server::System;
use kindsmith_store::Memory;

use crate::error::Error;
use crate::schemas::find_files;

/// The kinds that files may hold, with their resources.
const KINDS: [(&str, &str); 6] = [
    ("MutatingAdmissionPolicy", "mutatingadmissionpolicies"),
    (
        "MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
    ),
    ("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
    ("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
    (
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
    ),
    (
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
    ),
];
const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";
/// How configurations in files may end; objects may not.
const FIXED: &str = ".static.k8s.io";

/// All configurations of a directory, each under the key it would be stored at, with its defaults.
///
/// # Errors
///
/// If a file cannot be read, holds something else, or holds what the server would refuse.
pub(crate) fn read(directory: &Path) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let judge = Api::open(Arc::new(Memory::new()), Box::new(System), Options::default())
        .map_err(|error| Error::environment(format!("cannot open a store in memory: {error}")))?;
    let mut found = Vec::new();
    for file in find_files(directory)? {
        let text = crate::files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
        for document in yaml::documents(&text) {
            let read = read_one(&judge, document.text);
            found.extend(read.map_err(|why| Error::input(format!("{}: {why}", file.display())))?);
        }
    }
    if found.is_empty() {
        return Err(
            Error::input(format!("no admission configuration in {}", directory.display()))
                .hint("name a directory with webhook configurations, policies and bindings"),
        );
    }
    check_bindings(&found)?;
    Ok(found)
}

/// One configuration; none for an empty document.
fn read_one(judge: &Api, text: &str) -> Result<Option<(String, Vec<u8>)>, String> {
    let arena = Arena::new();
    let mut object = yaml::parse(&arena, text.as_bytes()).map_err(|error| error.to_string())?;
    if object.is_null() {
        return Ok(None);
    }
    let (kind, name) = (word(object, &["kind"]), word(object, &["metadata", "name"]));
    let Some((_, resource)) = KINDS.iter().find(|(known, _)| *known == kind) else {
        let known: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
        return Err(format!(
            "{kind} {name} is no admission configuration; known: {}",
            known.join(", ")
        ));
    };
    if let Some(plain) = name.strip_suffix(FIXED) {
        object.set(&arena, &["metadata", "name"], Value::Str(arena.alloc_str(plain)));
    }
    let answer = local_api::send(
        judge,
        "POST",
        &format!("{GROUP}/{resource}"),
        "dryRun=All&fieldValidation=Strict",
        "application/json",
        &kindsmith_json::to_string(object),
    );
    let mut answered = kindsmith_json::parse(&arena, answer.body.as_bytes()).unwrap_or_default();
    if answer.status >= 400 {
        return Err(word(answered, &["message"]).to_owned());
    }
    answered.set(&arena, &["metadata", "name"], Value::Str(arena.alloc_str(name)));
    let key = StorePrefix::own("admissionregistration.k8s.io", resource).key("", name);
    Ok(Some((key, kindsmith_json::to_string(answered).into_bytes())))
}

/// A binding in a file puts a policy in force that is in a file, too.
fn check_bindings(found: &[(String, Vec<u8>)]) -> Result<(), Error> {
    for (key, value) in found {
        let Some((sort, name)) = key.split_once("admissionpolicybindings/") else {
            continue;
        };
        let arena = Arena::new();
        let binding = kindsmith_json::parse(&arena, value).unwrap_or_default();
        let policy = word(binding, &["spec", "policyName"]);
        let wanted = format!("{sort}admissionpolicies/{policy}");
        if !found.iter().any(|(known, _)| *known == wanted) {
            return Err(Error::input(format!(
                "the binding {name} names the policy {policy}, which is in no file"
            ))
            .hint("put the policy next to its binding"));
        }
    }
    Ok(())
}

fn word<'v>(value: Value<'v>, path: &[&str]) -> &'v str {
    value.lookup(path).and_then(Value::as_str).unwrap_or_default()
}
