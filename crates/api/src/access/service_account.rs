//! Tokens of service accounts: what they say, and whose they are (pkg/serviceaccount/claims.go and jwt.go). Who signs and
//! checks signatures is given.

use std::fmt;

use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;
use kindsmith_object::well_known::user;
use kindsmith_store::Store;

use super::account::{groups, quoted, texts, uid_at};
use super::legacy_token;
use crate::environment::Random;
use crate::{Environment, User};

/// Signs tokens of service accounts, and checks signatures.
pub trait TokenSigner: fmt::Debug + Send + Sync {
    /// The issuer of tokens.
    fn issuer(&self) -> &str;

    /// The audiences of tokens that are requested without one.
    fn audiences(&self) -> &[String];

    /// A token with these claims, a JSON object; `None` if it cannot be signed.
    fn sign(&self, claims: &str) -> Option<String>;

    /// The claims of a token with a good signature.
    fn verify(&self, token: &str) -> Option<String>;

    /// The algorithm of signatures: `ES256`.
    fn algorithm(&self) -> &'static str;

    /// The public keys as a JSON Web Key Set.
    fn key_set(&self) -> String;
}

/// How far clocks may be apart, in seconds.
const LEEWAY: i64 = 60;

/// An object that a token names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) uid: String,
}

/// What a token is made of.
#[derive(Debug, Default)]
pub(crate) struct Grant<'g> {
    pub(crate) namespace: &'g str,
    pub(crate) account: Reference,
    pub(crate) audiences: Vec<String>,
    /// When it ends, in seconds since 1970.
    pub(crate) expires: i64,
    /// The objects it is bound to, by their claims: `pod`, `node`, `secret`.
    pub(crate) bound: Vec<(&'static str, Reference)>,
}

impl Grant<'_> {
    /// The claims as JSON, sorted as Go sorts a map.
    pub(crate) fn claims(&self, environment: &dyn Environment, issuer: &str) -> String {
        let now = environment.now().seconds;
        let id = Random(environment).uid();
        let audiences: Vec<String> = self.audiences.iter().map(|text| quoted(text)).collect();
        let mut own = vec![format!(r#""namespace":{}"#, quoted(self.namespace))];
        let bound = self.bound.iter().map(|(claim, object)| (*claim, object));
        let mut named: Vec<(&str, &Reference)> = bound.chain([("serviceaccount", &self.account)]).collect();
        named.sort_by_key(|(claim, _)| *claim);
        own.extend(named.into_iter().map(|(claim, object)| {
            let (name, uid) = (quoted(&object.name), quoted(&object.uid));
            format!(r#""{claim}":{{"name":{name},"uid":{uid}}}"#)
        }));
        let subject = user::service_account(self.namespace, &self.account.name);
        format!(
            r#"{{"aud":[{}],"exp":{},"iat":{now},"iss":{},"jti":"{id}","kubernetes.io":{{{}}},"nbf":{now},"sub":{}}}"#,
            audiences.join(","),
            self.expires,
            quoted(issuer),
            own.join(","),
            quoted(&subject)
        )
    }
}

/// The user of a token, and the wanted audiences that it is for.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) user: User,
    pub(crate) audiences: Vec<String>,
}

/// Checks and makes tokens.
pub(crate) struct Tokens<'t> {
    pub(crate) signer: &'t dyn TokenSigner,
    pub(crate) store: &'t dyn Store,
    pub(crate) environment: &'t dyn Environment,
}

