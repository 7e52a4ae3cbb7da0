//! `--feature-gates`: ours are set, those that only kube-apiserver has are warned about.

use kindsmith_server::Gates;

use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::terminal::Terminal;

/// The names of all gates of Kubernetes 1.38.
const ALL: &str = include_str!("../feature_gates.txt");

pub(super) fn read(given: &Given, terminal: &Terminal) -> Result<Gates, Error> {
    let mut gates = Gates::default();
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    for item in given.list("feature-gates") {
        let name = item.strip_prefix("kube:").unwrap_or(item);
        let name = name.split('=').next().unwrap_or_default().trim();
        let is_own = matches!(name, "AllAlpha" | "AllBeta") || gates.all().any(|(gate, _)| gate.name == name);
        if !is_own && ALL.lines().any(|gate| gate == name) {
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
