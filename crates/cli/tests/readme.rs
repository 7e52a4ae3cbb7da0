//! What the README shows is what the binary prints.

mod binary;

use std::path::Path;

/// The commands the README shows with their output.
fn shown() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).expect("there is a README");
    let blocks = text
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    blocks
        .filter_map(|block| block.strip_prefix("$ kindsmith ")?.split_once('\n'))
        .map(|(command, output)| (command.to_owned(), output.to_owned()))
        .collect()
}

#[test]
fn shown_output_is_real() {
    let shown = shown();
    assert!(!shown.is_empty(), "the README shows commands");
    for (command, output) in shown {
        let run = binary::kindsmith(&command);
        let real = match &*run.stderr {
            "" => run.stdout,
            stderr => format!("{}{stderr}", run.stdout),
        };
        assert_eq!(output.trim_end(), real.trim_end(), "kindsmith {command}");
    }
}
