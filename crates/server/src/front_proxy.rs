//! Users that a proxy in front of the server has authenticated: it shows a certificate, and names the user in headers
//! (apiserver's pkg/authentication/request/headerrequest).

use kindsmith_api::User;

/// Which proxies are trusted, among those with a certificate of a known CA.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontProxy {
    /// Common names of their certificates; if there are none, any certificate of the CA will do.
    pub names: Vec<String>,
}

const USER: &str = "x-remote-user";
const UID: &str = "x-remote-uid";
const GROUP: &str = "x-remote-group";
const EXTRA: &str = "x-remote-extra-";

impl FrontProxy {
    /// The user that a proxy names in headers; `None` if it is not trusted, or names nobody.
    pub(crate) fn user(&self, proxy: &User, headers: &[(String, String)]) -> Option<User> {
        if !self.names.is_empty() && !self.names.contains(&proxy.name) {
            return None;
        }
        let all = |name: &str| {
            let found = headers.iter().filter(|(header, _)| header == name);
            found
                .map(|(_, value)| value.trim().to_owned())
                .filter(|value| !value.is_empty())
                .collect::<Vec<_>>()
        };
        let name = all(USER).into_iter().next()?;
        let mut user = User {
            name,
            uid: all(UID).into_iter().next().unwrap_or_default(),
            groups: all(GROUP),
            ..User::default()
        };
        for (header, value) in headers {
            if let Some(key) = header.strip_prefix(EXTRA) {
                user.add_extra(key, value);
            }
        }
        Some(user)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn only_trusted_proxies_name_users() {
        let proxy = FrontProxy {
            names: vec!["front-proxy-client".to_owned()],
        };
        let of = |name: &str| User {
            name: name.to_owned(),
            ..User::default()
        };
        let headers = headers(&[
            ("x-remote-user", "ann"),
            ("x-remote-group", "dev"),
            ("x-remote-group", "ops"),
            ("x-remote-extra-scopes%2fa", "read"),
        ]);
        let user = proxy
            .user(&of("front-proxy-client"), &headers)
            .expect("it is trusted");
        assert_eq!(
            (user.name.as_str(), user.groups.join("+")),
            ("ann", "dev+ops".to_owned())
        );
        assert_eq!(user.extra, [("scopes/a".to_owned(), vec!["read".to_owned()])]);
        assert_eq!(proxy.user(&of("somebody"), &headers), None);
        assert_eq!(proxy.user(&of("front-proxy-client"), &[]), None);
        assert!(FrontProxy::default().user(&of("somebody"), &headers).is_some());
    }
}
