//! How large CRDs are, which fields make them large, and how to make them smaller.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use kindsmith_generate::controller_gen::Definition;
use kindsmith_json::Arena;
use kindsmith_openapi::schema;
use kindsmith_schema::JsonSchema;
use serde_json::{Value, json};

use crate::crd_size::LIMITS;

/// Fields listed per CRD.
const LISTED: usize = 20;

/// How to make a CRD smaller.
pub(super) const SMALLER: &str =
    "`--sizes` shows the largest fields; `--maxDescLen=0` leaves out descriptions";

/// The sizes of a CRD's parts.
pub(super) struct Table {
    file: String,
    bytes: usize,
    /// Bytes of all schemas together.
    whole: usize,
    descriptions: usize,
    /// Largest first.
    parts: Vec<Part>,
}

/// A field with everything below it; equal fields, as those of one type, are counted as one.
struct Part {
    path: String,
    count: usize,
    bytes: usize,
}

impl Part {
    fn total(&self) -> usize {
        self.bytes * self.count
    }
}

impl Table {
    /// The largest fields of a CRD.
    pub(super) fn of(definition: &Definition) -> Self {
        let mut walk = Walk::default();
        let (mut whole, mut descriptions) = (0, 0);
        for version in &definition.model.spec.versions {
            let schema = version.schema.as_ref();
            if let Some(root) = schema.and_then(|schema| schema.open_api_v3_schema.as_ref()) {
                let sizes = walk.add(root, &version.name);
                whole += sizes.0;
                descriptions += sizes.1;
            }
        }
        let mut parts: Vec<Part> = walk.parts.into_values().collect();
        parts.sort_by(|one, other| (other.total(), &one.path).cmp(&(one.total(), &other.path)));
        Self {
            file: definition.file_name.clone(),
            bytes: definition.bytes,
            whole,
            descriptions,
            parts,
        }
    }

    /// All fields, as JSON for scripts.
    pub(super) fn json(&self) -> Value {
        let part = |part: &Part| json!({ "path": part.path, "count": part.count, "bytes": part.bytes });
        json!({
            "file": self.file,
            "bytes": self.bytes,
            "descriptions": self.descriptions,
            "fields": self.parts.iter().map(part).collect::<Vec<_>>(),
        })
    }

    fn percent(&self, bytes: usize) -> usize {
        (bytes * 100 + self.whole / 2) / self.whole.max(1)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passed = LIMITS.iter().rfind(|(limit, ..)| self.bytes > *limit);
        let next = LIMITS.iter().find(|(limit, ..)| self.bytes <= *limit);
        let passed = passed.map(|(_, name, _)| format!("more than {name}"));
        let next = next.map(|(limit, name, _)| format!("{}% of {name}", self.bytes * 100 / limit));
        let room: Vec<String> = passed.into_iter().chain(next).collect();
        let room = room.join(", ");
        writeln!(f, "{}: {} bytes, {room}", self.file, self.bytes)?;
        let line = |bytes: usize| format!("{bytes:>9} {:>4}% ", self.percent(bytes));
        if self.descriptions > 0 {
            let advice = "descriptions; `--maxDescLen=0` leaves them out";
            writeln!(f, "{} {advice}", line(self.descriptions))?;
        }
        let shown = self.parts.iter().take(LISTED);
        for part in shown.filter(|part| self.percent(part.total()) > 0) {
            write!(f, "{} {}", line(part.total()), part.path)?;
            match part.count - 1 {
                0 => writeln!(f)?,
                more => writeln!(f, " and {more} more like it")?,
            }
        }
        Ok(())
    }
}

/// Parts by a hash of their content.
#[derive(Default)]
struct Walk {
    parts: HashMap<u64, Part>,
}

impl Walk {
    /// Adds a schema and all below it; returns its bytes, and how many of them are descriptions.
    fn add(&mut self, of: &JsonSchema, path: &str) -> (usize, usize) {
        let arena = Arena::new();
        let text = kindsmith_json::to_string(schema::write(of, &arena));
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let part = self.parts.entry(hasher.finish()).or_insert_with(|| Part {
            path: path.to_owned(),
            count: 0,
            bytes: text.len(),
        });
        part.count += 1;
        let mut descriptions = of.description.len();
        for (name, property) in &of.properties {
            descriptions += self.add(property, &format!("{path}.{name}")).1;
        }
        if let Some(item) = of.item() {
            descriptions += self.add(item, &format!("{path}[]")).1;
        }
        if let Some(value) = of.additional() {
            descriptions += self.add(value, &format!("{path}.*")).1;
        }
        (text.len(), descriptions)
    }
}
