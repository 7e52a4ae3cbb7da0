//! Conversion webhooks of CRDs: who calls them, and what is said when they fail.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kindsmith_admission::{
    Call, CallError, Called, Caller, ClientConfig, ConversionFailure, ConversionWebhook, Observer, Service,
};
use kindsmith_crd::{ConversionError, Converter, Refusal, accept_converted};
use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Object, Value};
use kindsmith_openapi::crd;

use crate::Environment;
use crate::environment::Random;

/// What calls of conversion webhooks need.
#[derive(Clone)]
pub(crate) struct Conversions {
    /// Calls webhooks; without it, calls fail.
    pub(crate) caller: Option<Arc<dyn Caller>>,
    /// Observes calls.
    pub(crate) observer: Option<Arc<dyn Observer>>,
    /// Makes identifiers, and knows the time.
    pub(crate) environment: Arc<dyn Environment>,
}

impl fmt::Debug for Conversions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Conversions").finish_non_exhaustive()
    }
}

impl Conversions {
    /// The converter of a CRD; `None` if only the version's name changes.
    pub(crate) fn converter(&self, definition: &crd::Definition) -> Option<Arc<dyn Converter>> {
        let conversion = definition.spec.conversion.as_ref()?;
        if *conversion.strategy != *"Webhook" {
            return None;
        }
        let webhook = conversion.webhook.as_ref()?;
        let versions = webhook
            .conversion_review_versions
            .iter()
            .map(|version| &**version);
        Some(Arc::new(WebhookConverter {
            webhook: ConversionWebhook::new(client(webhook.client_config.as_ref()?), versions),
            conversions: self.clone(),
        }))
    }
}

/// Where the webhook is. A certificate of only white space counts as absent.
fn client(config: &crd::ClientConfig) -> ClientConfig {
    let service = config.service.as_ref().map(|service| Service {
        namespace: service.namespace.to_string(),
        name: service.name.to_string(),
        path: service.path.as_deref().unwrap_or_default().to_owned(),
        port: service.port.unwrap_or(443).into(),
    });
    ClientConfig {
        address: config.url.as_ref().map(ToString::to_string),
        service,
        ca_bundle: if config.ca_bundle.trim_ascii().is_empty() {
            String::new()
        } else {
            base64::encode(&config.ca_bundle)
        },
    }
}

/// Converts objects by a webhook.
#[derive(Debug)]
struct WebhookConverter {
    webhook: ConversionWebhook,
    conversions: Conversions,
}

impl Converter for WebhookConverter {
    fn convert<'a>(
        &self,
        arena: &'a Arena,
        object: Object<'a>,
        api_version: &str,
    ) -> Result<Object<'a>, ConversionError> {
        match self.observed(arena, &[object], api_version) {
            Ok(mut objects) => objects
                .pop()
                .ok_or_else(|| ConversionError::Converter("no answer".to_owned())),
            Err(failure) => Err(ConversionError::Converter(failure.said_of(object))),
        }
    }

    fn convert_all<'a>(
        &self,
        arena: &'a Arena,
        objects: &[Object<'a>],
        api_version: &str,
    ) -> Option<Vec<Result<Object<'a>, ConversionError>>> {
        match self.observed(arena, objects, api_version) {
            Ok(objects) => Some(objects.into_iter().map(Ok).collect()),
            Err(failure) if failure.is_of_each() => {
                let failures = objects
                    .iter()
                    .map(|object| Err(ConversionError::Converter(failure.said_of(*object))));
                Some(failures.collect())
            }
            Err(_) => None,
        }
    }
}

/// Why objects were not converted.
enum Failure {
    /// The webhook gave no objects.
    Webhook(ConversionFailure),
    /// It gave another number of objects than it was sent.
    Count { given: usize, sent: usize },
    /// An object is not what was asked for.
    Refused(Refusal),
}

impl Failure {
    /// Its type, in the words of metrics.
    fn label(&self) -> &'static str {
        match self {
            Failure::Webhook(ConversionFailure::Answer(_)) => "conversion_webhook_malformed_response_failure",
            Failure::Webhook(_) => "conversion_webhook_call_failure",
            Failure::Count { .. } => "conversion_webhook_partial_response_failure",
            Failure::Refused(_) => "conversion_webhook_invalid_converted_object_failure",
        }
    }

    /// Whether it would be the same for each of the objects alone.
    fn is_of_each(&self) -> bool {
        matches!(
            self,
            Failure::Webhook(ConversionFailure::NoVersion | ConversionFailure::Unreached(_))
        )
    }

    /// The text for the client, if this object was sent.
    fn said_of(&self, object: Object<'_>) -> String {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let whose = format!(
            "conversion webhook for {}, Kind={}",
            text("apiVersion"),
            text("kind")
        );
        match self {
            Failure::Webhook(ConversionFailure::NoVersion) => {
                "no supported conversion review versions".to_owned()
            }
            Failure::Webhook(
                ConversionFailure::Unreached(why)
                | ConversionFailure::Call(why)
                | ConversionFailure::Answer(why),
            ) => format!("{whose} failed: {why}"),
            Failure::Count { given, sent } => format!("{whose} returned {given} objects, expected {sent}"),
            Failure::Refused(Refusal::Undecodable(why)) => why.clone(),
            Failure::Refused(Refusal::Invalid(why)) => format!("{whose} returned {why}"),
        }
    }
}

impl WebhookConverter {
    /// Asks the webhook once, which is counted.
    fn observed<'a>(
        &self,
        arena: &'a Arena,
        objects: &[Object<'a>],
        api_version: &str,
    ) -> Result<Vec<Object<'a>>, Failure> {
        let environment = &*self.conversions.environment;
        let started = environment.steady().nanoseconds_since_1970();
        let converted = self.ask(arena, objects, api_version);
        if let Some(observer) = &self.conversions.observer {
            let passed = environment.steady().nanoseconds_since_1970() - started;
            let took = Duration::from_nanos(u64::try_from(passed).unwrap_or_default());
            observer.converted(converted.as_ref().err().map_or("", Failure::label), took);
        }
        converted
    }

    fn ask<'a>(
        &self,
        arena: &'a Arena,
        objects: &[Object<'a>],
        api_version: &str,
    ) -> Result<Vec<Object<'a>>, Failure> {
        let caller: &dyn Caller = match &self.conversions.caller {
            Some(caller) => &**caller,
            None => &NoCaller,
        };
        let uid = Random(&*self.conversions.environment).uid();
        let asked = self.webhook.ask(arena, caller, &uid, objects, api_version);
        let converted = asked.map_err(Failure::Webhook)?;
        if converted.len() != objects.len() {
            return Err(Failure::Count {
                given: converted.len(),
                sent: objects.len(),
            });
        }
        let pairs = objects.iter().zip(converted);
        pairs
            .map(|(object, converted)| {
                accept_converted(arena, *object, converted, api_version).map_err(Failure::Refused)
            })
            .collect()
    }
}

/// A caller that always fails: for an API without a network.
#[derive(Debug)]
pub(crate) struct NoCaller;

impl Caller for NoCaller {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let failed = |call: &Call<'_>| Called {
            result: Err(CallError::Transport(format!(
                "Post {}: this server makes no calls",
                kindsmith_gostd::quote::quote(&call.url())
            ))),
            took: Duration::ZERO,
        };
        calls.iter().map(failed).collect()
    }
}
