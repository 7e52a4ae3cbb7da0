//! Any patches on any object, one line each: nothing panics, merge patches are idempotent, and results can be written
//! and read.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::sync::LazyLock;

use kindsmith_builtin::types::own_schema;
use kindsmith_json::{Arena, Value, parse, parse_str, to_string};
use kindsmith_merge::patch::{JsonPatch, MergePatch, PatchError, StrategicPatch};
use kindsmith_schema::{TypeId, TypeName};

static DEPLOYMENT: LazyLock<TypeId> = LazyLock::new(|| {
    let name = TypeName::new("k8s.io/api/apps/v1", "Deployment");
    own_schema()
        .find(&name)
        .expect("it is among the server's own types")
});

fuzz_target!(score::Most::each(2_000, 10_000), |data: &[u8]| {
    let arena = Arena::new();
    let mut lines = data.split(|byte| *byte == b'\n');
    let Some(target) = lines.next().and_then(|line| parse(&arena, line).ok()) else {
        return;
    };
    for patch in lines.take(4) {
        let patched = JsonPatch::read(&arena, patch).and_then(|read| read.apply(&arena, target));
        check(patched);
        if let Ok(read) = MergePatch::read(&arena, patch) {
            let once = read.apply(&arena, target);
            assert_eq!(read.apply(&arena, once), once, "a merge patch twice is once");
            check(Ok(once));
        }
        if let Ok(read) = StrategicPatch::read(&arena, patch) {
            drop(read.shown());
            check(read.apply(&arena, target, own_schema(), *DEPLOYMENT));
        }
    }
});

fn check(patched: Result<Value<'_>, PatchError>) {
    match patched {
        Ok(value) => {
            let text = to_string(value);
            let arena = Arena::new();
            assert!(parse_str(&arena, &text).is_ok(), "what is written can be read");
        }
        Err(error) => drop(error.to_string()),
    }
}
