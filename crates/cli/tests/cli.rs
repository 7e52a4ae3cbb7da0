//! The built binary as users see it: a command line in; exit code and both streams out.

use crate::binary::{self, Run, kindsmith};

#[test]
fn version_names_the_program() {
    let run = kindsmith("--version");
    let release = kindsmith_object::Release::default();
    let text = format!("kindsmith {} (Kubernetes {release})\n", env!("CARGO_PKG_VERSION"));
    run.check(0, &text, "");
}

#[test]
fn no_command_shows_help_and_fails() {
    let run = kindsmith("");
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stdout, "", "help nobody asked for is not data");
    assert_eq!(run.stderr, kindsmith("--help").stdout);
}

#[test]
fn help_states_the_exit_codes() {
    let help = kindsmith("--help");
    assert_eq!(help.code, Some(0));
    assert!(
        help.stdout
            .contains("Exit status: 0 clean, 1 findings, 2 could not run")
    );
}

#[test]
fn a_misspelled_command_suggests_the_right_one() {
    kindsmith("completion bash").check(
        2,
        "",
        "\
error: unrecognized subcommand 'completion'

  tip: a similar subcommand exists: 'completions'

Usage: kindsmith [OPTIONS] <COMMAND>

For more information, try '--help'.
",
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = commands();
    assert!(commands.iter().any(|command| command == "completions"));
    for command in commands {
        let help = kindsmith(&format!("{command} --help"));
        assert_eq!(help.code, Some(0), "{command}");
        let (_, examples) = help
            .stdout
            .split_once("\nExamples:\n")
            .unwrap_or_else(|| panic!("`kindsmith {command} --help` shows no examples"));
        let call = format!("kindsmith {command}");
        assert!(examples.contains(&call), "an example of {command} calls it");
    }
}

/// The commands `--help` lists, without clap's own `help`.
fn commands() -> Vec<String> {
    let help = kindsmith("--help").stdout;
    let (_, list) = help.split_once("\nCommands:\n").expect("help lists commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn completions_know_every_command_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = kindsmith(&format!("completions {shell}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        for command in commands() {
            assert!(run.stdout.contains(&command), "{shell} completes {command}");
        }
    }
}

#[test]
fn colors_follow_the_option_before_the_environment() {
    let colored = |run: &Run| run.stderr.contains('\u{1b}');
    assert!(!colored(&kindsmith("nope")), "a pipe gets no colors");
    assert!(colored(&kindsmith("--color always nope")));
    assert!(colored(&kindsmith("nope --color=always")));
    assert!(!colored(&binary::with_env("nope", "NO_COLOR", "1")));
    assert!(colored(&binary::with_env("nope", "CLICOLOR_FORCE", "1")));
    assert!(!colored(&binary::with_env(
        "--color never nope",
        "CLICOLOR_FORCE",
        "1"
    )));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let run = binary::into_closed_pipe("completions bash");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn tags_lists_each_with_what_it_does() {
    let run = kindsmith("tags");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let line = run.stdout.lines().find(|line| line.starts_with("k8s:maxLength "));
    let summary = line
        .expect("maxLength is a tag")
        .split_once("  ")
        .map(|(_, rest)| rest.trim());
    assert_eq!(summary, Some("A string has at most this many characters."));
}

#[test]
fn tags_explains_one_by_any_spelling_of_its_name() {
    let page = kindsmith("tags k8s:maxLength");
    assert_eq!(page.code, Some(0));
    assert!(
        page.stdout.starts_with("+k8s:maxLength=<int>\n\n"),
        "{}",
        page.stdout
    );
    assert!(page.stdout.contains("```go\n"), "the page has an example");
    assert_eq!(kindsmith("tags +k8s:maxLength").stdout, page.stdout);
}

#[test]
fn tags_suggests_a_name_for_a_misspelled_one() {
    kindsmith("tags k8s:maxlenght").check(
        2,
        "",
        "error: no tag `k8s:maxlenght`\n  = help: did you mean `k8s:maxLength`?\n",
    );
    kindsmith("tags something:else").check(
        2,
        "",
        "error: no tag `something:else`\n  = help: `kindsmith tags` lists all tags\n",
    );
}
