//! Which variants of a CRD a suite of openshift/api is for.
//!
//! That repository generates a CRD once per set of features, and annotates each with the set and the cluster profiles. A
//! suite names feature gates; lists of gates say which are on in which set. Must not know files.

use std::fmt;

use kindsmith_json::{Arena, Value, yaml};

const PROFILE: &str = "include.release.openshift.io/";
const FEATURE_SET: &str = "release.openshift.io/feature-set";
const VERSIONS: &str = "release.openshift.io/major-version";
/// The set that has everything.
const EVERYTHING: &str = "CustomNoUpgrade";

/// What annotations of a CRD or of a list of gates say about features.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// The object's name.
    pub name: String,
    sets: Vec<String>,
    profiles: Vec<String>,
    versions: Vec<u64>,
    on: Vec<String>,
    off: Vec<String>,
}

/// Why it is unknown whether feature gates are on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownGates {
    /// There is no list of feature gates for a cluster profile and sets of features.
    NoList {
        /// The annotation of the profile.
        profile: String,
        /// The sets.
        sets: Vec<String>,
    },
    /// The list does not have the gate.
    NoGate(String),
}

impl fmt::Display for UnknownGates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownGates::NoList { profile, sets } => {
                write!(out, "no list of feature gates for {profile} {sets:?}")
            }
            UnknownGates::NoGate(name) => write!(out, "no feature gate `{name}`"),
        }
    }
}

impl std::error::Error for UnknownGates {}

impl Features {
    /// Reads a CRD, or a list of feature gates; `None` for any other text.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let arena = Arena::new();
        let value = yaml::parse(&arena, text.as_bytes()).ok()?;
        let kind = value.get("kind")?.as_str()?;
        let is_list = kind == "FeatureGate";
        if !is_list && kind != "CustomResourceDefinition" {
            return None;
        }
        let annotations = value
            .lookup(&["metadata", "annotations"])
            .and_then(Value::as_object);
        let annotations = annotations.unwrap_or_default();
        let split = |key: &str| -> Vec<String> {
            let text = annotations.get(key).and_then(Value::as_str).unwrap_or_default();
            text.split(',')
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let mut profiles: Vec<String> = annotations
            .iter()
            .filter(|(key, _)| key.starts_with(PROFILE))
            .filter(|(_, value)| is_list || value.as_str() == Some("true"))
            .map(|(key, _)| key.to_owned())
            .collect();
        profiles.sort();
        let gates = |state: &str| -> Vec<String> {
            let lists = value
                .lookup(&["status", "featureGates"])
                .and_then(|lists| lists.at(0));
            let list = lists.and_then(|lists| lists.get(state)).and_then(Value::as_array);
            let names = list.unwrap_or_default().iter();
            names
                .filter_map(|gate| Some(gate.get("name")?.as_str()?.to_owned()))
                .collect()
        };
        Some(Self {
            name: value.lookup(&["metadata", "name"])?.as_str()?.to_owned(),
            sets: split(FEATURE_SET),
            profiles,
            versions: split(VERSIONS)
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect(),
            on: gates("enabled"),
            off: gates("disabled"),
        })
    }

    /// Whether a suite that needs these gates is for this CRD; `lists` are the known lists of gates.
    ///
    /// # Errors
    ///
    /// If no list says whether a gate is on.
    pub fn has_gates(&self, gates: &[String], lists: &[Features]) -> Result<bool, UnknownGates> {
        if gates.is_empty() {
            return Ok(true);
        }
        if self.sets.iter().any(|set| set == EVERYTHING) {
            return Ok(!gates.iter().any(|gate| gate.starts_with('-')));
        }
        let Some(profile) = self.profiles.first() else {
            return Ok(true);
        };
        let list = lists.iter().find(|list| self.is_listed(list, profile));
        let list = list.ok_or_else(|| UnknownGates::NoList {
            profile: profile.clone(),
            sets: self.sets.clone(),
        })?;
        for gate in gates {
            let (name, wanted) = match gate.strip_prefix('-') {
                Some(name) => (name, false),
                None => (&**gate, true),
            };
            let is = |state: &[String]| state.iter().any(|known| known == name);
            match (is(&list.on), is(&list.off)) {
                (false, false) => return Err(UnknownGates::NoGate(name.to_owned())),
                (on, _) if on != wanted => return Ok(false),
                _ => {}
            }
        }
        Ok(true)
    }

    fn is_listed(&self, list: &Features, profile: &String) -> bool {
        let sets: &[String] = if self.sets.is_empty() {
            &["Default".to_owned()]
        } else {
            &self.sets
        };
        let has_set = list.sets.iter().any(|set| sets.contains(set));
        let has_version =
            self.versions.is_empty() || self.versions.iter().any(|one| list.versions.contains(one));
        list.profiles.contains(profile) && has_set && has_version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(kind: &str, annotations: &str, status: &str) -> Features {
        let text = format!(
            "kind: {kind}\nmetadata:\n  name: a\n  annotations: {{{annotations}}}\nstatus: {status}\n"
        );
        Features::read(&text).expect("it is readable")
    }

    fn check(annotations: &str, gates: &[&str], expected: Result<bool, &str>) {
        let list = features(
            "FeatureGate",
            "include.release.openshift.io/x: anything, release.openshift.io/feature-set: Default",
            "{featureGates: [{enabled: [{name: A}], disabled: [{name: B}]}]}",
        );
        let gates: Vec<String> = gates.iter().map(|gate| (*gate).to_owned()).collect();
        let found = features("CustomResourceDefinition", annotations, "{}").has_gates(&gates, &[list]);
        let found = found.map_err(|why| why.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{annotations} {gates:?}");
    }

    #[test]
    fn gates_choose_variants() {
        let default = "include.release.openshift.io/x: 'true'";
        check(default, &[], Ok(true));
        check(default, &["A"], Ok(true));
        check(default, &["-A"], Ok(false));
        check(default, &["B"], Ok(false));
        check(default, &["A", "-B"], Ok(true));
        check(default, &["C"], Err("no feature gate `C`"));
        let everything = "release.openshift.io/feature-set: CustomNoUpgrade";
        check(everything, &["B"], Ok(true));
        check(everything, &["-B"], Ok(false));
        check("", &["C"], Ok(true));
    }
}
