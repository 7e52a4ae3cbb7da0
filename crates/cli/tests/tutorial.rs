//! The tutorial works as it is written, in an empty directory.

use crate::binary::root;
use crate::check_gate::Folder;

/// The command lines of a document's blocks, each with the output that is shown, if it is.
fn commands(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for block in text.split("```").skip(1).step_by(2) {
        let (language, body) = block.split_once('\n').unwrap_or_default();
        match language {
            "console" => {
                let (command, output) = body.split_once('\n').unwrap_or_default();
                let command = command.trim_start_matches("$ ").to_owned();
                found.push((command, Some(output.trim_end().to_owned())));
            }
            "sh" => found.extend(body.lines().map(|line| (line.to_owned(), None))),
            _ => {}
        }
    }
    found
}

/// Servers and kubectl are tried by `e2e_kubectl`.
fn is_tried_elsewhere(command: &str) -> bool {
    command.starts_with("kubectl ") || command.starts_with("kindsmith serve ")
}

#[test]
fn the_tutorial_is_real() {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("it is there");
    let folder = Folder::new("tutorial", &[("notes.txt", "")]);
    let mut count = 0;
    for (command, output) in commands(&text) {
        if is_tried_elsewhere(&command) {
            continue;
        }
        let words = command.strip_prefix("kindsmith ").expect("a command of ours");
        let run = folder.run(words);
        assert_eq!(run.code, Some(0), "{command}: {}{}", run.stdout, run.stderr);
        if let Some(output) = output {
            assert_eq!(
                format!("{}{}", run.stdout, run.stderr).trim_end(),
                output,
                "{command}"
            );
        }
        count += 1;
    }
    assert!(count >= 5, "{count} commands were run");
}
