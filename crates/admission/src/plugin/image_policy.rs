//! `ImagePolicyWebhook`: a service decides which images pods may run (plugin/pkg/admission/imagepolicy).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kindsmith_gostd::duration::Duration as GoDuration;
use kindsmith_json::{Arena, Object, Value, to_string};

use super::{Refusal, Review, items, text};
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
    allows_by_default: bool,
    answers: Mutex<HashMap<String, Remembered>>,
}

#[derive(Debug, Clone)]
struct Remembered {
    verdict: Verdict,
    /// When it expires, in nanoseconds.
    expires: i128,
}

#[derive(Debug, Clone, Default)]
struct Verdict {
    is_allowed: bool,
    reason: String,
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
    /// If a time is out of range, in Kubernetes' words (`normalizeConfigDuration`).
    pub fn read(configuration: Value<'_>) -> Result<Self, String> {
        let settings = configuration.get("imagePolicy").unwrap_or_default();
        let number = |key: &str| settings.get(key).and_then(Value::as_i64).unwrap_or_default();
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
            kubeconfig: text(settings, &["kubeConfigFile"]).to_owned(),
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

/// A time in nanoseconds: -1 switches off, 0 is the usual one.
fn range(value: i64, unit: i64, (least, most): (i64, i64), usual: i64) -> Result<i64, String> {
    match value {
        -1 => Ok(0),
        0 => Ok(usual),
        value => {
            let value = value.saturating_mul(unit);
            if (least..=most).contains(&value) {
                Ok(value)
            } else {
                Err(format!(
                    "valid value is between {} and {}, got {}",
                    GoDuration(least),
                    GoDuration(most),
                    GoDuration(value)
                ))
            }
        }
    }
}

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let lists: &[&str] = if review.is_of("", "pods", "") {
        &["containers", "initContainers"]
    } else if review.is_of("", "pods", "ephemeralcontainers") {
        &["ephemeralContainers"]
    } else {
        return Ok(());
    };
    let Some(policy) = &review.plugins.image_policy else {
        return Ok(());
    };
    let verdict = policy.ask(review, spec(review, pod, lists));
    let verdict = match verdict {
        Ok(verdict) => verdict,
        // Kubernetes also notes this in the audit log.
        Err(_) if policy.allows_by_default => return Ok(()),
        Err(why) => return Err(Refusal::Forbidden(why)),
    };
    match (verdict.is_allowed, &*verdict.reason) {
        (true, _) => Ok(()),
        (false, "") => Err(Refusal::Forbidden(
            "one or more images rejected by webhook backend".to_owned(),
        )),
        (false, reason) => Err(Refusal::Forbidden(format!(
            "image policy webhook backend denied one or more images: {reason}"
        ))),
    }
}

/// What the service is asked.
fn spec<'a>(review: &Review<'_, 'a>, pod: Value<'a>, lists: &[&str]) -> Value<'a> {
    let arena = review.arena;
    let containers = lists.iter().flat_map(|key| items(pod.lookup(&["spec", key])));
    let images: Vec<Value<'a>> = containers
        .map(|container| {
            let mut image = Value::Object(Object::EMPTY);
            let name = text(*container, &["image"]);
            if !name.is_empty() {
                image.set(arena, &["image"], Value::Str(name));
            }
            image
        })
        .collect();
    let mut spec = Value::Object(Object::EMPTY);
    if !images.is_empty() {
        spec.set(
            arena,
            &["containers"],
            Value::Array(arena.alloc_slice_copy(&images)),
        );
    }
    let annotations = pod.lookup(&["metadata", "annotations"]);
    let annotations = annotations.and_then(Value::as_object).unwrap_or_default();
    let mut own: Vec<(&'a str, Value<'a>)> = annotations
        .into_iter()
        .filter(|(key, _)| key.contains(".image-policy.k8s.io/"))
        .collect();
    own.sort_unstable_by_key(|(key, _)| *key);
    for (key, value) in own {
        spec.set(arena, &["annotations", key], value);
    }
    spec.set(arena, &["namespace"], Value::Str(review.request.namespace));
    spec
}

impl ImagePolicy {
    /// The verdict about a spec, remembered or new.
    fn ask(&self, review: &Review<'_, '_>, spec: Value<'_>) -> Result<Verdict, String> {
        let key = to_string(spec);
        let now = review.server.steady();
        if let Some(verdict) = self.remembered(&key, now) {
            return Ok(verdict);
        }
        let (api_version, kind) = KIND;
        let body = format!(
            r#"{{"kind":"{kind}","apiVersion":"{api_version}","metadata":{{}},"spec":{key},"status":{{"allowed":false}}}}"#
        );
        let Some(caller) = review.server.caller() else {
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
        reason: text(status, &["reason"]).to_owned(),
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
            assert_eq!(times, expected.map_err(str::to_owned), "{settings}");
        }
    }
}
