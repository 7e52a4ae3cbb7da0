//! Calls webhooks over HTTPS: TLS with their CA bundle, reused connections, limits on time and size.
//!
//! Uses no proxy and follows no redirects. [`kindsmith_admission`] decides what to send and what a response means.

mod certificate;
mod connection;

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::HeaderValue;
use kindsmith_admission::{Answer, Call, CallError, Called, Caller, ClientConfig};
use kindsmith_gostd::quote::quote;
use tokio::runtime::Handle;

use connection::{Connections, Target};

/// How often a call is retried if the webhook requests it.
const RETRIES: usize = 10;

/// Calls webhooks. Use it on a thread that may block.
#[derive(Debug)]
pub struct WebhookCaller {
    runtime: Handle,
    shared: Arc<Shared>,
}

/// Shared by all calls.
struct Shared {
    connections: Connections,
    resolver: Option<String>,
    reach: Reach,
}

/// Which addresses may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Any.
    Anywhere,
    /// Only public ones: a server that others can reach must not open a way into its own network.
    PublicOnly,
}

impl fmt::Debug for Shared {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl WebhookCaller {
    /// Makes calls on the threads of a runtime. Services are at `resolver`, a host with a port; without it, no service
    /// can be called.
    #[must_use]
    pub fn new(runtime: Handle, resolver: Option<String>, reach: Reach) -> Self {
        WebhookCaller {
            runtime,
            shared: Arc::new(Shared {
                connections: Connections::default(),
                resolver,
                reach,
            }),
        }
    }
}

impl Caller for WebhookCaller {
    fn call(&self, calls: &[Call<'_>]) -> Vec<Called> {
        let tasks: Vec<_> = calls
            .iter()
            .map(|call| {
                let (shared, url) = (Arc::clone(&self.shared), call.url());
                let (client, timeout) = (call.client.clone(), call.timeout);
                let body = Bytes::from(call.body.clone());
                self.runtime
                    .spawn(async move { shared.call(&client, &url, body, timeout).await })
            })
            .collect();
        self.runtime.block_on(async {
            let mut called = Vec::with_capacity(tasks.len());
            for task in tasks {
                called.push(task.await.unwrap_or_else(|error| Called {
                    result: Err(CallError::Transport(error.to_string())),
                    took: Duration::ZERO,
                }));
            }
            called
        })
    }
}

impl Shared {
    async fn call(&self, client: &ClientConfig, url: &str, body: Bytes, timeout: Duration) -> Called {
        let started = Instant::now();
        let result = match tokio::time::timeout(timeout, self.patiently(client, url, body)).await {
            Ok(result) => result,
            Err(_) => Err(Failed::Call("context deadline exceeded".to_owned())),
        };
        Called {
            result: result.map_err(|failed| match failed {
                Failed::Client(why) => CallError::Client(why),
                Failed::Call(why) => CallError::Transport(format!("Post {}: {why}", quote(url))),
            }),
            took: started.elapsed(),
        }
    }

    /// Calls a webhook, and retries as long as it requests that (`withRetry` in client-go's rest/with_retry.go).
    async fn patiently(&self, client: &ClientConfig, url: &str, body: Bytes) -> Result<Answer, Failed> {
        let target = self.target(client, url)?;
        for _ in 0..RETRIES {
            let (answer, retry_after) = self.connections.post(&target, body.clone()).await?;
            let may_retry = answer.status == 429 || answer.status >= 500;
            match retry_after.filter(|_| may_retry) {
                Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
                None => return Ok(answer),
            }
        }
        let (answer, _) = self.connections.post(&target, body).await?;
        Ok(answer)
    }

    fn target(&self, client: &ClientConfig, url: &str) -> Result<Target, Failed> {
        let roots = certificate::roots(&client.ca_bundle).map_err(Failed::Client)?;
        let uri: hyper::Uri = url.parse().map_err(|error| Failed::Call(format!("{error}")))?;
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let address = match &client.service {
            None => (host.clone(), uri.port_u16().unwrap_or(443)),
            Some(service) => {
                let missing = || Failed::Call(format!("service {} not found", quote(&service.name)));
                let resolver = self.resolver.as_deref().ok_or_else(missing)?;
                let (host, port) = resolver.rsplit_once(':').ok_or_else(missing)?;
                let host = host.trim_matches(['[', ']']).to_owned();
                (host, port.parse().map_err(|_| missing())?)
            }
        };
        Ok(Target {
            uri,
            host,
            address,
            ca_bundle: client.ca_bundle.clone(),
            roots,
            reach: match client.service {
                Some(_) => Reach::Anywhere,
                None => self.reach,
            },
        })
    }
}

/// Why a call failed.
enum Failed {
    /// The configuration cannot be used.
    Client(String),
    /// The call itself failed.
    Call(String),
}

impl Reach {
    /// Rejects an address that may not be called.
    fn check(self, address: SocketAddr) -> Result<(), Failed> {
        match self {
            Reach::PublicOnly if is_private(address.ip()) => Err(Failed::Call(format!(
                "dial tcp {address}: webhooks at private addresses are not called by a server that others reach"
            ))),
            _ => Ok(()),
        }
    }
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        IpAddr::V6(address) => {
            let is_local = address.is_unique_local() || address.is_unicast_link_local();
            let mapped = address.to_ipv4_mapped().map(IpAddr::V4);
            address.is_loopback() || address.is_unspecified() || is_local || mapped.is_some_and(is_private)
        }
    }
}

/// The seconds of a `Retry-After` header.
fn retry_after(value: Option<&HeaderValue>) -> Option<u64> {
    value?.to_str().ok()?.trim().parse().ok()
}
