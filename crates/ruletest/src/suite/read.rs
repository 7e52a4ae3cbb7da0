//! Reads suites, both openshift/api's and ours: one reader, because ours is theirs with more keys.
//!
//! Keys that their runner ignores are ignored here too, with a note; in our own files they are errors.

use std::fmt;

use kindsmith::Profile;
use kindsmith_json::locate::{in_yaml, line_column};
use kindsmith_json::path::Segment;
use kindsmith_json::{Arena, Object, Value, to_string, yaml};
use kindsmith_merge::patch::MergePatch;

use super::{Case, Dialect, Expected, ExpectedError, Settings, Sources, Suite, Table};

/// Keys of openshift/api's format, by level.
const THEIR_SUITE: &[&str] = &[
    "apiVersion",
    "name",
    "crd",
    "crdName",
    "version",
    "featureGates",
    "tests",
];
const THEIR_TESTS: &[&str] = &["onCreate", "onUpdate"];
const THEIR_CREATE: &[&str] = &["name", "initial", "expected", "expectedError"];
const THEIR_UPDATE: &[&str] = &[
    "name",
    "initialCRDPatches",
    "initial",
    "updated",
    "expected",
    "expectedError",
    "expectedStatusError",
];
/// Keys that our format adds.
const OUR_SUITE: &[&str] = &[
    "kind",
    "crds",
    "types",
    "base",
    "options",
    "gates",
    "profile",
    "enforceAll",
];
const OUR_CASE: &[&str] = &[
    "expectedErrors",
    "expectedWarnings",
    "options",
    "gates",
    "profile",
    "enforceAll",
    "versions",
    "subresource",
];
const ERROR_KEYS: &[&str] = &["field", "type", "origin", "detail"];
/// A suite has one of these.
const WORDS: [&str; 3] = ["onCreate:", "onUpdate:", "RuleTests"];
const BETA: &str = "DeclarativeValidationBeta";

/// Why a suite cannot be read: the file, the line if there is one, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a suite; `None` if the text is a document of another kind.
///
/// # Errors
///
/// If the text is a suite with a mistake.
pub fn read(file: &str, text: &str) -> Result<Option<Suite>, ReadError> {
    // Most files are manifests, and some of them are large.
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Ok(None);
    }
    let arena = Arena::new();
    let fail = |line, message: String| ReadError {
        file: file.to_owned(),
        line,
        message,
    };
    let read = match yaml::read(&arena, text.as_bytes(), kindsmith_json::Options::default()) {
        Ok(read) => read,
        Err(error) => return Err(fail(1, error.to_string())),
    };
    let Some(dialect) = dialect(read.value) else {
        return Ok(None);
    };
    let mut notes = Vec::new();
    for duplicate in &read.duplicates {
        let message = format!("{} is there twice, so the first one has no effect", duplicate.key);
        match dialect {
            Dialect::RuleTests => return Err(fail(duplicate.line, message)),
            Dialect::OpenShift => notes.push(format!("line {}: {message}", duplicate.line)),
        }
    }
    let mut reader = Reader {
        arena: &arena,
        text,
        dialect,
        base: None,
        notes,
    };
    let suite = reader.suite(file, read.value);
    suite.map(Some).map_err(|fault| {
        let line = reader.line(&fault.at);
        fail(line, fault.message)
    })
}

fn dialect(value: Value<'_>) -> Option<Dialect> {
    let kind = value.get("kind").and_then(Value::as_str);
    if kind == Some("RuleTests") {
        return Some(Dialect::RuleTests);
    }
    let has_tests = value
        .get("tests")
        .is_some_and(|tests| tests.as_object().is_some());
    let has_crd = value.get("crdName").is_some() || value.get("crd").is_some();
    (kind.is_none() && has_tests && has_crd).then_some(Dialect::OpenShift)
}

/// A mistake and the keys that lead to it.
struct Fault {
    at: Vec<Key>,
    message: String,
}

#[derive(Debug, Clone)]
enum Key {
    Name(String),
    Index(usize),
}

struct Reader<'a> {
    arena: &'a Arena,
    text: &'a str,
    dialect: Dialect,
    /// What every object of the suite starts from.
    base: Option<Value<'a>>,
    notes: Vec<String>,
}

