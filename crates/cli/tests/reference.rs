//! Generated documents are up to date. `UPDATE=1` rewrites them.

use std::path::Path;

use crate::binary;

fn check(document: &str, words: &str) {
    let run = binary::kindsmith(words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    compare(document, &run.stdout);
}

fn compare(document: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(document);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, expected).expect("the document can be written");
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

/// A section for each command, with its help.
#[test]
fn the_command_reference_is_up_to_date() {
    let help = binary::kindsmith("--help").stdout;
    let (_, rest) = help.split_once("Commands:\n").expect("the help lists commands");
    let lines = rest.lines().take_while(|line| !line.trim().is_empty());
    let names = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let mut text = "# Commands\n\nWhat `kindsmith COMMAND --help` prints. Exit status of every command: 0 clean, 1 findings, 2 could not \
                    run.\n"
        .to_owned();
    for name in names.filter(|name| *name != "help") {
        let help = binary::kindsmith(&format!("{name} --help"));
        assert_eq!(help.code, Some(0), "{name}: {}", help.stderr);
        text.push_str(&format!(
            "\n## {name}\n\n```text\n{}\n```\n",
            help.stdout.trim_end()
        ));
    }
    compare("commands.md", &text);
}
