//! The API over HTTP: connections, TLS, identity, limits, metrics.
//!
//! A [`Server`] carries requests to a [`kindsmith_api::Api`] and answers back. It decides who asks and how many may ask
//! at once; what is answered is the API's business. Files are the caller's: certificates and tokens are given.

mod audit;
mod authority;
mod body;
mod compress;
mod connection;
mod environment;
mod fairness;
mod gates;
mod handler;
mod identity;
mod line;
mod log;
mod metrics;
mod tls;
mod webhook;

pub use audit::Audit;
pub use authority::{Authority, Credential};
pub use connection::{Server, Settings};
pub use environment::System;
pub use fairness::Limits;
pub use gates::{Gate, Gates, Stage, UnknownGate};
pub use identity::{Identity, TokenFileError};
pub use log::Log;
pub use tls::TlsError;
pub use webhook::{Reach, WebhookCaller};