impl<'a> Reader<'a> {
    fn suite(&mut self, file: &str, value: Value<'a>) -> Result<Suite, Fault> {
        let root = self.members(value, &[], &[THEIR_SUITE, OUR_SUITE])?;
        self.base = root.get("base");
        let settings = self.settings(root, &[], &Settings::default())?;
        let sources = self.sources(root)?;
        let mut cases = Vec::new();
        let tests = root.get("tests").filter(|tests| !tests.is_null());
        let tests = tests.unwrap_or(Value::Object(Object::EMPTY));
        let at = [name("tests")];
        let tables = self.members(tests, &at, &[THEIR_TESTS])?;
        for table in [Table::OnCreate, Table::OnUpdate] {
            let Some(list) = tables.get(table.key()).filter(|list| !list.is_null()) else {
                continue;
            };
            let list = list
                .as_array()
                .ok_or_else(|| fault(&at, format!("`{}` is not a list", table.key())))?;
            for (index, case) in list.iter().enumerate() {
                cases.push(self.case(table, index, *case, &settings)?);
            }
        }
        Ok(Suite {
            file: file.to_owned(),
            name: text_of(root, "name").unwrap_or(file).to_owned(),
            dialect: self.dialect,
            sources,
            cases,
            notes: std::mem::take(&mut self.notes),
        })
    }

    fn sources(&self, root: Object<'a>) -> Result<Sources, Fault> {
        let owned = |key| text_of(root, key).map(str::to_owned);
        let mut crds = self.texts(root, "crds", &[])?;
        crds.extend(owned("crd"));
        Ok(Sources {
            crd_name: owned("crdName"),
            crds,
            types: self.texts(root, "types", &[])?,
            version: owned("version"),
            feature_gates: self.texts(root, "featureGates", &[])?,
        })
    }

    fn case(
        &mut self,
        table: Table,
        index: usize,
        value: Value<'a>,
        outer: &Settings,
    ) -> Result<Case, Fault> {
        let at = [name("tests"), name(table.key()), Key::Index(index)];
        let theirs = match table {
            Table::OnCreate => THEIR_CREATE,
            Table::OnUpdate => THEIR_UPDATE,
        };
        let members = self.members(value, &at, &[theirs, OUR_CASE])?;
        let initial = self.object(members, "initial", &at)?;
        let updated = self.object(members, "updated", &at)?;
        if table == Table::OnUpdate && updated.is_none() {
            return Err(fault(&at, "an update needs `updated`".to_owned()));
        }
        Ok(Case {
            name: text_of(members, "name").unwrap_or("unnamed").to_owned(),
            table,
            index,
            line: self.line(&at),
            initial: initial.ok_or_else(|| fault(&at, "a case needs `initial`".to_owned()))?,
            updated,
            crd_patches: members.get("initialCRDPatches").map(to_string),
            subresource: text_of(members, "subresource").unwrap_or_default().to_owned(),
            versions: self.texts(members, "versions", &at)?,
            settings: self.settings(members, &at, outer)?,
            expected: self.expected(members, &at)?,
        })
    }

