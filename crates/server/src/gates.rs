//! Feature gates: their names, stages and defaults.

use std::borrow::Cow;
use std::fmt;

/// How mature a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Off by default.
    Alpha,
    /// Mostly on.
    Beta,
    /// Always on.
    Stable,
    /// About to be removed.
    Deprecated,
}

impl Stage {
    /// As `kubernetes_feature_enabled` shows it: empty for stable features.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Stage::Alpha => "ALPHA",
            Stage::Beta => "BETA",
            Stage::Stable => "",
            Stage::Deprecated => "DEPRECATED",
        }
    }
}

/// One feature gate.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Its name.
    pub name: Cow<'static, str>,
    /// How mature it is.
    pub stage: Stage,
    /// Its default.
    pub default: bool,
    /// Whether it cannot be changed.
    pub is_locked: bool,
}

const fn gate(name: &'static str, stage: Stage, default: bool, is_locked: bool) -> Gate {
    Gate {
        name: Cow::Borrowed(name),
        stage,
        default,
        is_locked,
    }
}

/// All gates, by name. The two that switch defaulting exist here because the KEPs describe them.
const KNOWN: &[Gate] = &[
    gate("APIResponseCompression", Stage::Beta, true, false),
    gate("AggregatedDiscoveryRemoveBetaType", Stage::Deprecated, true, true),
    gate("CRDValidationRatcheting", Stage::Stable, true, true),
    gate("CustomResourceDefaulting", Stage::Stable, true, false),
    gate("CustomResourceFieldSelectors", Stage::Stable, true, true),
    gate("DeclarativeDefaults", Stage::Stable, true, false),
    gate("DeclarativeValidation", Stage::Stable, true, true),
    gate("DeclarativeValidationBeta", Stage::Beta, true, false),
    gate("DeclarativeValidationTakeover", Stage::Deprecated, false, true),
    gate("WatchList", Stage::Beta, true, false),
];

/// Which features are on.
#[derive(Debug, Clone)]
pub struct Gates {
    gates: Vec<Gate>,
    set: Vec<bool>,
}

/// Why a gate cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownGate(String);

impl fmt::Display for UnknownGate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for UnknownGate {}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            gates: KNOWN.to_vec(),
            set: KNOWN.iter().map(|gate| gate.default).collect(),
        }
    }
}

impl Gates {
    /// Adds a gate that a package declares; one that Kubernetes has stays as it is.
    pub fn declare(&mut self, gate: Gate) {
        if let Err(at) = self.gates.binary_search_by(|known| known.name.cmp(&gate.name)) {
            self.set.insert(at, gate.default);
            self.gates.insert(at, gate);
        }
    }

    /// Sets gates as `--feature-gates` does: `A=true,B=false`. `AllAlpha` and `AllBeta` set gates that are not named.
    ///
    /// # Errors
    ///
    /// If a gate does not exist, its value is not a boolean, or it is locked.
    pub fn set(&mut self, text: &str) -> Result<(), UnknownGate> {
        let mut named = Vec::new();
        let mut stages = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let part = part.strip_prefix("kube:").unwrap_or(part);
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| UnknownGate(format!("missing bool value for {part}")))?;
            let (name, value) = (name.trim(), value.trim());
            let on = boolean(value).ok_or_else(|| {
                UnknownGate(format!(
                    "invalid value of {name}={value}, err: strconv.ParseBool: parsing {}: invalid syntax",
                    kindsmith_gostd::quote::quote(value)
                ))
            })?;
            match name {
                "AllAlpha" => stages.push((Stage::Alpha, on)),
                "AllBeta" => stages.push((Stage::Beta, on)),
                name => named.push((self.find(name)?, on)),
            }
        }
        for (stage, on) in stages {
            for (index, gate) in self.gates.iter().enumerate() {
                if gate.stage == stage && !gate.is_locked {
                    self.set[index] = on;
                }
            }
        }
        for (index, on) in named {
            let gate = &self.gates[index];
            if gate.is_locked && on != gate.default {
                return Err(UnknownGate(format!(
                    "cannot set feature gate {} to {on}, feature is locked to {}",
                    gate.name, gate.default
                )));
            }
            self.set[index] = on;
        }
        Ok(())
    }

    /// Whether a feature is on; unknown features are off.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        self.find(name).is_ok_and(|index| self.set[index])
    }

    /// All gates, and whether they are on.
    pub fn all(&self) -> impl Iterator<Item = (&Gate, bool)> {
        self.gates.iter().zip(self.set.iter().copied())
    }

    fn find(&self, name: &str) -> Result<usize, UnknownGate> {
        self.gates
            .iter()
            .position(|gate| gate.name == name)
            .ok_or_else(|| UnknownGate(format!("unrecognized feature gate: {name}")))
    }
}

/// A boolean as Go's `strconv.ParseBool` reads it.
fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&[(&str, bool)], &str>) {
        let mut gates = Gates::default();
        match (gates.set(text), expected) {
            (Ok(()), Ok(expected)) => {
                for (name, on) in expected {
                    assert_eq!(gates.is_on(name), *on, "{name} after {text}");
                }
            }
            (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected),
            (result, _) => panic!("{text}: {result:?}"),
        }
    }

    #[test]
    fn setting() {
        check("", Ok(&[("WatchList", true), ("CustomResourceDefaulting", true)]));
        check("WatchList=false", Ok(&[("WatchList", false)]));
        check(" kube:WatchList = f ,", Ok(&[("WatchList", false)]));
        check(
            "AllBeta=false,WatchList=1",
            Ok(&[("WatchList", true), ("APIResponseCompression", false)]),
        );
        check("Frob=true", Err("unrecognized feature gate: Frob"));
        check("WatchList", Err("missing bool value for WatchList"));
        check(
            "WatchList=maybe",
            Err(
                "invalid value of WatchList=maybe, err: strconv.ParseBool: parsing \"maybe\": invalid syntax",
            ),
        );
        check(
            "CRDValidationRatcheting=false",
            Err("cannot set feature gate CRDValidationRatcheting to false, feature is locked to true"),
        );
        check(
            "CRDValidationRatcheting=true",
            Ok(&[("CRDValidationRatcheting", true)]),
        );
    }

    #[test]
    fn packages_declare_gates() {
        let mut gates = Gates::default();
        gates.declare(gate("WingSpan", Stage::Alpha, false, false));
        gates.declare(gate("WatchList", Stage::Alpha, false, false));
        assert!(!gates.is_on("WingSpan") && gates.is_on("WatchList"));
        assert_eq!(gates.set("AllAlpha=true"), Ok(()));
        assert!(gates.is_on("WingSpan"));
        assert_eq!(gates.set("WingSpan=false"), Ok(()));
        assert!(!gates.is_on("WingSpan"));
    }

    #[test]
    fn names_are_sorted_and_unique() {
        assert!(KNOWN.is_sorted_by(|a, b| a.name < b.name));
    }
}
