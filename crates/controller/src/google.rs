//! Google's services: HTTPS, access tokens, and the billed project.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use kindsmith_gostd::base64;
use rustls::SignatureScheme;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::sign::SigningKey;
use serde_json::json;
use tokio::sync::Mutex;

use crate::Json;
use crate::http::{Http, HttpError, Request, Response, Sent};
use crate::transport::{AddressError, Base, Endpoint};

const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
const METADATA: &str = "http://metadata.google.internal";
/// How long a token is used at most.
const LONGEST: Duration = Duration::from_hours(12);
/// How long before its end a token is renewed.
const MARGIN: Duration = Duration::from_mins(1);

/// Credentials.
#[derive(Clone)]
pub enum Credentials {
    /// None: for a fake, or for a proxy that adds them.
    None,
    /// The service account of this machine.
    MetadataServer,
    /// A service account with its key.
    Key(Arc<Key>),
    /// A file with a bearer token, read for every request, since tokens are renewed.
    File(Arc<std::path::Path>),
}

/// The key of a service account.
pub struct Key {
    email: String,
    token_uri: String,
    signer: Arc<dyn SigningKey>,
}

/// An error in credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleError(String);

impl fmt::Display for GoogleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GoogleError {}

impl Credentials {
    /// Reads a key file.
    ///
    /// # Errors
    /// If the file is not a service account key.
    pub fn key(text: &str) -> Result<Self, GoogleError> {
        let wrong = |what: &str| GoogleError(format!("not a key of a service account: {what}"));
        let file: Json = serde_json::from_str(text).map_err(|_| wrong("it is not JSON"))?;
        let member = |name: &str| {
            let text = file[name].as_str().map(str::to_owned);
            text.ok_or_else(|| wrong(&format!("`{name}` is missing")))
        };
        let pem = member("private_key")?;
        let der =
            PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| wrong("`private_key` is not PEM"))?;
        let signer = rustls::crypto::ring::sign::any_supported_type(&der);
        Ok(Credentials::Key(Arc::new(Key {
            email: member("client_email")?,
            token_uri: member("token_uri")?,
            signer: signer.map_err(|_| wrong("`private_key` is not a key"))?,
        })))
    }
}

impl Key {
    /// A signed request for a token.
    fn assertion(&self, seconds: u64) -> Result<String, HttpError> {
        let part = |json: &Json| url_safe(json.to_string().as_bytes());
        let header = part(&json!({ "alg": "RS256", "typ": "JWT" }));
        let claims = part(&json!({
            "iss": self.email, "scope": SCOPE, "aud": self.token_uri, "iat": seconds, "exp": seconds + 3600,
        }));
        let text = format!("{header}.{claims}");
        let signer = self.signer.choose_scheme(&[SignatureScheme::RSA_PKCS1_SHA256]);
        let signature = signer.and_then(|signer| signer.sign(text.as_bytes()).ok());
        let signature =
            signature.ok_or_else(|| HttpError("the key of the service account cannot sign".to_owned()))?;
        Ok(format!("{text}.{}", url_safe(&signature)))
    }
}

fn url_safe(bytes: &[u8]) -> String {
    base64::encode(bytes)
        .replace('+', "-")
        .replace('/', "_")
        .replace('=', "")
}

/// A service at an address.
pub struct Google {
    endpoint: Endpoint,
    credentials: Credentials,
    quota_project: Option<String>,
    token: Mutex<Option<(String, Instant)>>,
}

impl Google {
    /// A service at a base URL.
    ///
    /// # Errors
    /// If the URL is malformed.
    pub fn new(
        url: &str,
        credentials: Credentials,
        quota_project: Option<String>,
    ) -> Result<Self, AddressError> {
        Ok(Google {
            endpoint: Endpoint::new(Base::of(url)?, None, None),
            credentials,
            quota_project,
            token: Mutex::new(None),
        })
    }

    /// One request to another address, for a token.
    async fn ask_at(&self, url: &str, sent: Sent<'_>) -> Result<Response, HttpError> {
        let base = Base::of(url).map_err(|error| HttpError(error.0))?;
        let path = format!("{}{}", base.prefix, sent.path);
        let endpoint = Endpoint::new(base, None, None);
        Ok(endpoint.ask(&Sent { path: &path, ..sent }).await?.parsed())
    }

    /// A token that is valid for a while.
    async fn token(&self) -> Result<Option<String>, HttpError> {
        let mut known = self.token.lock().await;
        if let Some((token, end)) = &*known
            && Instant::now() + MARGIN < *end
        {
            return Ok(Some(token.clone()));
        }
        let answer = match &self.credentials {
            Credentials::None => return Ok(None),
            Credentials::File(file) => {
                let text = std::fs::read_to_string(file);
                let text = text.map_err(|error| HttpError(format!("{}: {error}", file.display())))?;
                return Ok(Some(text.trim().to_owned()));
            }
            Credentials::MetadataServer => {
                let headers = [("metadata-flavor", "Google".to_owned())];
                let sent = Sent {
                    method: "GET",
                    path: "/computeMetadata/v1/instance/service-accounts/default/token",
                    media: "application/json",
                    body: String::new(),
                    headers: &headers,
                };
                self.ask_at(METADATA, sent).await?
            }
            Credentials::Key(key) => {
                let now = SystemTime::now()
                    .duration_since(SystemTime::UNIX_EPOCH)
                    .unwrap_or_default();
                let assertion = key.assertion(now.as_secs())?;
                let sent = Sent {
                    method: "POST",
                    path: "",
                    media: "application/x-www-form-urlencoded",
                    body: format!(
                        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}"
                    ),
                    headers: &[],
                };
                self.ask_at(&key.token_uri, sent).await?
            }
        };
        let token = answer.body["access_token"].as_str().map(str::to_owned);
        let token = token.ok_or_else(|| HttpError(format!("no token: {} {}", answer.status, answer.body)))?;
        let lasts = answer.body["expires_in"].as_u64().unwrap_or(0);
        let lasts = Duration::from_secs(lasts).min(LONGEST);
        *known = Some((token.clone(), Instant::now() + lasts));
        Ok(Some(token))
    }
}

impl Http for Google {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let mut headers = Vec::new();
        if let Some(token) = self.token().await? {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        if let Some(project) = &self.quota_project {
            headers.push(("x-goog-user-project", project.clone()));
        }
        let path = format!("{}{}", self.endpoint.base.prefix, request.path);
        let request = Request { path, ..request };
        Ok(self.endpoint.ask(&Sent::json(&request, &headers)).await?.parsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_key_file_gives_an_error_that_names_what_is_missing() {
        let error = |text| Credentials::key(text).err().map(|error| error.to_string());
        assert_eq!(
            error("x").as_deref(),
            Some("not a key of a service account: it is not JSON")
        );
        assert_eq!(
            error("{}").as_deref(),
            Some("not a key of a service account: `private_key` is missing")
        );
    }
}
