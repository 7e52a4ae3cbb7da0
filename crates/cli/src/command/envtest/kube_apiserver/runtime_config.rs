//! `--runtime-config`: versions that are switched off.

use kindsmith_builtin::own_kinds;
use kindsmith_object::{GroupVersion, Release};

use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::terminal::Terminal;

/// Versions that are not served, as `group/version`.
pub(super) fn disabled(given: &Given, terminal: &Terminal) -> Result<Vec<String>, Error> {
    let mut disabled = Vec::new();
    for item in given.list("runtime-config") {
        let (key, value) = item.split_once('=').unwrap_or((item, "true"));
        let on = match value {
            "true" | "" => true,
            "false" => false,
            _ => {
                return Err(Error::usage(format!(
                    "--runtime-config {item}: expected true or false"
                )));
            }
        };
        let key = key.strip_prefix("api/").filter(|key| *key == "v1").unwrap_or(key);
        if is_served(key) {
            if !on {
                disabled.push(key.to_owned());
            }
            continue;
        }
        // Switching on what is always on, or off what is not there, changes nothing.
        let is_satisfied = match (key, on) {
            ("api/all" | "api/ga", on) => on,
            ("api/alpha" | "api/beta", on) => !on,
            (key, false) => key.matches('/').count() < 2,
            (_, true) => false,
        };
        if !is_satisfied {
            terminal.warn(&format!("warning: --runtime-config {item} has no effect"));
        }
    }
    Ok(disabled)
}

fn is_served(version: &str) -> bool {
    let Ok(asked) = GroupVersion::parse(version) else {
        return false;
    };
    let mut kinds = own_kinds(Release::NEWEST).iter();
    kinds.any(|kind| (asked.group, asked.version) == (&*kind.names.group, &*kind.names.version))
}