impl Tokens<'_> {
    /// The service account of a token that is valid for one of the audiences (the server's own if none are given).
    /// `None` for a token of another issuer.
    ///
    /// # Errors
    ///
    /// Why a token of this issuer is no longer good.
    pub(crate) fn check(&self, token: &str, audiences: &[String]) -> Result<Option<Known>, String> {
        let signer = self.signer;
        let Some(claims) = signer.verify(token) else {
            return Ok(None);
        };
        let arena = Arena::new();
        let claims = kindsmith_json::parse_str(&arena, &claims).unwrap_or_default();
        if claims.text("iss") == legacy_token::ISSUER {
            let wanted = |audience: &&String| audiences.is_empty() || audiences.contains(audience);
            return Ok(Some(Known {
                user: legacy_token::user(self.store, claims, token)?,
                audiences: signer.audiences().iter().filter(wanted).cloned().collect(),
            }));
        }
        if claims.text("iss") != signer.issuer() {
            return Ok(None);
        }
        let own = texts(claims.get("aud"));
        let wanted = if audiences.is_empty() {
            signer.audiences()
        } else {
            audiences
        };
        let common: Vec<String> = own.iter().filter(|own| wanted.contains(own)).cloned().collect();
        if common.is_empty() {
            return Err(format!(
                "token audiences {} is invalid for the target audiences {}",
                go_quoted(&own),
                go_quoted(wanted)
            ));
        }
        self.check_times(claims)?;
        let user = self.user_of(claims)?;
        Ok(Some(Known {
            user,
            audiences: common,
        }))
    }

    /// A token for a Secret, which does not end; `None` if it cannot be signed.
    pub(crate) fn for_secret(&self, namespace: &str, account: (&str, &str), secret: &str) -> Option<String> {
        self.signer
            .sign(&legacy_token::claims(namespace, account, secret))
    }

    fn check_times(&self, claims: Value<'_>) -> Result<(), String> {
        let now = self.environment.now().seconds;
        let at = |key: &str| claims.get(key).and_then(Value::as_i64).unwrap_or_default();
        if at("nbf") > now + LEEWAY {
            Err("service account token is not valid yet".to_owned())
        } else if at("exp") < now - LEEWAY {
            Err("service account token has expired".to_owned())
        } else {
            Ok(())
        }
    }

    /// The user of checked claims, if the account and all that the token is bound to are still there.
    fn user_of(&self, claims: Value<'_>) -> Result<User, String> {
        let own = claims.get("kubernetes.io").unwrap_or_default();
        let namespace = own.text("namespace");
        let named = |claim: &str| {
            own.get(claim).map(|object| Reference {
                name: object.text("name").to_owned(),
                uid: object.text("uid").to_owned(),
            })
        };
        let account = named("serviceaccount").unwrap_or_default();
        match uid_at(
            self.store,
            &store_key::SERVICE_ACCOUNTS.key(namespace, &account.name),
        ) {
            None => return Err(format!("serviceaccounts \"{}\" not found", account.name)),
            Some(uid) if uid != account.uid => {
                return Err(format!(
                    "service account UID ({uid}) does not match claim ({})",
                    account.uid
                ));
            }
            Some(_) => {}
        }
        let (secret, pod, node) = (named("secret"), named("pod"), named("node"));
        let bound = [
            (&secret, store_key::SECRETS.within(namespace)),
            (&pod, store_key::PODS.within(namespace)),
            // A pod's token names its node only for information.
            (
                if pod.is_none() { &node } else { &None },
                store_key::NODES.within(""),
            ),
        ];
        for (object, prefix) in bound {
            if let Some(object) = object
                && uid_at(self.store, &format!("{prefix}{}", object.name)).as_ref() != Some(&object.uid)
            {
                return Err("service account token has been invalidated".to_owned());
            }
        }
        let mut extra = vec![(
            "authentication.kubernetes.io/credential-id".to_owned(),
            vec![format!("JTI={}", claims.text("jti"))],
        )];
        for (object, noun) in [(node, "node"), (pod, "pod")] {
            for (object, part) in object
                .iter()
                .flat_map(|object| [(&object.name, "name"), (&object.uid, "uid")])
            {
                let key = format!("authentication.kubernetes.io/{noun}-{part}");
                extra.push((key, vec![object.clone()]));
            }
        }
        extra.sort();
        Ok(User {
            name: user::service_account(namespace, &account.name),
            uid: account.uid,
            groups: groups(namespace),
            extra,
        })
    }
}

/// A list as Go's `%q` shows it.
fn go_quoted(texts: &[String]) -> String {
    let texts: Vec<String> = texts
        .iter()
        .map(|text| kindsmith_gostd::quote::quote(text))
        .collect();
    format!("[{}]", texts.join(" "))
}
