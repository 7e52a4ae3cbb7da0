//! `--feature-gates`: ours are set, those that only kube-apiserver has are warned about.

use kindsmith_object::{Gate, Release};
use kindsmith_server::Gates;

use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::terminal::Terminal;

/// The names of the gates of Kubernetes 1.38 that are not in [`Gate`]: they switch nothing here.
const FOREIGN: &str = include_str!("../foreign_gates.txt");

pub(super) fn read(release: Release, given: &Given, terminal: &Terminal) -> Result<Gates, Error> {
    let mut gates = Gates::of(release);
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    for item in given.list("feature-gates") {
        let name = item.strip_prefix("kube:").unwrap_or(item);
        let name = name.split('=').next().unwrap_or_default().trim();
        let is_own = matches!(name, "AllAlpha" | "AllBeta") || gates.all().any(|(gate, _)| gate.name == name);
        let is_known = Gate::named(name).is_some() || FOREIGN.lines().any(|gate| gate == name);
        if !is_own && is_known {
            foreign.push(name);
        } else {
            own.push(item);
        }
    }
    gates
        .set(&own.join(","))
        .map_err(|error| Error::usage(format!("--feature-gates: {error}")))?;
    for name in foreign {
        terminal.warn(&format!("warning: the feature gate {name} has no effect"));
    }
    Ok(gates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_in_one_list() {
        let twice: Vec<&str> = FOREIGN
            .lines()
            .filter(|name| Gate::named(name).is_some())
            .collect();
        assert!(twice.is_empty(), "also in the table of gates: {twice:?}");
    }
}
