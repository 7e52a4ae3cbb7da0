//! Conversion webhooks: sends a `ConversionReview` for one or more objects and checks the response (`webhookConverter` in
//! apiextensions-apiserver's pkg/apiserver/conversion/webhook_converter.go).
//!
//! Whether the converted objects are valid is checked by the caller.

use std::time::Duration;

use kindsmith_json::{Arena, Object, Value};

use crate::caller::{Call, CallError, Caller};
use crate::envelope::{self, present, text, unfit};
use crate::setting::ReviewVersion;
use crate::{ClientConfig, http_error};

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "ConversionReview";

/// The timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The conversion webhook of a CRD.
#[derive(Debug, Clone)]
pub struct ConversionWebhook {
    client: ClientConfig,
    /// The review version: the first supported one in its list.
    version: Option<ReviewVersion>,
}

/// Why there are no converted objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConversionFailure {
    /// The webhook supports no review version that this server knows.
    NoVersion,
    /// The webhook cannot be reached, or does not answer: whatever was sent.
    Unreached(String),
    /// The webhook answers with an error, or with something else than a review.
    Call(String),
    /// The response is invalid, or reports that the conversion failed.
    Answer(String),
}

impl ConversionWebhook {
    /// A webhook with its review versions, the preferred one first.
    pub fn new<'v>(client: ClientConfig, versions: impl IntoIterator<Item = &'v str>) -> Self {
        ConversionWebhook {
            client,
            version: versions.into_iter().find_map(ReviewVersion::named),
        }
    }

    /// Sends objects for conversion and returns the converted objects.
    ///
    /// # Errors
    ///
    /// If the conversion failed.
    pub fn ask<'a>(
        &self,
        arena: &'a Arena,
        caller: &dyn Caller,
        uid: &str,
        objects: &[Object<'a>],
        api_version: &str,
    ) -> Result<Vec<Value<'a>>, ConversionFailure> {
        let version = self.version.ok_or(ConversionFailure::NoVersion)?;
        let call = Call {
            client: &self.client,
            body: request(version, uid, objects, api_version),
            timeout: TIMEOUT,
        };
        let called = caller.call(std::slice::from_ref(&call)).pop();
        let answer = match called.map(|called| called.result) {
            Some(Ok(answer)) => answer,
            Some(Err(CallError::Client(why) | CallError::Transport(why))) => {
                return Err(ConversionFailure::Unreached(why));
            }
            None => return Err(ConversionFailure::Unreached("no answer".to_owned())),
        };
        let body = http_error::body_of(&answer).map_err(ConversionFailure::Call)?;
        let review = envelope::decode(arena, body, KIND, GROUP, version).map_err(ConversionFailure::Call)?;
        let given = Given::read(review, version).map_err(ConversionFailure::Call)?;
        converted(review, given, version, uid).map_err(ConversionFailure::Answer)
    }
}

/// The review as JSON. Like the reference, it includes an empty `response`.
fn request(version: ReviewVersion, uid: &str, objects: &[Object<'_>], api_version: &str) -> String {
    let quoted = |text: &str| kindsmith_json::to_string(Value::Str(text));
    let mut text = format!(
        "{{\"kind\":\"{KIND}\",\"apiVersion\":\"{GROUP}/{}\",\"request\":{{\"uid\":{},\"desiredAPIVersion\":{},\
         \"objects\":[",
        version.name(),
        quoted(uid),
        quoted(api_version),
    );
    for (index, object) in objects.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&kindsmith_json::to_string(Value::Object(*object)));
    }
    text.push_str("]},\"response\":{\"uid\":\"\",\"convertedObjects\":null,\"result\":{\"metadata\":{}}}}");
    text
}

/// The `response` of a review, unchecked.
struct Given<'a> {
    uid: String,
    status: String,
    message: String,
    objects: &'a [Value<'a>],
}