    fn expected(&self, members: Object<'a>, at: &[Key]) -> Result<Expected, Fault> {
        // The other runner takes an empty text for none.
        let filled = |key| {
            text_of(members, key)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let errors = match members.get("expectedErrors").map(Value::as_array) {
            None => None,
            Some(None) => {
                return Err(fault(
                    &below(at, "expectedErrors"),
                    "`expectedErrors` is not a list".to_owned(),
                ));
            }
            Some(Some(list)) => {
                let errors = list.iter().map(|error| expected_error(*error));
                let errors = errors.collect::<Result<_, _>>();
                Some(errors.map_err(|message| fault(&below(at, "expectedErrors"), message))?)
            }
        };
        Ok(Expected {
            object: self.object(members, "expected", at)?,
            error: filled("expectedError"),
            status_error: filled("expectedStatusError"),
            errors,
            warnings: if members.contains_key("expectedWarnings") {
                Some(self.texts(members, "expectedWarnings", at)?)
            } else {
                None
            },
        })
    }

    fn settings(&self, members: Object<'a>, at: &[Key], outer: &Settings) -> Result<Settings, Fault> {
        let mut settings = outer.clone();
        for (option, on) in self.switches(members, "options", at)? {
            settings.options.set(option, on);
        }
        for (gate, on) in self.switches(members, "gates", at)? {
            if gate != BETA {
                let message = format!("no gate `{gate}`; available: {BETA}");
                return Err(fault(&below(at, "gates"), message));
            }
            settings.beta = Some(on);
        }
        if let Some(all) = members.get("enforceAll").and_then(Value::as_bool) {
            settings.enforces_all = all;
        }
        settings.profile = match text_of(members, "profile") {
            None => outer.profile,
            Some("upstream") => Some(Profile::Upstream),
            Some("kep") => Some(Profile::Kep),
            Some(other) => {
                let message = format!("no profile `{other}`; available: upstream, kep");
                return Err(fault(&below(at, "profile"), message));
            }
        };
        Ok(settings)
    }

    fn switches(&self, members: Object<'a>, key: &str, at: &[Key]) -> Result<Vec<(String, bool)>, Fault> {
        let Some(value) = members.get(key) else {
            return Ok(Vec::new());
        };
        let wrong = || {
            fault(
                &below(at, key),
                format!("`{key}` is not a map of names to true or false"),
            )
        };
        let entries = value.as_object().ok_or_else(wrong)?;
        let entry = |entry: &kindsmith_json::Entry<'a>| Some((entry.key.to_owned(), entry.value.as_bool()?));
        entries
            .entries()
            .iter()
            .map(|one| entry(one).ok_or_else(wrong))
            .collect()
    }

    /// An object, given as a mapping or as YAML text, over the suite's `base`.
    fn object(&self, members: Object<'a>, key: &str, at: &[Key]) -> Result<Option<String>, Fault> {
        let wrong = |message: String| fault(&below(at, key), format!("`{key}` {message}"));
        let value = match members.get(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Str(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::Str(text)) => {
                let parsed = yaml::parse(self.arena, text.as_bytes());
                parsed.map_err(|error| wrong(format!("is not YAML: {error}")))?
            }
            Some(value) => value,
        };
        if value.as_object().is_none() {
            return Err(wrong("is not an object".to_owned()));
        }
        let Some(base) = self.base else {
            return Ok(Some(to_string(value)));
        };
        let text = self.arena.alloc_str(&to_string(value));
        let patch = MergePatch::read(self.arena, text.as_bytes());
        let patch = patch.map_err(|error| wrong(format!("is not an object: {error:?}")))?;
        Ok(Some(to_string(patch.apply(self.arena, base))))
    }

    fn texts(&self, members: Object<'a>, key: &str, at: &[Key]) -> Result<Vec<String>, Fault> {
        let wrong = || fault(&below(at, key), format!("`{key}` is not a list of texts"));
        match members.get(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(value) => {
                let list = value.as_array().ok_or_else(wrong)?;
                list.iter()
                    .map(|one| one.as_str().map(str::to_owned).ok_or_else(wrong))
                    .collect()
            }
        }
    }

    /// The members of a mapping, whose keys must be among the known ones: first openshift's, then ours.
    fn members(&mut self, value: Value<'a>, at: &[Key], known: &[&[&str]]) -> Result<Object<'a>, Fault> {
        let members = value
            .as_object()
            .ok_or_else(|| fault(at, "not a mapping".to_owned()))?;
        for key in members.keys() {
            match self.dialect {
                Dialect::RuleTests if !known.concat().contains(&key) => {
                    let known = known.concat().join(", ");
                    return Err(fault(
                        &below(at, key),
                        format!("no field `{key}`; available: {known}"),
                    ));
                }
                Dialect::OpenShift if !known[0].contains(&key) => {
                    let line = self.line(&below(at, key));
                    self.notes.push(format!(
                        "line {line}: `{key}` is not part of the format and has no effect"
                    ));
                }
                _ => {}
            }
        }
        Ok(members)
    }

    fn line(&self, at: &[Key]) -> usize {
        let segments = at.iter().map(|key| match key {
            Key::Name(name) => Segment::Field(name),
            Key::Index(index) => Segment::Index(*index),
        });
        let location = in_yaml(self.text, segments);
        let offset = location.map_or(0, |found| found.key.unwrap_or(found.value).start);
        line_column(self.text.as_bytes(), offset).0
    }
}

fn expected_error(value: Value<'_>) -> Result<ExpectedError, String> {
    if let Some(text) = value.as_str() {
        return Ok(ExpectedError {
            text: Some(text.to_owned()),
            ..ExpectedError::default()
        });
    }
    let members = value
        .as_object()
        .ok_or("an expected error is a text or a mapping")?;
    if let Some(key) = members.keys().find(|key| !ERROR_KEYS.contains(key)) {
        return Err(format!("no field `{key}`; available: {}", ERROR_KEYS.join(", ")));
    }
    let owned = |key| text_of(members, key).map(str::to_owned);
    Ok(ExpectedError {
        text: None,
        field: owned("field"),
        kind: owned("type"),
        origin: owned("origin"),
        detail: owned("detail"),
    })
}

fn text_of<'a>(members: Object<'a>, key: &str) -> Option<&'a str> {
    members.get(key).and_then(Value::as_str)
}

