//! Any published schema, any live object and any configuration, one line each: nothing panics, managed fields that
//! decode round-trip, and applying again changes nothing as long as some field has an owner.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value, parse, to_string};
use kindsmith_merge::{ConvertError, FieldManager, Topology, Versions, managed};

const VERSION: &str = "g/v";
const NOW: &str = "2026-01-02T03:04:05Z";

struct Kind(Topology);

impl Versions for Kind {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        (api_version == VERSION).then_some(&self.0)
    }

    fn convert<'a>(&self, _: &'a Arena, _: Value<'a>, _: &str) -> Result<Value<'a>, ConvertError> {
        Err(ConvertError::NoSuchVersion)
    }
}

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    let mut lines = data.splitn(3, |byte| *byte == b'\n');
    let mut value = || parse(&arena, lines.next()?).ok();
    let (Some(schema), Some(live), Some(patch)) = (value(), value(), value()) else {
        return;
    };
    let Ok((schema, _)) = kindsmith_openapi::schema::read(schema) else {
        return;
    };
    round_trip(&arena, live);
    let kind = Kind(Topology::of_published(Some(&schema), false));
    let manager = FieldManager {
        versions: &kind,
        api_version: VERSION,
        kind: "K",
        subresource: "",
    };
    let (live, patch) = (typed(&arena, live), typed(&arena, patch));
    drop(
        manager
            .apply(&arena, live, patch, "aa", false, NOW)
            .map_err(|error| error.to_string()),
    );
    if let Ok(once) = manager.apply(&arena, live, patch, "aa", true, NOW) {
        let twice = manager.apply(&arena, once, patch, "aa", true, "2027-01-02T03:04:05Z");
        // When all fields of an item are removed, the rest may no longer fit the schema.
        if let Ok(twice) = twice {
            // An object without owned fields is treated as before its first apply: its fields first get an owner
            // (apimachinery's skipnonapplied.go, Apply).
            if once.lookup(&["metadata", "managedFields"]).is_some() {
                assert_eq!(
                    Format::GO.to_string(once),
                    Format::GO.to_string(twice),
                    "applying again changes nothing"
                );
            }
            let _ = manager.update(&arena, once, twice, "bb", NOW);
        }
    }
    let updated = manager.update(&arena, live, patch, "bb", NOW);
    round_trip(&arena, updated);
});

fn round_trip<'a>(arena: &'a Arena, object: Value<'a>) {
    let list = object.lookup(&["metadata", "managedFields"]);
    let Ok(entries) = managed::decode(arena, list) else {
        return;
    };
    let written = managed::encode(arena, entries);
    let again = managed::decode(arena, written).expect("what was written decodes");
    let rewritten = managed::encode(arena, again);
    assert_eq!(written.map(to_string), rewritten.map(to_string));
}

fn typed<'a>(arena: &'a Arena, mut object: Value<'a>) -> Value<'a> {
    object.set(arena, &["apiVersion"], VERSION.into());
    object.set(arena, &["kind"], "K".into());
    object
}
