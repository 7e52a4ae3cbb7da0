//! Generated documents are up to date. `UPDATE=1` rewrites them.

use std::path::Path;

use crate::binary;

fn check(document: &str, words: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(document);
    let run = binary::kindsmith(words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = run.stdout;
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, &expected).expect("the document can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/{document} is stale: run `UPDATE=1 cargo test -p kindsmith-cli --test it reference`"
    );
}

#[test]
fn the_tag_reference_is_up_to_date() {
    check("tags.md", "tags -o markdown");
}

#[test]
fn the_rule_reference_is_up_to_date() {
    check("rules.md", "rules -o markdown");
}
