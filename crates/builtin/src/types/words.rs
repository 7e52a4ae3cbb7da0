//! The words of Go enums: the constants of a string type.

use std::sync::{LazyLock, OnceLock};

use kindsmith_schema::Type;

use super::{own_schema, own_type};

/// The words of an enum such as `core/v1.Protocol`, sorted, as most messages list them. An empty constant means no choice, so it
/// is left out.
pub(crate) fn words(name: &str) -> &'static [&'static str] {
    &of(name).sorted
}

/// The words of an enum in the order of their declaration.
pub(crate) fn declared(name: &str) -> &'static [&'static str] {
    &of(name).declared
}

struct Words {
    sorted: Vec<&'static str>,
    declared: Vec<&'static str>,
}

/// Each enum is read when its words are first wanted, by the index of its type.
fn of(name: &str) -> &'static Words {
    static ENUMS: LazyLock<Vec<OnceLock<Words>>> =
        LazyLock::new(|| (0..own_schema().types().len()).map(|_| OnceLock::new()).collect());
    static NONE: Words = Words {
        sorted: Vec::new(),
        declared: Vec::new(),
    };
    let found = own_type(name);
    debug_assert!(found.is_some(), "{name} is no type");
    found.map_or(&NONE, |id| {
        ENUMS[id.index()].get_or_init(|| read(own_schema().ty(id)))
    })
}

fn read(ty: &'static Type) -> Words {
    let values = ty.constants.iter().filter_map(|constant| constant.value.as_ref());
    // No word has characters that JSON escapes.
    let texts = values.filter_map(|value| value.as_str().strip_prefix('"')?.strip_suffix('"'));
    let declared: Vec<&str> = texts.filter(|word| !word.is_empty()).collect();
    debug_assert!(!declared.is_empty(), "{} has no constants", ty.name);
    let mut sorted = declared.clone();
    sorted.sort_unstable();
    Words { sorted, declared }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::of;

    /// Texts in the calls of a function.
    fn named<'s>(source: &'s str, call: &str) -> Vec<&'s str> {
        let parts = source.split(call).skip(1);
        parts.filter_map(|rest| rest.split('"').next()).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "it reads the sources of this crate")]
    fn check(directory: &Path) {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                check(&path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("text");
            for call in [r#" words(""#, r#"declared(""#, r#"OneOf(""#] {
                for name in named(&source, call) {
                    assert!(!of(name).sorted.is_empty(), "{}: {name}", path.display());
                }
            }
        }
    }

    #[test]
    fn every_enum_that_code_names_has_words() {
        for room in ["dual_run", "kind", "part", "pod"] {
            check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room));
        }
    }
}
