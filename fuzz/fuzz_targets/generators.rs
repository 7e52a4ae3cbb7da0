//! Any text as a Go package of types. Covers the way from struct tags and comments to every output.

#![no_main]

#[path = "shared/outputs.rs"]
mod outputs;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        outputs::check(text);
    }
});
