//! Any published schema and any objects, new and old, one line each: no pass panics, the combined walk equals the
//! separate passes, and each pass is idempotent.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_json::{Arena, Path, Value, parse};
use kindsmith_object::NoTrace;
use kindsmith_object::meta::Malformed;
use kindsmith_structural::{Coercion, StructuralChange, StructuralSchema};

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    let mut lines = data.splitn(3, |byte| *byte == b'\n');
    let mut value = || parse(&arena, lines.next()?).ok();
    let Some((schema, object)) = value().zip(value()) else {
        return;
    };
    let Ok((schema, _)) = kindsmith_openapi::schema::read(schema) else {
        return;
    };
    let Ok(structure) = StructuralSchema::serve(&schema, kindsmith_cel::dialect::Dialect::default()) else {
        return;
    };
    let coerce = |malformed, object| {
        let how = Coercion {
            resource: false,
            malformed,
            unknown: None,
        };
        structure.coerce(&arena, object, &Path::NIL, how)
    };
    let pruned = structure.prune(&arena, object, true);
    assert_eq!(
        structure.prune(&arena, pruned, true),
        pruned,
        "pruning is idempotent"
    );
    let clean = structure.remove_nulls(&arena, pruned);
    let filled = structure.default(&arena, clean);
    assert_eq!(
        structure.default(&arena, filled),
        filled,
        "defaulting is idempotent"
    );
    assert_eq!(
        structure.settle(&arena, object, true, &mut NoTrace),
        filled,
        "one walk is all three"
    );
    drop(coerce(Malformed::Refuse, filled));
    let coerced = coerce(Malformed::Drop, filled).expect("nothing is refused");
    validate(&structure, coerced, value());
});

fn validate(structure: &StructuralSchema, new: Value<'_>, old: Option<Value<'_>>) {
    let change = match old {
        Some(old) => StructuralChange::update(new, old),
        None => StructuralChange::create(new),
    };
    for error in structure.validate(&change).errors {
        drop(error.to_string());
    }
}
