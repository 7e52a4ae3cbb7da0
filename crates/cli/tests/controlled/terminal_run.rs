//! The terminal run in docs/controllers.md: every command is run, and prints what the page shows.

use std::process::Command;

use kindsmith_testkit::tool::{Tool, left_out};

use super::controlling::{CRDS, Controlling, kubectl};
use super::processes::{Service, Serving};
use crate::binary::root;

/// The address of the fake on the page.
const SHOWN: &str = "127.0.0.1:8085";

/// A command and what it prints.
struct Shown {
    command: String,
    output: String,
}

/// The commands of the block that starts with applying the object.
fn commands(page: &str) -> Vec<Shown> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    let mut run = blocks.filter(|block| block.starts_with("$ kubectl apply"));
    let block = run.next().expect("the page has the run");
    let mut commands: Vec<Shown> = Vec::new();
    for line in block
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
    {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push(Shown {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) => last.output += &format!("{line}\n"),
            (None, None) => panic!("output before the first command: {line}"),
        }
    }
    commands
}

#[test]
fn the_run_on_the_page_is_what_happens() {
    let Some(kubectl) = kubectl() else {
        return left_out(Tool::Kubectl, "the run in docs/controllers.md");
    };
    let serving = Serving::start_with_tls(&["--crds", CRDS]);
    let service = Service::start();
    let controlling = Controlling::start(&serving.kubeconfig, &service.address, &[]);
    controlling.wait_for("Controlling PubSubTopic");
    let page = std::fs::read_to_string(root().join("docs/controllers.md")).expect("the page is there");
    for Shown { command, output } in commands(&page) {
        let command = command
            .replace(SHOWN, &service.address)
            .replace("kubectl ", &format!("{kubectl} "));
        let run = Command::new("sh")
            .args(["-c", &command])
            .current_dir(root())
            .env("KUBECONFIG", &serving.kubeconfig)
            .output()
            .expect("there is a shell");
        let printed = String::from_utf8_lossy(&run.stdout);
        let errors = String::from_utf8_lossy(&run.stderr);
        assert_eq!(printed.trim_end(), output.trim_end(), "{command}\n{errors}");
    }
}
