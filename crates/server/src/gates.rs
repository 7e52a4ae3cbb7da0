//! Feature gates as users set them. The gates themselves are in `object`'s table.

use std::borrow::Cow;
use std::fmt;

use kindsmith_gostd::strconv::parse_bool;
use kindsmith_object::feature_gate::{Level, Stage, Switch};
use kindsmith_object::{Gate, Release};

/// A gate that can be set: Kubernetes' own, or one that a package declares.
#[derive(Debug, Clone)]
pub struct SettableGate {
    /// Its name.
    pub name: Cow<'static, str>,
    /// How mature it is.
    pub stage: Stage,
    /// Its default.
    pub default: bool,
    /// Whether it cannot be changed.
    pub is_locked: bool,
}

/// The gates of a release that users can set, sorted by name.
fn known(release: Release) -> Vec<SettableGate> {
    let gates = Gate::ALL.iter().filter(|gate| gate.switch() == Switch::Server);
    let settable = |gate: &Gate| {
        let Level {
            stage,
            default,
            is_locked,
            ..
        } = gate.level(release)?;
        Some(SettableGate {
            name: Cow::Borrowed(gate.name()),
            stage,
            default,
            is_locked,
        })
    };
    gates.filter_map(settable).collect()
}

/// Which features are on.
#[derive(Debug, Clone)]
pub struct Gates {
    gates: Vec<SettableGate>,
    set: Vec<bool>,
    is_kep: bool,
    release: Release,
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
        Gates::of(Release::default())
    }
}

impl Gates {
    /// The gates of a release, with their defaults.
    #[must_use]
    pub fn of(release: Release) -> Self {
        let gates = known(release);
        Gates {
            set: gates.iter().map(|gate| gate.default).collect(),
            gates,
            is_kep: false,
            release,
        }
    }
    /// The release whose gates these are.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release
    }

    /// The gates as the KEPs describe them: those of declarative validation can be changed.
    #[must_use]
    pub fn kep(release: Release) -> Self {
        Gates {
            is_kep: true,
            ..Gates::of(release)
        }
    }

    /// Whether these are the gates of the KEPs.
    #[must_use]
    pub fn is_kep(&self) -> bool {
        self.is_kep
    }

    fn is_locked(&self, gate: &SettableGate) -> bool {
        let of_kep = [Gate::DeclarativeValidation, Gate::DeclarativeValidationTakeover];
        let is_free = self.is_kep && of_kep.iter().any(|free| free.name() == gate.name);
        gate.is_locked && !is_free
    }

    /// Adds a gate that a package declares; one that Kubernetes has stays as it is.
    pub fn declare(&mut self, gate: SettableGate) {
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
            let on = parse_bool(value)
                .map_err(|error| UnknownGate(format!("invalid value of {name}={value}, err: {error}")))?;
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
            if self.is_kep && gate.name == Gate::DeclarativeValidationBeta.name() {
                return Err(UnknownGate(format!(
                    "{} has no effect with --profile kep; DeclarativeValidation and DeclarativeValidationTakeover decide",
                    gate.name
                )));
            }
            if self.is_locked(gate) && on != gate.default {
                return Err(UnknownGate(format!(
                    "cannot set feature gate {} to {on}, feature is locked to {}",
                    gate.name, gate.default
                )));
            }
            self.set[index] = on;
        }
        Ok(())
    }

    /// Whether a feature is on.
    #[must_use]
    pub fn is_on(&self, gate: Gate) -> bool {
        self.is_named_on(gate.name())
    }

    /// Whether a feature is on that a package may have declared; unknown features are off.
    #[must_use]
    pub fn is_named_on(&self, name: &str) -> bool {
        self.find(name).is_ok_and(|index| self.set[index])
    }

    /// All gates, and whether they are on.
    pub fn all(&self) -> impl Iterator<Item = (&SettableGate, bool)> {
        self.gates.iter().zip(self.set.iter().copied())
    }

    fn find(&self, name: &str) -> Result<usize, UnknownGate> {
        self.gates
            .iter()
            .position(|gate| gate.name == name)
            .ok_or_else(|| UnknownGate(format!("unrecognized feature gate: {name}")))
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
                    assert_eq!(gates.is_named_on(name), *on, "{name} after {text}");
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
    fn the_kep_unlocks_its_gates() {
        let mut gates = Gates::kep(Release::NEWEST);
        let text = "DeclarativeValidation=false,DeclarativeValidationTakeover=true";
        assert_eq!(gates.set(text), Ok(()));
        assert!(
            !gates.is_on(Gate::DeclarativeValidation) && gates.is_on(Gate::DeclarativeValidationTakeover)
        );
        assert!(gates.set("CRDValidationRatcheting=false").is_err());
        let idle = gates
            .set("DeclarativeValidationBeta=false")
            .map_err(|error| error.to_string());
        let expected = "DeclarativeValidationBeta has no effect with --profile kep; DeclarativeValidation and \
                        DeclarativeValidationTakeover decide";
        assert_eq!(idle, Err(expected.to_owned()));
        let locked = Gates::default().set(text).map_err(|error| error.to_string());
        let expected = "cannot set feature gate DeclarativeValidation to false, feature is locked to true";
        assert_eq!(locked, Err(expected.to_owned()));
    }

    #[test]
    fn packages_declare_gates() {
        let mut gates = Gates::default();
        for name in ["WingSpan", "WatchList"] {
            gates.declare(SettableGate {
                name: name.into(),
                stage: Stage::Alpha,
                default: false,
                is_locked: false,
            });
        }
        assert!(!gates.is_named_on("WingSpan") && gates.is_on(Gate::WatchList));
        assert_eq!(gates.set("AllAlpha=true"), Ok(()));
        assert!(gates.is_named_on("WingSpan"));
        assert_eq!(gates.set("WingSpan=false"), Ok(()));
        assert!(!gates.is_named_on("WingSpan"));
    }

    #[test]
    fn gates_of_fields_and_rules_cannot_be_set() {
        check(
            "HPAScaleToZero=false",
            Err("unrecognized feature gate: HPAScaleToZero"),
        );
        check(
            "GenericWorkload=true",
            Err("unrecognized feature gate: GenericWorkload"),
        );
    }
}
