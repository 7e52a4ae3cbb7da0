//! A project that `init` writes passes its own checks.

use crate::binary::{kindsmith, kindsmith_in};
use crate::check_gate::Folder;

/// Writes a project, then runs these commands in it.
fn check(name: &str, words: &str, commands: &[&str]) {
    let folder = Folder::new(name, &[("notes.txt", "")]);
    let run = kindsmith_in(folder.path(), &format!("init {words}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for command in commands {
        let run = kindsmith_in(folder.path(), command);
        assert_eq!(
            run.code,
            Some(0),
            "kindsmith {command}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let again = kindsmith_in(folder.path(), &format!("init {words}"));
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("exists"), "{}", again.stderr);
    // The commands of the Makefile are those above.
    let makefile = std::fs::read_to_string(folder.path().join("Makefile")).expect("a Makefile");
    let lines = makefile
        .lines()
        .filter_map(|line| line.strip_prefix("\t$(KINDSMITH) "));
    for line in lines {
        assert!(commands.contains(&line), "{line} is not tried");
    }
}

#[test]
fn go_types_pass_their_checks() {
    check(
        "init_go",
        "--kind Bed --group garden.example.org",
        &[
            "lint ./api/...",
            "test tests",
            "check examples --types ./api/v1",
            "gen object ./api/...",
            "gen crd ./api/... --out config/crd",
            "check examples --crds config/crd",
        ],
    );
}

#[test]
fn a_crd_passes_its_checks() {
    check(
        "init_crd",
        "--crd",
        &["check crds", "test tests", "check examples --crds crds"],
    );
}

/// `examples/rust/run` compiles such a project.
#[test]
fn the_crd_of_rust_types_passes_its_checks() {
    check(
        "init_rust",
        "--rust --kind FlowerBed --group garden.example.org",
        &["check crds", "test tests", "check examples --crds crds"],
    );
    let run = kindsmith("init target/never --rust --crd");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn names_are_checked_first() {
    for (words, expected) in [
        ("--kind gate", "`gate` is not the name of a kind"),
        ("--kind A-b", "`A-b` is not the name of a kind"),
        ("--group example", "`example` is not an API group"),
        ("--group Example.org", "`Example.org` is not an API group"),
    ] {
        let run = kindsmith(&format!("init target/never {words}"));
        assert_eq!(run.code, Some(2), "{words}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
