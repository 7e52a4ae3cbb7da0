//! Which secrets the pods of a service account may name, if it asks for that check (`limitSecretReferences` in
//! plugin/pkg/admission/serviceaccount/admission.go).

use kindsmith_json::Value;

/// Checks a new pod.
pub(super) fn check(account: Value<'_>, spec: Value<'_>) -> Result<(), String> {
    let secrets = Secrets::of(account);
    for volume in spec.list("volumes") {
        if let Some(secret) = volume.get("secret").filter(|secret| !secret.is_null()) {
            let name = secret.text("secretName");
            secrets.check(name, || format!("volume with secret.secretName=\"{name}\""))?;
        }
    }
    for (list, noun) in [("initContainers", "init container"), ("containers", "container")] {
        secrets.check_containers(spec, list, noun)?;
    }
    let allowed = names(account.list("imagePullSecrets"));
    for (index, name) in names(spec.list("imagePullSecrets")).iter().enumerate() {
        if !allowed.contains(name) {
            return Err(format!(
                "imagePullSecrets[{index}].name=\"{name}\" is not allowed because service account {} does not reference that imagePullSecret",
                secrets.account
            ));
        }
    }
    Ok(())
}

/// Checks the containers that are added to a running pod.
pub(super) fn check_ephemeral(account: Value<'_>, spec: Value<'_>) -> Result<(), String> {
    Secrets::of(account).check_containers(spec, "ephemeralContainers", "ephemeral container")
}

/// The secrets of an account.
struct Secrets<'a> {
    account: &'a str,
    names: Vec<&'a str>,
}

impl<'a> Secrets<'a> {
    fn of(account: Value<'a>) -> Self {
        Secrets {
            account: account.text(&["metadata", "name"]),
            names: names(account.list("secrets")),
        }
    }

    fn check(&self, name: &str, what: impl FnOnce() -> String) -> Result<(), String> {
        if self.names.contains(&name) {
            return Ok(());
        }
        let (what, account) = (what(), self.account);
        Err(format!(
            "{what} is not allowed because service account {account} does not reference that secret"
        ))
    }

    fn check_containers(&self, spec: Value<'_>, list: &str, noun: &str) -> Result<(), String> {
        for container in spec.list(list) {
            let owner = container.text("name");
            for variable in container.list("env") {
                let Some(secret) = set(*variable, &["valueFrom", "secretKeyRef"]) else {
                    continue;
                };
                let (name, of) = (secret.text("name"), variable.text("name"));
                self.check(name, || {
                    format!("{noun} {owner} with envVar {of} referencing secret.secretName=\"{name}\"")
                })?;
            }
            for source in container.list("envFrom") {
                let Some(secret) = set(*source, &["secretRef"]) else {
                    continue;
                };
                let name = secret.text("name");
                self.check(name, || {
                    format!("{noun} {owner} with envFrom referencing secret.secretName=\"{name}\"")
                })?;
            }
        }
        Ok(())
    }
}

fn set<'a>(value: Value<'a>, path: &[&str]) -> Option<Value<'a>> {
    value.lookup(path).filter(|value| !value.is_null())
}

fn names<'v>(list: &[Value<'v>]) -> Vec<&'v str> {
    list.iter().map(|item| item.text("name")).collect()
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn only_secrets_of_the_account_are_allowed() {
        let account =
            r#"{"metadata":{"name":"robot"},"secrets":[{"name":"s"}],"imagePullSecrets":[{"name":"p"}]}"#;
        for (spec, expected) in [
            (
                r#"{"volumes":[{"secret":{"secretName":"s"}},{"emptyDir":{}}],"imagePullSecrets":[{"name":"p"}]}"#,
                "",
            ),
            (
                r#"{"volumes":[{"secret":{"secretName":"t"}}]}"#,
                r#"volume with secret.secretName="t" is not allowed because service account robot does not reference that secret"#,
            ),
            (
                r#"{"initContainers":[{"name":"i","env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"t"}}}]}]}"#,
                r#"init container i with envVar E referencing secret.secretName="t" is not allowed because service account robot does not reference that secret"#,
            ),
            (
                r#"{"containers":[{"name":"c","envFrom":[{"secretRef":{"name":"s"}},{"secretRef":{"name":"t"}}]}]}"#,
                r#"container c with envFrom referencing secret.secretName="t" is not allowed because service account robot does not reference that secret"#,
            ),
            (
                r#"{"imagePullSecrets":[{"name":"p"},{"name":"q"}]}"#,
                r#"imagePullSecrets[1].name="q" is not allowed because service account robot does not reference that imagePullSecret"#,
            ),
        ] {
            let arena = Arena::new();
            let read = |text| parse_str(&arena, text).expect("JSON");
            let checked = check(read(account), read(spec));
            assert_eq!(checked.err().unwrap_or_default(), expected, "{spec}");
        }
    }
}