fn name(key: &str) -> Key {
    Key::Name(key.to_owned())
}

fn below(at: &[Key], key: &str) -> Vec<Key> {
    let mut at = at.to_vec();
    at.push(name(key));
    at
}

fn fault(at: &[Key], message: String) -> Fault {
    Fault {
        at: at.to_vec(),
        message,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::parse_str;

    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match read("a.yaml", text) {
            Ok(None) => "other".to_owned(),
            Ok(Some(suite)) => {
                let cases: Vec<String> = suite
                    .cases
                    .iter()
                    .map(|case| format!("{}@{}", case.name, case.line))
                    .collect();
                format!("{:?} {} {:?}", suite.dialect, cases.join(","), suite.notes)
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn both_formats_are_told_apart() {
        check("kind: Pod\n", "other");
        check(
            "crdName: a.b\nextra: 1\ntests:\n  onCreate:\n  - name: one\n    initial: |\n      kind: A\n",
            "OpenShift one@5 [\"line 2: `extra` is not part of the format and has no effect\"]",
        );
        check(
            "kind: RuleTests\ntests:\n  onUpdate:\n  - name: two\n    initial: {kind: A}\n    updated: {kind: A}\n",
            "RuleTests two@4 []",
        );
    }

    #[test]
    fn mistakes_have_a_line() {
        check(
            "kind: RuleTests\nextra: 1\n",
            "a.yaml:2: no field `extra`; available: apiVersion, name, crd, crdName, version, featureGates, tests, kind, crds, types, base, options, gates, profile, enforceAll",
        );
        check(
            "kind: RuleTests\ntests:\n  onCreate:\n  - name: one\n",
            "a.yaml:4: a case needs `initial`",
        );
        check(
            "kind: RuleTests\ntests:\n  onCreate:\n  - name: one\n    initial: 7\n",
            "a.yaml:5: `initial` is not an object",
        );
    }

    #[test]
    fn the_schema_for_editors_has_the_same_fields() {
        let schema: serde_json::Value = serde_json::from_str(crate::SCHEMA).expect("the schema is JSON");
        let check = |place: &serde_json::Value, known: &[&[&str]]| {
            let fields = place["properties"].as_object().expect("it has fields");
            let mut fields: Vec<&str> = fields.keys().map(|key| &**key).collect();
            let mut known = known.concat();
            fields.sort_unstable();
            known.sort_unstable();
            assert_eq!(fields, known);
        };
        check(&schema, &[THEIR_SUITE, OUR_SUITE]);
        check(&schema["properties"]["tests"], &[THEIR_TESTS]);
        check(&schema["definitions"]["create"], &[THEIR_CREATE, OUR_CASE]);
        check(&schema["definitions"]["update"], &[THEIR_UPDATE, OUR_CASE]);
    }

    #[test]
    fn objects_start_from_the_base() {
        let text = "kind: RuleTests\nbase: {kind: A, spec: {a: 1, b: 2}}\ntests:\n  onCreate:\n  - initial: {spec: {b: null}}\n";
        let suite = read("a.yaml", text)
            .expect("it is a suite")
            .expect("it is a suite");
        let arena = Arena::new();
        let initial = parse_str(&arena, &suite.cases[0].initial).expect("it is JSON");
        assert_eq!(to_string(initial), r#"{"kind":"A","spec":{"a":1}}"#);
    }
}