impl<'a> Given<'a> {
    fn read(review: Value<'a>, version: ReviewVersion) -> Result<Option<Self>, String> {
        let Some(response) = present(review.get("response")) else {
            return Ok(None);
        };
        if response.as_object().is_none() {
            let ty = format!("{}.ConversionResponse", version.name());
            return Err(unfit(response, "ConversionReview.response", &ty));
        }
        let name = |key: &str| format!("ConversionResponse.response.{key}");
        let result = present(response.get("result"));
        if let Some(result) = result.filter(|result| result.as_object().is_none()) {
            return Err(unfit(result, &name("result"), "v1.Status"));
        }
        let of_result = |key: &str| {
            let value = present(result.and_then(|result| result.get(key)));
            text(value, &format!("Status.response.result.{key}"), "string")
        };
        Ok(Some(Given {
            uid: text(present(response.get("uid")), &name("uid"), "types.UID")?,
            objects: match present(response.get("convertedObjects")) {
                None => &[],
                Some(Value::Array(objects)) => objects,
                Some(other) => {
                    return Err(unfit(other, &name("convertedObjects"), "[]runtime.RawExtension"));
                }
            },
            status: of_result("status")?,
            message: of_result("message")?,
        }))
    }
}

/// The objects of a valid response. v1beta1 has fewer rules.
fn converted<'a>(
    review: Value<'a>,
    given: Option<Given<'a>>,
    version: ReviewVersion,
    uid: &str,
) -> Result<Vec<Value<'a>>, String> {
    if version == ReviewVersion::V1 {
        envelope::check_kind(review, KIND, GROUP)?;
    }
    let given = given.ok_or("no response provided")?;
    if version == ReviewVersion::V1 {
        envelope::check_uid(uid, &given.uid)?;
    }
    match (&*given.status, &*given.message) {
        ("Success", _) => Ok(given.objects.to_vec()),
        (status, "") => Err(format!("response.result.status was '{status}', not 'Success'")),
        (_, message) => Err(message.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caller::{Answer, Called};

    /// Answers every call the same.
    #[derive(Debug)]
    struct Scripted(u16, &'static str);

    impl Caller for Scripted {
        fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
            let answer = |call: &Call<'_>| Called {
                result: match self.0 {
                    0 => Err(CallError::Transport(format!("Post \"{}\": EOF", call.url()))),
                    status => Ok(Answer {
                        status,
                        content_type: "application/json".to_owned(),
                        body: self.1.as_bytes().to_vec(),
                    }),
                },
                took: Duration::ZERO,
            };
            calls.iter().map(answer).collect()
        }
    }

    fn ask(versions: &[&str], caller: &Scripted) -> Result<String, ConversionFailure> {
        let client = ClientConfig {
            address: Some("https://hook.example/c".to_owned()),
            service: None,
            ca_bundle: String::new(),
        };
        let arena = Arena::new();
        let object = kindsmith_json::parse_str(&arena, r#"{"kind":"Thing"}"#).expect("JSON");
        let object = object.as_object().expect("an object");
        let webhook = ConversionWebhook::new(client, versions.iter().copied());
        let objects = webhook.ask(&arena, caller, "u1", &[object], "g/v2")?;
        Ok(kindsmith_json::to_string(Value::Array(
            arena.alloc_slice_copy(&objects),
        )))
    }

    fn check(version: &str, answer: &'static str, expected: Result<&str, ConversionFailure>) {
        let found = ask(&[version], &Scripted(200, answer));
        assert_eq!(found, expected.map(str::to_owned), "{version} {answer}");
    }

    fn failed(why: &str) -> Result<&'static str, ConversionFailure> {
        Err(ConversionFailure::Answer(why.to_owned()))
    }

    fn undecodable(why: &str) -> Result<&'static str, ConversionFailure> {
        Err(ConversionFailure::Call(why.to_owned()))
    }

    const V1: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":"#;

    /// An answer of version 1 with this response, kept for as long as the tests run.
    fn v1(response: &str) -> &'static str {
        Box::leak(format!("{V1}{response}}}").into_boxed_str())
    }

    #[test]
    fn objects_of_a_successful_answer_are_taken() {
        let answer = v1(r#"{"uid":"u1","result":{"status":"Success"},"convertedObjects":[{"a":1},null]}"#);
        check("v1", answer, Ok(r#"[{"a":1},null]"#));
        check(
            "v1",
            v1(r#"{"uid":"u1","result":{"status":"Success"},"convertedObjects":null}"#),
            Ok("[]"),
        );
    }

    #[test]
    fn version_1_is_strict_about_its_envelope() {
        check(
            "v1",
            r#"{"response":{"uid":"u1","result":{"status":"Success"}}}"#,
            failed(
                "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=",
            ),
        );
        check("v1", v1("null"), failed("no response provided"));
        check(
            "v1",
            v1(r#"{"uid":"u2","result":{"status":"Success"}}"#),
            failed("expected response.uid=\"u1\", got \"u2\""),
        );
        check("v1", v1("{}"), failed("expected response.uid=\"u1\", got \"\""));
    }

    #[test]
    fn version_1beta1_is_not() {
        check(
            "v1beta1",
            r#"{"response":{"result":{"status":"Success"},"convertedObjects":[7]}}"#,
            Ok("[7]"),
        );
        check("v1beta1", "{}", failed("no response provided"));
        check(
            "v1beta1",
            v1("{}"),
            undecodable("converting (v1.ConversionReview) to (v1beta1.ConversionReview): unknown conversion"),
        );
    }

    #[test]
    fn failures_say_why() {
        let check = |result: &str, why: &str| {
            check(
                "v1",
                v1(&format!(r#"{{"uid":"u1","result":{result}}}"#)),
                failed(why),
            );
        };
        check(r#"{"status":"Failed","message":"not today"}"#, "not today");
        check(
            r#"{"status":"Failed"}"#,
            "response.result.status was 'Failed', not 'Success'",
        );
        check("{}", "response.result.status was '', not 'Success'");
        check("null", "response.result.status was '', not 'Success'");
    }

    #[test]
    fn answers_of_another_type_are_none() {
        check(
            "v1",
            r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReport"}"#,
            undecodable(
                "no kind \"ConversionReport\" is registered for version \"apiextensions.k8s.io/v1\" in scheme \
                 \"k8s.io/apiserver/pkg/util/webhook/client.go:74\"",
            ),
        );
        check(
            "v1",
            v1(r#"{"convertedObjects":{}}"#),
            undecodable(
                "json: cannot unmarshal object into Go struct field ConversionResponse.response.convertedObjects of \
                 type []runtime.RawExtension",
            ),
        );
    }

    #[test]
    fn calls_that_fail_say_how() {
        let check = |caller, why| assert_eq!(ask(&["v1"], &caller), undecodable(why).map(str::to_owned));
        let unreached = "Post \"https://hook.example/c?timeout=30s\": EOF".to_owned();
        assert_eq!(
            ask(&["v1"], &Scripted(0, "")),
            Err(ConversionFailure::Unreached(unreached))
        );
        check(
            Scripted(404, "nothing"),
            "the server could not find the requested resource",
        );
        check(
            Scripted(200, ""),
            "0-length response with status code: 200 and content type: application/json",
        );
    }

    #[test]
    fn the_first_version_that_is_known_is_spoken() {
        let found = ask(&["v9"], &Scripted(200, "{}"));
        assert_eq!(found, Err(ConversionFailure::NoVersion));
        let answer = v1(r#"{"uid":"u1","result":{"status":"Success"}}"#);
        assert_eq!(
            ask(&["v9", "v1", "v1beta1"], &Scripted(200, answer)),
            Ok("[]".to_owned())
        );
    }
}
