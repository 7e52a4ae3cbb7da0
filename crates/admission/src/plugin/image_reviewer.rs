//! The service that `ImagePolicyWebhook` asks about images (plugin/pkg/admission/imagepolicy): where it is, and its answers.
//! Knows no request.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kindsmith_gostd::duration::Duration as GoDuration;
use kindsmith_json::{Arena, Value, to_string};

use super::Server;
use crate::{Answer, Call, ClientConfig};

const KIND: (&str, &str) = ("imagepolicy.k8s.io/v1alpha1", "ImageReview");
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How many answers are remembered.
const ANSWERS: usize = 1024;

const SECOND: i64 = 1_000_000_000;
const MILLISECOND: i64 = 1_000_000;

/// Which service decides, and what counts when it does not answer.
#[derive(Debug)]
pub struct ImagePolicy {
    client: ClientConfig,
    allow_ttl: i64,
    deny_ttl: i64,
    pub(super) allows_by_default: bool,
    answers: Mutex<HashMap<String, Remembered>>,
}

#[derive(Debug, Clone)]
struct Remembered {
    verdict: Verdict,
    /// When it expires, in nanoseconds.
    expires: i128,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Verdict {
    pub(super) is_allowed: bool,
    pub(super) reason: String,
}

/// The configuration of the plugin, before its kubeconfig is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImagePolicySettings {
    /// The file that says where the service is.
    pub kubeconfig: String,
    allow_ttl: i64,
    deny_ttl: i64,
    allows_by_default: bool,
}

impl ImagePolicySettings {
    /// Reads the plugin's configuration, which has no version.
    ///
    /// # Errors
    ///
    /// If a time is out of range (`normalizeConfigDuration`).
    pub fn read(configuration: Value<'_>) -> Result<Self, OutOfRange> {
        let settings = configuration.get("imagePolicy").unwrap_or_default();
        let number = |key: &str| settings.integer(key);
        let minutes = |minutes: i64| minutes * 60 * SECOND;
        range(
            number("retryBackoff"),
            MILLISECOND,
            (1, minutes(5)),
            500 * MILLISECOND,
        )?;
        let allow_ttl = range(number("allowTTL"), SECOND, (SECOND, minutes(30)), minutes(5))?;
        let deny_ttl = range(number("denyTTL"), SECOND, (SECOND, minutes(30)), 30 * SECOND)?;
        Ok(ImagePolicySettings {
            kubeconfig: settings.text("kubeConfigFile").to_owned(),
            allow_ttl,
            deny_ttl,
            allows_by_default: settings.get("defaultAllow") == Some(Value::Bool(true)),
        })
    }

    /// The policy of the service at a URL. Its certificate is checked with a CA bundle, which is base64 of PEM; empty for
    /// the system's.
    #[must_use]
    pub fn at(self, url: String, ca_bundle: String) -> ImagePolicy {
        ImagePolicy {
            client: ClientConfig {
                address: Some(url),
                service: None,
                ca_bundle,
            },
            allow_ttl: self.allow_ttl,
            deny_ttl: self.deny_ttl,
            allows_by_default: self.allows_by_default,
            answers: Mutex::default(),
        }
    }
}

/// A time that is too short or too long, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    least: i64,
    most: i64,
    given: i64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most, given] = [self.least, self.most, self.given].map(GoDuration);
        write!(out, "valid value is between {least} and {most}, got {given}")
    }
}

impl std::error::Error for OutOfRange {}

/// A time in nanoseconds: -1 switches off, 0 is the usual one.
fn range(value: i64, unit: i64, (least, most): (i64, i64), usual: i64) -> Result<i64, OutOfRange> {
    match value {
        -1 => Ok(0),
        0 => Ok(usual),
        value => {
            let given = value.saturating_mul(unit);
            if (least..=most).contains(&given) {
                Ok(given)
            } else {
                Err(OutOfRange { least, most, given })
            }
        }
    }
}

impl ImagePolicy {
    /// The verdict about a spec, remembered or new.
    pub(super) fn ask(&self, server: &dyn Server<'_>, spec: Value<'_>) -> Result<Verdict, String> {
        let key = to_string(spec);
        let now = server.steady();
        if let Some(verdict) = self.remembered(&key, now) {
            return Ok(verdict);
        }
        let (api_version, kind) = KIND;
        let body = format!(
            r#"{{"kind":"{kind}","apiVersion":"{api_version}","metadata":{{}},"spec":{key},"status":{{"allowed":false}}}}"#
        );
        let Some(caller) = server.caller() else {
            return Err("webhooks cannot be called".to_owned());
        };
        let call = Call {
            client: &self.client,
            body,
            timeout: TIMEOUT,
        };
        let called = caller.call(&[call]).into_iter().next();
        let answer = match called.map(|called| called.result) {
            Some(Ok(answer)) => answer,
            Some(Err(error)) => {
                let text = error.to_string();
                let plain = text.strip_prefix("failed to call webhook: ");
                return Err(plain.unwrap_or(&text).to_owned());
            }
            None => return Err("the service was not asked".to_owned()),
        };
        let verdict = verdict(&answer)?;
        let ttl = if verdict.is_allowed {
            self.allow_ttl
        } else {
            self.deny_ttl
        };
        self.remember(key, &verdict, now, ttl);
        Ok(verdict)
    }

    fn remembered(&self, key: &str, now: i128) -> Option<Verdict> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = answers.get(key).filter(|found| found.expires > now)?;
        Some(found.verdict.clone())
    }

    fn remember(&self, key: String, verdict: &Verdict, now: i128, ttl: i64) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= ANSWERS {
            answers.retain(|_, answer| answer.expires > now);
        }
        if answers.len() >= ANSWERS {
            answers.clear();
        }
        let remembered = Remembered {
            verdict: verdict.clone(),
            expires: now + i128::from(ttl),
        };
        answers.insert(key, remembered);
    }
}

/// Reads an answer.
fn verdict(answer: &Answer) -> Result<Verdict, String> {
    if !(200..300).contains(&answer.status) {
        return Err(format!("Error contacting webhook: {}", answer.status));
    }
    let arena = Arena::new();
    let review = kindsmith_json::parse(&arena, &answer.body).map_err(|error| error.to_string())?;
    let status = review.get("status").unwrap_or_default();
    Ok(Verdict {
        is_allowed: status.get("allowed") == Some(Value::Bool(true)),
        reason: status.text("reason").to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use kindsmith_json::parse_str;

    use super::*;

    #[test]
    fn times_have_a_range_and_a_default() {
        for (settings, expected) in [
            (r"{}", Ok((300 * SECOND, 30 * SECOND))),
            (r#"{"allowTTL":-1,"denyTTL":7}"#, Ok((0, 7 * SECOND))),
            (
                r#"{"allowTTL":1801}"#,
                Err("valid value is between 1s and 30m0s, got 30m1s"),
            ),
            (
                r#"{"retryBackoff":300001}"#,
                Err("valid value is between 1ns and 5m0s, got 5m0.001s"),
            ),
        ] {
            let arena = Arena::new();
            let text = arena.alloc_str(&format!(r#"{{"imagePolicy":{settings}}}"#));
            let read = ImagePolicySettings::read(parse_str(&arena, text).expect("JSON"));
            let times = read.map(|read| (read.allow_ttl, read.deny_ttl));
            let times = times.map_err(|error| error.to_string());
            assert_eq!(times, expected.map_err(str::to_owned), "{settings}");
        }
    }
}
