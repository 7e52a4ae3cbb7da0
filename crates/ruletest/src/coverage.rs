//! What cases touch of an API: its rules, defaults, enum values, union members and update transitions.
//!
//! Knows writes and their reviews, not cases: whoever makes writes reports them. A rule counts as covered when one write
//! breaks it and another one keeps it.

mod crd;
mod go;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use crate::run::Seen;
use crate::subject::identity;

/// A value kept the rule.
pub(crate) const PASSED: u8 = 1;
/// A value broke the rule.
pub(crate) const FAILED: u8 = 2;
/// A value, default or transition occurred.
pub(crate) const SEEN: u8 = 4;

/// What cases touched, by kind.
#[derive(Debug, Default)]
pub struct Coverage {
    kinds: BTreeMap<(String, String, String), KindCoverage>,
}

/// What cases touched of one kind.
#[derive(Debug)]
pub struct KindCoverage {
    /// Everything that could be touched, in the order of fields.
    pub items: Vec<Item>,
    index: Index,
}

#[derive(Debug)]
enum Index {
    Crd(crd::Universe),
    Go(go::Universe),
}

/// Something that a case can touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The field.
    pub path: String,
    /// What it is: `maxLength: 20`, `+k8s:required`, `default`, `value "Mon"`.
    pub what: String,
    /// Where it is written, if that is known: `types.go:12:5`.
    pub place: Option<String>,
    wants: u8,
    hits: u8,
}

impl Item {
    pub(crate) fn new(path: &str, what: impl Into<String>, place: Option<String>, wants: u8) -> Self {
        Self {
            path: path.to_owned(),
            what: what.into(),
            place,
            wants,
            hits: 0,
        }
    }

    /// Whether a rule is kept or broken by values.
    pub(crate) fn is_rule(&self) -> bool {
        self.wants & FAILED != 0
    }

    /// Whether a hit is one of those wanted.
    pub(crate) fn wants(&self, hit: u8) -> bool {
        self.wants & hit != 0
    }

    /// Whether all was seen that could be.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.hits & self.wants == self.wants
    }

    /// What no case did, in words.
    #[must_use]
    pub fn missing(&self) -> &'static str {
        match self.wants & !self.hits {
            SEEN => "no case touches it",
            FAILED => "no case breaks it",
            PASSED => "no case keeps it",
            0 => "covered",
            _ => "no case keeps or breaks it",
        }
    }
}

impl KindCoverage {
    /// How many items are covered.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.items.iter().filter(|item| item.is_covered()).count()
    }
}

impl Coverage {
    /// Takes note of a write. Kinds are known from their first write on.
    pub fn observe(&mut self, seen: &Seen<'_, '_>) {
        let (api_version, kind) = identity(seen.write.object);
        let key = (seen.subject.name.clone(), api_version.to_owned(), kind.to_owned());
        if !self.kinds.contains_key(&key) {
            let Some(made) = universe(seen, api_version, kind) else {
                return;
            };
            self.kinds.insert(key.clone(), made);
        }
        if let Some(known) = self.kinds.get_mut(&key) {
            match &known.index {
                Index::Crd(universe) => universe.observe(seen, &mut known.items),
                Index::Go(universe) => universe.observe(seen, &mut known.items),
            }
        }
    }

    /// What one write touches of its kind: indexes of items, each with what was seen of it.
    pub(crate) fn touched(&mut self, seen: &Seen<'_, '_>) -> Vec<(usize, u8)> {
        let mut all = Vec::new();
        self.observe(seen);
        let (api_version, kind) = identity(seen.write.object);
        let key = (seen.subject.name.clone(), api_version.to_owned(), kind.to_owned());
        if let Some(known) = self.kinds.get_mut(&key) {
            for (index, item) in known.items.iter_mut().enumerate() {
                if item.hits != 0 {
                    all.push((index, item.hits));
                    item.hits = 0;
                }
            }
        }
        all
    }

    /// Adds what another coverage saw.
    pub fn merge(&mut self, other: Coverage) {
        for (key, kind) in other.kinds {
            match self.kinds.get_mut(&key) {
                None => drop(self.kinds.insert(key, kind)),
                Some(known) => {
                    for (item, more) in known.items.iter_mut().zip(kind.items) {
                        item.hits |= more.hits;
                    }
                }
            }
        }
    }

    /// All kinds: the subject, `apiVersion`, kind, and what was touched.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &str, &str, &KindCoverage)> {
        let all = self.kinds.iter();
        all.map(|((subject, api_version, kind), known)| (&**subject, &**api_version, &**kind, known))
    }

    /// How much is covered, in percent; all of nothing is everything.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let covered: usize = self.kinds.values().map(KindCoverage::covered).sum();
        let all: usize = self.kinds.values().map(|kind| kind.items.len()).sum();
        percent(covered, all)
    }

    /// What is not covered, for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (subject, api_version, kind, known) in self.kinds() {
            let subject = match subject {
                "" => String::new(),
                subject => format!(" [{subject}]"),
            };
            let (covered, all) = (known.covered(), known.items.len());
            let _ = writeln!(
                out,
                "{api_version} {kind}{subject}: {covered} of {all} covered ({:.0}%)",
                percent(covered, all)
            );
            for item in known.items.iter().filter(|item| !item.is_covered()) {
                let place = item
                    .place
                    .as_deref()
                    .map(|place| format!("{place}: "))
                    .unwrap_or_default();
                let _ = writeln!(out, "    {place}{} {}: {}", item.path, item.what, item.missing());
            }
        }
        out
    }

    /// The coverage as data.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let kinds = self.kinds().map(|(subject, api_version, kind, known)| {
            let items = known.items.iter().map(|item| {
                json!({
                    "path": item.path,
                    "what": item.what,
                    "place": item.place,
                    "covered": item.is_covered(),
                    "kept": item.hits & PASSED != 0,
                    "broken": item.hits & FAILED != 0,
                })
            });
            json!({
                "subject": subject,
                "apiVersion": api_version,
                "kind": kind,
                "covered": known.covered(),
                "items": items.collect::<Vec<_>>(),
            })
        });
        json!({"percent": self.percent(), "kinds": kinds.collect::<Vec<_>>()})
    }
}

fn percent(covered: usize, all: usize) -> f64 {
    match all {
        0 => 100.0,
        all => covered as f64 * 100.0 / all as f64,
    }
}

fn universe(seen: &Seen<'_, '_>, api_version: &str, kind: &str) -> Option<KindCoverage> {
    if let Some(found) = seen.subject.kinds().crds().of_object(api_version, kind) {
        let (universe, items) = crd::Universe::new(found.schema().ok()?);
        return Some(KindCoverage {
            items,
            index: Index::Crd(universe),
        });
    }
    let ty = seen.subject.go_type(api_version, kind)?;
    let (universe, items) = go::Universe::new(seen.subject.kinds().go_types()?.read(), ty);
    Some(KindCoverage {
        items,
        index: Index::Go(universe),
    })
}
