//! Where a webhook is: the rules of a URL or a service, for CRDs and for webhook configurations (`ValidateWebhookURL` and
//! `ValidateWebhookService` in apiserver's pkg/util/webhook/validation.go).

use kindsmith_gostd::url::Url;
use kindsmith_json::Path;

use crate::FieldError;
use crate::meta::NameRule;

const FORM: &str = "; desired format: https://host[/path]";

/// Where a webhook is.
#[derive(Debug, Clone, Copy, Default)]
pub struct WebhookAddress<'a> {
    /// Its URL.
    pub url: Option<&'a str>,
    /// Its service.
    pub service: Option<WebhookService<'a>>,
}

/// The service of a webhook.
#[derive(Debug, Clone, Copy, Default)]
pub struct WebhookService<'a> {
    /// The namespace of the service.
    pub namespace: &'a str,
    /// The name of the service.
    pub name: &'a str,
    /// The path of requests; may be empty.
    pub path: &'a str,
    /// The port; zero if there is none.
    pub port: i64,
}

impl WebhookAddress<'_> {
    /// Checks the address; `path` is that of its `clientConfig`.
    pub fn validate(&self, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        match (self.url, &self.service) {
            (Some(url), None) => validate_url(url, &path.child("url"), errors),
            (None, Some(service)) => service.validate(&path.child("service"), errors),
            _ => errors.push(FieldError::required(
                path,
                "exactly one of url or service is required",
            )),
        }
    }
}

fn validate_url(text: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => {
            let detail = format!("url must be a valid URL: {error}{FORM}");
            return errors.push(FieldError::required(path, detail));
        }
    };
    let mut refuse = |bad: &str, detail: &str| errors.push(FieldError::invalid(path, bad, detail));
    if url.scheme() != "https" {
        let detail = format!("'https' is the only allowed URL scheme{FORM}");
        refuse(url.scheme(), &detail);
    }
    if url.host().is_empty() {
        refuse("", &format!("host must be specified{FORM}"));
    }
    if let Some(user) = url.user() {
        refuse(&user, "user information is not permitted in the URL");
    }
    if !url.fragment().is_empty() {
        refuse(&url.fragment(), "fragments are not permitted in the URL");
    }
    if !url.raw_query().is_empty() {
        refuse(url.raw_query(), "query parameters are not permitted in the URL");
    }
}

impl WebhookService<'_> {
    fn validate(&self, path: &Path<'_>, errors: &mut Vec<FieldError>) {
        // Upstream's caller swaps the two, so a missing name is reported for the namespace and the reverse.
        for (field, value) in [("name", self.namespace), ("namespace", self.name)] {
            if value.is_empty() {
                errors.push(FieldError::required(&path.child(field), ""));
            }
        }
        if !(1..=65535).contains(&self.port) {
            let detail = "port is not valid: must be between 1 and 65535, inclusive";
            errors.push(FieldError::invalid(&path.child("port"), self.port, detail));
        }
        validate_path(self.path, &path.child("path"), errors);
    }
}

fn validate_path(text: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if matches!(text, "" | "/") {
        return;
    }
    let mut refuse = |detail: &str| errors.push(FieldError::invalid(path, text, detail));
    if text == "//" {
        return refuse("segment[0] may not be empty");
    }
    if !text.starts_with('/') {
        refuse("must start with a '/'");
    }
    // As upstream, the first byte is dropped unchecked. If it is part of a longer character, the rest is invalid anyway.
    let rest = String::from_utf8_lossy(&text.as_bytes()[1..]);
    let rest = rest.strip_suffix('/').unwrap_or(&rest);
    for (index, segment) in rest.split('/').enumerate() {
        if segment.is_empty() {
            refuse(&format!("segment[{index}] may not be empty"));
            continue;
        }
        let mut problems = Vec::new();
        NameRule::Subdomain.validate(segment, &Path::NIL, &mut problems);
        for problem in problems {
            refuse(&format!("segment[{index}]: {}", problem.detail));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: WebhookAddress<'_>, expected: &[&str]) {
        let mut errors = Vec::new();
        address.validate(&Path::root("c"), &mut errors);
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors, expected);
    }

    fn at(url: &str) -> WebhookAddress<'_> {
        WebhookAddress {
            url: Some(url),
            service: None,
        }
    }

    #[test]
    fn urls_are_plain_and_secure() {
        check(at("https://a.example/p"), &[]);
        check(
            at("http://u@a.example/p?q#f"),
            &[
                r#"c.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]"#,
                r#"c.url: Invalid value: "u": user information is not permitted in the URL"#,
                r#"c.url: Invalid value: "f": fragments are not permitted in the URL"#,
                r#"c.url: Invalid value: "q": query parameters are not permitted in the URL"#,
            ],
        );
    }

    #[test]
    fn services_have_a_name_and_a_port() {
        let service = WebhookService {
            path: "a//b",
            ..WebhookService::default()
        };
        check(
            WebhookAddress {
                url: None,
                service: Some(service),
            },
            &[
                "c.service.name: Required value",
                "c.service.namespace: Required value",
                "c.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
                r#"c.service.path: Invalid value: "a//b": must start with a '/'"#,
                r#"c.service.path: Invalid value: "a//b": segment[0] may not be empty"#,
                r#"c.service.path: Invalid value: "a//b": segment[1] may not be empty"#,
            ],
        );
    }

    #[test]
    fn there_is_one_address() {
        check(
            WebhookAddress::default(),
            &["c: Required value: exactly one of url or service is required"],
        );
    }
}
