//! The words of Go enums: the constants of a string type.

use std::collections::HashMap;
use std::sync::OnceLock;

use kindsmith_schema::Type;

use super::own_schema;

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

fn of(name: &str) -> &'static Words {
    static ENUMS: OnceLock<HashMap<String, Words>> = OnceLock::new();
    static NONE: Words = Words {
        sorted: Vec::new(),
        declared: Vec::new(),
    };
    let enums = ENUMS.get_or_init(|| {
        let types = own_schema().types().filter(|(_, ty)| !ty.constants.is_empty());
        types.map(|(_, ty)| (key(ty), read(ty))).collect()
    });
    let found = enums.get(name);
    debug_assert!(found.is_some(), "{name} has no constants");
    found.unwrap_or(&NONE)
}

/// Group, version and type, without the path of the module.
fn key(ty: &Type) -> String {
    let mut parts = ty.name.package.rsplitn(3, '/');
    let (version, group) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{group}/{version}.{}", ty.name.name)
}

fn read(ty: &'static Type) -> Words {
    let values = ty.constants.iter().filter_map(|constant| constant.value.as_ref());
    // No word has characters that JSON escapes.
    let texts = values.filter_map(|value| value.as_str().strip_prefix('"')?.strip_suffix('"'));
    let declared: Vec<&str> = texts.filter(|word| !word.is_empty()).collect();
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
