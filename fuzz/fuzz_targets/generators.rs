//! Any text as a Go package of types. Covers the way from struct tags and comments to every output.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

#[path = "shared/outputs.rs"]
mod outputs;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        outputs::check(text);
    }
});
