//! Answers of the playground: one request with everything that is typed, one answer with everything that is shown.
//! Pure functions over texts; *must not know* files, sockets, clocks, or how answers are shown.
//!
//! The page asks [`Session::answer`] after every keystroke: as WebAssembly in the page itself (the functions in `wasm`), or
//! over HTTP from `kindsmith play`.

mod api;
mod cluster;
mod comparison;
mod document;
mod finding;
mod mutation;
mod outputs;
mod request;
mod response;
mod review;
mod rules;
mod session;
mod utf16;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use session::Session;

/// The answer to one request, both as JSON. [`Session`] gives the same answers faster, if there are several.
///
/// ```
/// let request = r#"{"object": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {b: 1}\n"}"#;
/// let answer: serde_json::Value = serde_json::from_str(&kindsmith_playground::answer(request))?;
/// assert_eq!(answer["verdict"], "rejected");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn answer(request: &str) -> String {
    Session::default().answer(request)
}
