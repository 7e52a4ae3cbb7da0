//! The commands of docs/controllers.md that need no cluster: each is run, and prints what the page shows.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use kindsmith_controller::description::Described;

use super::processes::Service;
use crate::binary::root;

/// The address of the fake on the page.
const SHOWN: &str = "127.0.0.1:8085";

/// The commands of a section, with what each prints.
fn commands(page: &str, heading: &str) -> Vec<(String, String)> {
    let (_, section) = page
        .split_once(&format!("## {heading}\n"))
        .expect("the page has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section
        .split("```console\n")
        .skip(1)
        .filter_map(|block| block.split("\n```").next());
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("output before the first command: {line}"),
        }
    }
    assert!(!commands.is_empty(), "{heading}");
    commands
}

#[test]
fn the_commands_of_the_page_print_what_it_shows() {
    let service = Service::start();
    let lamp = std::fs::read_to_string(root().join("examples/kinds/lamp.yaml")).expect("it is there");
    let described = Described::read(&lamp, None).expect("the description is right");
    service.fake.state().kinds.push(Arc::new(described));
    let page = std::fs::read_to_string(root().join("docs/controllers.md")).expect("the page is there");
    let binary = Path::new(env!("CARGO_BIN_EXE_kindsmith"))
        .parent()
        .expect("it is in a folder");
    let path = format!(
        "{}:{}",
        binary.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut all = commands(&page, "Your API in ten minutes");
    all.extend(commands(&page, "Coming from Config Connector"));
    for (command, output) in all {
        let run = Command::new("sh")
            .args([
                "-c",
                &format!("{{ {}\n}} 2>&1", command.replace(SHOWN, &service.address)),
            ])
            .current_dir(root())
            .env("PATH", &path)
            .env("NO_COLOR", "1")
            .output()
            .expect("there is a shell");
        let printed = String::from_utf8_lossy(&run.stdout);
        assert_eq!(printed.trim_end(), output.trim_end(), "{command}");
    }
}
