//! Text forms of scalars as Go and Kubernetes define them: what a text means, which texts are refused, and with
//! which words.
//!
//! One module per form. Nothing here knows Kubernetes objects, schemas or files: text goes in, a value or a
//! reason comes out. Where Go or Kubernetes prints an error, the error here prints the same characters.

pub mod base64;
pub mod cidr;
pub mod duration;
pub mod float;
pub mod format;
pub mod ip;
pub mod named;
pub mod nearest;
pub mod quantity;
pub mod quote;
pub mod regexp;
pub mod semver;
pub mod strconv;
pub mod strfmt;
pub mod time;
pub mod url;
pub mod utf8;
pub mod uuid;
