//! Any bytes as JSON and as YAML: reading never panics, and what is written of a value reads as the same text.

#![no_main]

use kindsmith_json::{Arena, parse, parse_str, to_string, write, yaml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    if let Ok(value) = parse(&arena, data) {
        let text = to_string(value);
        // A float without fraction is written as an integer, so it is the text that comes back, not the value.
        let again = parse_str(&arena, arena.alloc_str(&text)).map(to_string);
        assert_eq!(again, Ok(text), "what is written can be read");
    }
    if let Ok(value) = yaml::parse(&arena, arena.alloc_slice_copy(data)) {
        drop(write::to_yaml(value, write::Order::Kept));
    }
});
