//! Types made at random: their CRD and the types themselves agree on every write, as Kubernetes and as the KEPs read tags.

use super::*;
use kindsmith_testkit::random_types::{Draw, OTHER_TYPES, RandomType};
use kindsmith_testkit::tool::say;
use proptest::strategy::ValueTree;

/// How many types are tried; `KINDSMITH_RANDOM_TYPES` asks for more.
const TYPES: usize = 150;

/// A random type as the root of a source.
pub(super) fn source(draw: &mut Draw) -> String {
    RandomType::new(draw, "T").declaration + OTHER_TYPES
}

/// Writes of a type that were compared.
fn compared(both: &Both, runner: &mut TestRunner, source: &str) -> usize {
    let mut count = 0;
    let told = |error: TestCaseError| panic!("{source}\n{error}");
    for _ in 0..4 {
        let object = objects(&both.schema, WORDS)
            .new_tree(runner)
            .expect("an object")
            .current();
        agree(both, &object, None).unwrap_or_else(told);
        count += 1;
    }
    for _ in 0..12 {
        let (new, old) = changes(&both.schema, WORDS)
            .new_tree(runner)
            .expect("two objects")
            .current();
        let arena = Arena::new();
        if both.published(both.stored(&arena, &old), None).is_empty() {
            agree(both, &new, Some(&old)).unwrap_or_else(told);
            count += 1;
        }
    }
    count
}

#[test]
fn random_types_agree() {
    let wanted = std::env::var("KINDSMITH_RANDOM_TYPES")
        .ok()
        .and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(TYPES);
    let mut draw = Draw(7);
    let mut runner = runner(1);
    let (mut types, mut writes, mut unsaid) = (0, 0, 0);
    while types < wanted {
        let source = source(&mut draw);
        let Some(read) = super::clean(&source) else {
            continue;
        };
        types += 1;
        for profile in [checks::Profile::Upstream, checks::Profile::Kep] {
            match Both::of(&read, profile) {
                Some(both) => writes += compared(&both, &mut runner, &source),
                // A rule that a CRD cannot express is reported, not compared.
                None => unsaid += 1,
            }
        }
    }
    say(&format!(
        "{types} types, {writes} writes agree; {unsaid} times a CRD cannot say all"
    ));
    assert!(writes > 10 * wanted, "{writes} writes of {types} types");
    assert!(unsaid < types / 4, "{unsaid} of {types}");
}
