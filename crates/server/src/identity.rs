//! Authentication: bearer tokens and client certificates.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use kindsmith_api::{Authenticator, User};
use kindsmith_object::well_known::group::{AUTHENTICATED, UNAUTHENTICATED};
use kindsmith_object::well_known::user::ANONYMOUS;

use crate::digest::sha256;
use crate::front_proxy::FrontProxy;
use crate::tls::Presented;

/// Known tokens, by digest, so that lookups do not compare secrets byte by byte.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    tokens: HashMap<[u8; 32], User>,
    rejects_anonymous: bool,
    front_proxy: Option<FrontProxy>,
    delegate: Option<Arc<dyn Authenticator>>,
}

/// Why a token file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for TokenFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TokenFileError {}

impl Identity {
    /// Adds a token.
    pub fn add_token(&mut self, token: &str, user: User) {
        self.tokens.insert(sha256(token.as_bytes()), user);
    }

    /// Adds the tokens of a file in kube-apiserver's format: `token,user,uid[,"group1,group2"]` in each line.
    ///
    /// # Errors
    ///
    /// If a line has too few columns or an empty token or user.
    pub fn add_token_file(&mut self, text: &str) -> Result<(), TokenFileError> {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |message: &str| TokenFileError {
                line: number + 1,
                message: message.to_owned(),
            };
            let columns = columns(line);
            let [token, name, uid, rest @ ..] = &columns[..] else {
                return Err(fail("expected token,user,uid and perhaps \"group1,group2\""));
            };
            if token.is_empty() || name.is_empty() {
                return Err(fail("token and user may not be empty"));
            }
            let groups = rest.first().map(String::as_str).unwrap_or_default();
            let user = User {
                name: name.clone(),
                uid: uid.clone(),
                groups: groups
                    .split(',')
                    .map(str::trim)
                    .filter(|group| !group.is_empty())
                    .map(str::to_owned)
                    .collect(),
                extra: Vec::new(),
            };
            self.add_token(token, user);
        }
        Ok(())
    }

    /// Rejects requests without credentials, which are anonymous otherwise.
    pub fn reject_anonymous(&mut self) {
        self.rejects_anonymous = true;
    }

    /// Lets a proxy in front of the server name users.
    pub fn trust_proxy(&mut self, proxy: FrontProxy) {
        self.front_proxy = Some(proxy);
    }

    /// Asks somebody else about unknown tokens.
    pub fn delegate(&mut self, delegate: Arc<dyn Authenticator>) {
        self.delegate = Some(delegate);
    }

    /// The user that a trusted proxy names.
    pub(crate) fn behind_proxy(
        &self,
        certificate: Option<&Presented>,
        headers: &[(String, String)],
    ) -> Option<User> {
        let Some(Presented::User(proxy)) = certificate else {
            return None;
        };
        let user = self.front_proxy.as_ref()?.user(proxy, headers);
        user.map(authenticated)
    }

    /// Authenticates a request. A wrong token is rejected, not anonymous; so is an unknown certificate.
    pub(crate) fn authenticate(
        &self,
        authorization: Option<&str>,
        certificate: Option<&Presented>,
    ) -> Option<User> {
        // Where proxies show certificates, those are nobody else's.
        let certificate = certificate.filter(|_| self.front_proxy.is_none());
        if let Some(Presented::User(user)) = certificate {
            return Some(authenticated(User::clone(user)));
        }
        match authorization.and_then(bearer) {
            Some(token) => Authenticator::authenticate(self, token),
            None if certificate.is_some() || self.rejects_anonymous => None,
            None => Some(User {
                name: ANONYMOUS.to_owned(),
                groups: vec![UNAUTHENTICATED.to_owned()],
                ..User::default()
            }),
        }
    }
}

impl Authenticator for Identity {
    fn authenticate(&self, token: &str) -> Option<User> {
        let known = self.tokens.get(&sha256(token.as_bytes())).cloned();
        let user = known.or_else(|| self.delegate.as_ref()?.authenticate(token));
        user.map(authenticated)
    }
}

fn authenticated(mut user: User) -> User {
    if user.name != ANONYMOUS && !user.groups.iter().any(|group| group == AUTHENTICATED) {
        user.groups.push(AUTHENTICATED.to_owned());
    }
    user
}

/// The token of an `Authorization` header; `None` for other schemes. After a second space there is no token, and text
/// after the token is ignored (`AuthenticateRequest` in apiserver's pkg/authentication/request/bearertoken).
pub(crate) fn bearer(header: &str) -> Option<&str> {
    let mut parts = header.trim().splitn(3, ' ');
    let (scheme, token) = (parts.next()?, parts.next()?);
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// The columns of a line of CSV.
fn columns(line: &str) -> Vec<String> {
    let mut columns = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let last = columns.last_mut().expect("there is always a column");
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                last.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => columns.push(String::new()),
            other => last.push(other),
        }
    }
    columns.iter().map(|column| column.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(identity: &Identity, header: Option<&str>) -> String {
        match identity.authenticate(header, None) {
            Some(user) => format!("{} {}", user.name, user.groups.join("+")),
            None => "nobody".to_owned(),
        }
    }

    #[test]
    fn a_token_is_the_second_word() {
        let check = |header: &str, expected| assert_eq!(bearer(header), expected, "{header:?}");
        check("Bearer abc", Some("abc"));
        check(" bearer abc ", Some("abc"));
        check("Bearer abc def", Some("abc"));
        check("Bearer  abc", None);
        check("Bearer ", None);
        check("Basic abc", None);
    }

    #[test]
    fn tokens() {
        let mut identity = Identity::default();
        let file = "# people\nsecret,ann,1,\"system:masters, dev\"\nother,\"bob, jr\",2\n";
        identity.add_token_file(file).expect("it is right");
        for (header, expected) in [
            (None, "system:anonymous system:unauthenticated"),
            (Some(""), "system:anonymous system:unauthenticated"),
            (Some("Basic abc"), "system:anonymous system:unauthenticated"),
            (Some("Bearer "), "system:anonymous system:unauthenticated"),
            (
                Some("Bearer secret"),
                "ann system:masters+dev+system:authenticated",
            ),
            (Some("bearer other"), "bob, jr system:authenticated"),
            (Some("Bearer wrong"), "nobody"),
        ] {
            assert_eq!(who(&identity, header), expected, "{header:?}");
        }
    }

    #[test]
    fn unknown_certificates_and_missing_credentials() {
        let mut identity = Identity::default();
        identity.add_token_file("secret,ann,1").expect("it is right");
        let nobody = Some(Presented::Nobody);
        let who = |identity: &Identity, header, certificate: &Option<Presented>| {
            let user = identity.authenticate(header, certificate.as_ref());
            user.map(|user| user.name)
        };
        assert_eq!(who(&identity, None, &nobody), None);
        assert_eq!(
            who(&identity, Some("Bearer secret"), &nobody).as_deref(),
            Some("ann")
        );
        assert_eq!(who(&identity, None, &None).as_deref(), Some("system:anonymous"));
        identity.reject_anonymous();
        assert_eq!(who(&identity, None, &None), None);
    }

    #[test]
    fn wrong_token_files() {
        for (file, expected) in [
            (
                "a,b",
                "line 1: expected token,user,uid and perhaps \"group1,group2\"",
            ),
            ("\n,b,c", "line 2: token and user may not be empty"),
        ] {
            let error = Identity::default().add_token_file(file).expect_err("it is wrong");
            assert_eq!(error.to_string(), expected);
        }
    }
}
