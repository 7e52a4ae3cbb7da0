//! A command is a leaf: what commands share is a module beside them, named after what it holds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::root;

#[test]
fn commands_do_not_use_each_other() {
    let commands = root().join("crates/cli/src/command");
    let mut found = BTreeSet::new();
    for file in files(&commands) {
        let text = fs::read_to_string(&file).expect("sources are text");
        let below = file.strip_prefix(&commands).expect("it is below");
        let first = below.components().next().expect("it has a name").as_os_str();
        let own = first.to_string_lossy().trim_end_matches(".rs").to_owned();
        for (at, _) in text.match_indices("crate::command::") {
            let path = text[at + "crate::command::".len()..].trim_start_matches("r#");
            let used: String = path
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if used != own {
                found.insert((own.clone(), used));
            }
        }
        assert!(
            !text.contains("super::super::super::"),
            "{}: write paths to other commands from `crate`",
            below.display()
        );
    }
    assert!(found.is_empty(), "{found:?}");
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
    all
}
