//! Calls webhooks over HTTPS: TLS with their CA bundle, reused connections, limits on time and size.
//!
//! No proxy is used; redirects are followed, but only to HTTPS. What is sent and what an answer means is the business of
//! [`kindsmith_admission`].

mod certificate;
mod connection;
mod redirect;
mod system_roots;

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::HeaderValue;
use kindsmith_admission::{Answer, Call, CallError, Called, Caller, ClientConfig};
use kindsmith_gostd::quote::quote;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;

use crate::working;
use connection::{Connections, Sent, Target};
use redirect::Redirect;

/// How often a call is retried if the webhook requests it.
const RETRIES: usize = 10;

/// How many requests are made for one call, redirects included.
const REDIRECTS: usize = 10;

/// How much work that nobody waits for is done at once.
const LATER: usize = 32;

/// Calls webhooks. Must be called from a thread that may wait.
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
    /// Permits for work that nobody waits for.
    later: Arc<Semaphore>,
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
                later: Arc::new(Semaphore::new(LATER)),
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
        let all = async {
            let mut called = Vec::with_capacity(tasks.len());
            for task in tasks {
                called.push(task.await.unwrap_or_else(|error| Called {
                    result: Err(CallError::Transport(error.to_string())),
                    took: Duration::ZERO,
                }));
            }
            called
        };
        let wait = || working::wait(&self.runtime, || self.runtime.block_on(all));
        match self.runtime.runtime_flavor() {
            // A worker that waits here hands its tasks to another one.
            RuntimeFlavor::MultiThread => tokio::task::block_in_place(wait),
            _ => wait(),
        }
    }

    fn later(&self, work: Box<dyn FnOnce() + Send>) {
        if let Ok(permit) = Arc::clone(&self.shared.later).try_acquire_owned() {
            self.runtime.spawn_blocking(move || {
                work();
                drop(permit);
            });
        }
    }
}

impl Shared {
    async fn call(&self, client: &ClientConfig, url: &str, body: Bytes, timeout: Duration) -> Called {
        let started = Instant::now();
        let at = At(Mutex::new(url.to_owned()));
        let result = match tokio::time::timeout(timeout, self.patiently(client, url, body, &at)).await {
            Ok(result) => result,
            Err(_) => Err(Failed::Call("context deadline exceeded".to_owned())),
        };
        Called {
            result: result.map_err(|failed| match failed {
                Failed::Client(why) => CallError::Client(why),
                Failed::Call(why) => CallError::Transport(format!("Post {}: {why}", quote(&at.get()))),
            }),
            took: started.elapsed(),
        }
    }

    /// Calls a webhook, and retries as long as it requests that (`withRetry` in client-go's rest/with_retry.go).
    async fn patiently(
        &self,
        client: &ClientConfig,
        url: &str,
        body: Bytes,
        at: &At,
    ) -> Result<Answer, Failed> {
        let mut retries = 0;
        loop {
            let (answer, retry_after) = self.follow(client, url, body.clone(), at).await?;
            let may_retry = (answer.status == 429 || answer.status >= 500) && retries < RETRIES;
            match retry_after.filter(|_| may_retry) {
                Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
                None => return Ok(answer),
            }
            retries += 1;
        }
    }

    /// Calls, and follows redirects.
    async fn follow(
        &self,
        client: &ClientConfig,
        url: &str,
        body: Bytes,
        at: &At,
    ) -> Result<(Answer, Option<u64>), Failed> {
        at.set(url.to_owned());
        let mut target = self.target(client, url)?;
        let mut sent = Sent {
            body: Some(body),
            referer: None,
        };
        for hop in 0..REDIRECTS {
            if hop > 0 {
                at.set(target.uri.to_string());
            }
            let posted = self.connections.send(&target, &sent).await?;
            let redirect = Redirect::of(posted.answer.status);
            let (Some(redirect), Some(location)) = (redirect, posted.location) else {
                return Ok((posted.answer, posted.retry_after));
            };
            if redirect == Redirect::Get {
                sent.body = None;
            }
            sent.referer = Some(target.uri.to_string());
            // Go names the header's text where it stops, and the whole URL where a call fails.
            at.set(location.clone());
            target = self.redirected(client, &target, &location)?;
        }
        Err(Failed::Call(format!("stopped after {REDIRECTS} redirects")))
    }

    /// Where a redirect leads.
    fn redirected(&self, client: &ClientConfig, from: &Target, location: &str) -> Result<Target, Failed> {
        let url = redirect::resolve(&from.uri, location);
        if !url.starts_with("https://") {
            return Err(Failed::Call("a webhook is only called by https".to_owned()));
        }
        if client.service.is_none() {
            return self.target(client, &url);
        }
        let elsewhere = ClientConfig {
            service: client
                .service
                .clone()
                .filter(|_| is_same_host(&client.url(), &url)),
            ..client.clone()
        };
        // Every host that a service leads to must have the certificate of the service.
        Ok(Target {
            host: from.host.clone(),
            ..self.target(&elsewhere, &url)?
        })
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

/// The URL that is being called, for errors.
struct At(Mutex<String>);

impl At {
    fn set(&self, url: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = url;
    }

    fn get(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Whether two URLs have the same host and port.
fn is_same_host(one: &str, other: &str) -> bool {
    let address = |url: &str| {
        let uri: hyper::Uri = url.parse().ok()?;
        Some((uri.host()?.to_owned(), uri.port_u16().unwrap_or(443)))
    };
    address(one) == address(other)
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
                "dial tcp {address}: a server that others can reach does not call webhooks at private addresses \
                 without --private-webhooks"
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
                || matches!(address.octets(), [0, ..] | [100, 64..=127, ..])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known() {
        let check = |address: &str, expected: bool| {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_private(address), expected, "{address}");
        };
        let private = "127.0.0.1 10.1.2.3 192.168.0.1 172.16.0.1 169.254.169.254 0.0.0.0 0.1.2.3 100.64.0.1 ::1 :: \
                       fd00::1 fe80::1 ::ffff:10.0.0.1";
        private
            .split_whitespace()
            .for_each(|address| check(address, true));
        let public = "8.8.8.8 100.128.0.1 172.32.0.1 2001:db8::1 ::ffff:8.8.8.8";
        public
            .split_whitespace()
            .for_each(|address| check(address, false));
    }
}
