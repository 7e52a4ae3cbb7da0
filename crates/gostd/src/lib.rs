//! What Go's standard library does to text: numbers, quoting, durations, times, addresses, URLs, regular
//! expressions, certificates in DER and PEM; and [`budget`].
//!
//! One module per Go package or part of one. Text goes in, a value or an error comes out; where Go prints an
//! error, the error here prints the same characters. Must not know Kubernetes.

pub mod base64;
pub mod budget;
pub mod cidr;
pub mod der;
pub mod duration;
pub mod float;
pub mod hex;
pub mod ip;
pub mod pem;
pub mod quote;
pub mod regexp;
pub mod strconv;
pub mod time;
pub mod token;
pub mod url;
pub mod utf8;
pub mod x509;
