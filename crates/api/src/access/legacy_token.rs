//! Tokens in Secrets, which do not end: made for Secrets of type `kubernetes.io/service-account-token`, and good as long as the
//! Secret has them (pkg/serviceaccount/legacy.go).

use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;
use kindsmith_object::well_known::user;
use kindsmith_store::Store;

use super::account::{groups, quoted, uid_at};
use crate::User;

/// The issuer of such tokens.
pub(super) const ISSUER: &str = "kubernetes/serviceaccount";
const PREFIX: &str = "kubernetes.io/serviceaccount";

/// The claims of a token of a service account for a Secret.
pub(super) fn claims(namespace: &str, (name, uid): (&str, &str), secret: &str) -> String {
    format!(
        r#"{{"iss":"{ISSUER}","{PREFIX}/namespace":{},"{PREFIX}/secret.name":{},"{PREFIX}/service-account.name":{},"{PREFIX}/service-account.uid":{},"sub":{}}}"#,
        quoted(namespace),
        quoted(secret),
        quoted(name),
        quoted(uid),
        quoted(&user::service_account(namespace, name))
    )
}

/// The user of a token with a good signature, if its Secret and its account are still there.
pub(super) fn user(store: &dyn Store, claims: Value<'_>, token: &str) -> Result<User, String> {
    let claim = |key: &str| claims.text(&*format!("{PREFIX}/{key}"));
    let (namespace, secret) = (claim("namespace"), claim("secret.name"));
    let (name, uid) = (claim("service-account.name"), claim("service-account.uid"));
    let arena = Arena::new();
    let key = store_key::SECRETS.key(namespace, secret);
    let entry = store.get(key.as_bytes(), None).ok().flatten();
    let entry = entry.ok_or("service account token has been invalidated")?;
    let stored = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
    let kept = stored.text(&["data", "token"]);
    let kept = kindsmith_gostd::base64::decode(kept.as_bytes()).unwrap_or_default();
    if kept != token.as_bytes() {
        return Err("service account token has been invalidated".to_owned());
    }
    match uid_at(store, &store_key::SERVICE_ACCOUNTS.key(namespace, name)) {
        None => Err(format!("serviceaccounts \"{name}\" not found")),
        Some(known) if known != uid => Err(format!(
            "service account UID ({known}) does not match claim ({uid})"
        )),
        Some(_) => Ok(User {
            name: user::service_account(namespace, name),
            uid: uid.to_owned(),
            groups: groups(namespace),
            extra: Vec::new(),
        }),
    }
}
