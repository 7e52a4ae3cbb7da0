//! The API over HTTP: connections, TLS, identity, limits, metrics.
//!
//! A [`Server`] carries requests to a [`kindsmith_api::Api`] and answers back. It authenticates users and limits
//! concurrent requests; the API decides what is answered. It reads no files: callers pass certificates and tokens.

#![allow(
    clippy::disallowed_methods,
    reason = "the server listens, reads its files and keeps time"
)]

mod asked;
mod audit;
mod authority;
mod body;
mod browser;
mod compress;
mod connection;
mod digest;
mod environment;
mod fairness;
mod front_proxy;
mod gates;
mod handler;
mod identity;
mod large;
mod limits;
mod line;
mod lines;
mod log;
mod memory;
mod meter;
mod metrics;
#[cfg(test)]
mod metrics_page;
mod pace;
mod process;
mod received;
mod reply;
mod signature;
mod slow_watch;
mod stalled;
mod stored;
mod threads;
mod tls;
mod token_signer;
mod webhook;
mod webhook_metrics;
mod window;
mod working;

/// The stack that threads of a server need: walks over values that nest 10,000 levels deep use it.
pub const STACK: usize = 16 << 20;

pub use audit::Audit;
pub use authority::{Authority, Credential};
pub use connection::{Server, Settings};
pub use environment::System;
pub use front_proxy::FrontProxy;
pub use gates::{Gates, SettableGate, UnknownGate};
pub use identity::{Identity, TokenFileError};
pub use limits::Limits;
pub use lines::Lines;
pub use log::Log;
pub use tls::{Tls, TlsError};
pub use token_signer::{ServiceAccountKeys, UnusableKey};
pub use webhook::{Reach, WebhookCaller};
pub use webhook_metrics::WebhookMetrics;
