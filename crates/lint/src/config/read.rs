//! Reads the `[lint]` table of a `kindsmith.toml`. Everything wrong is reported with its line; unknown keys are wrong.

use std::fmt;
use std::ops::Range;

use kindsmith_tags::catalogue::nearest_of;
use serde_json::Value as Json;
use toml_edit::{Document, Item, TableLike, Value};

use super::{Config, GROUPS, KEYS, PerPath, is_known_selector};
use crate::PackageKind;
use crate::config::glob::Glob;
use crate::facts::{Facts, Form, Setting};
use crate::rule::{RULES, Rule};

/// Something wrong in a `kindsmith.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Config {
    /// Reads the text of a `kindsmith.toml`.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<ConfigError>> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<Config, Vec<ConfigError>> {
    let mut reader = Reader {
        text,
        config: Config::default(),
        errors: Vec::new(),
    };
    match Document::parse(text) {
        Ok(document) => reader.document(document.as_table()),
        Err(error) => reader.wrong(error.span(), error.message().to_owned()),
    }
    if reader.errors.is_empty() {
        Ok(reader.config)
    } else {
        Err(reader.errors)
    }
}

struct Reader<'a> {
    text: &'a str,
    config: Config,
    errors: Vec<ConfigError>,
}

impl Reader<'_> {
    fn wrong(&mut self, span: Option<Range<usize>>, message: String) {
        let at = span.map_or(0, |span| span.start).min(self.text.len());
        let line = self.text[..at].matches('\n').count() + 1;
        self.errors.push(ConfigError { line, message });
    }

    fn document(&mut self, document: &dyn TableLike) {
        for (key, item) in document.iter() {
            match key {
                "lint" => match item.as_table_like() {
                    Some(lint) => self.lint(lint),
                    None => self.wrong(item.span(), "`lint` is a table: write `[lint]`".to_owned()),
                },
                "kubernetes-version" => match item.as_str() {
                    Some(text) => self.config.kubernetes_version = Some(text.to_owned()),
                    None => self.wrong(
                        item.span(),
                        "`kubernetes-version` is a text: write `kubernetes-version = \"1.37\"`".to_owned(),
                    ),
                },
                // Other commands have tables of their own.
                _ if item.is_table_like() => {}
                _ => self.wrong(
                    item.span(),
                    format!("unknown key `{key}`; known is `kubernetes-version`, rules are set in `[lint]`"),
                ),
            }
        }
    }

    fn lint(&mut self, lint: &dyn TableLike) {
        for (key, item) in lint.iter() {
            match key {
                "select" => self.config.select = self.selectors(item),
                "extend-select" => self.config.extend_select = self.selectors(item),
                "ignore" => self.config.ignore = self.selectors(item),
                "known-tags" => self.config.known_tags = self.texts(item),
                "packages" => self.packages(item),
                "per-path" => self.per_path(item),
                "rules" => self.rules(item),
                _ => self.unknown(item, key, "key", KEYS.iter().map(|(key, _)| *key)),
            }
        }
    }

    fn unknown<'k>(&mut self, item: &Item, key: &str, what: &str, known: impl IntoIterator<Item = &'k str>) {
        let known: Vec<&str> = known.into_iter().collect();
        let hint = match nearest_of(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("available: {}", known.join(", ")),
        };
        self.wrong(item.span(), format!("unknown {what} `{key}`; {hint}"));
    }

    fn selectors(&mut self, item: &Item) -> Vec<String> {
        let found = self.texts(item);
        for selector in &found {
            // Codes of readers are not known here; the command checks them.
            if !is_known_selector(selector) && !selector.contains('-') {
                let names = RULES
                    .iter()
                    .flat_map(|rule| [Some(rule.facts.finding.code()), rule.facts.alias])
                    .flatten();
                self.unknown(item, selector, "rule", names.chain(GROUPS));
            }
        }
        found
    }

    fn texts(&mut self, item: &Item) -> Vec<String> {
        let array = item
            .as_array()
            .map(|array| array.iter().map(Value::as_str).collect());
        match array.unwrap_or(None::<Vec<&str>>) {
            Some(texts) => texts.into_iter().map(str::to_owned).collect(),
            None => {
                self.wrong(item.span(), "expected a list of texts".to_owned());
                Vec::new()
            }
        }
    }

    fn packages(&mut self, item: &Item) {
        match item.as_str() {
            Some("auto") => {}
            Some(name) if PackageKind::named(name).is_some() => {
                self.config.packages = PackageKind::named(name);
            }
            _ => self.wrong(
                item.span(),
                "`packages` is one of \"auto\", \"native\", \"crd\", \"library\"".to_owned(),
            ),
        }
    }

    fn per_path(&mut self, item: &Item) {
        let Some(table) = item.as_table_like() else {
            let message = "`per-path` is a table: `\"internal/**\" = { ignore = [\"all\"] }`";
            self.wrong(item.span(), message.to_owned());
            return;
        };
        for (path, item) in table.iter() {
            let Some(inner) = item.as_table_like() else {
                self.wrong(
                    item.span(),
                    format!("expected `\"{path}\" = {{ ignore = [\"CODE\"] }}`"),
                );
                continue;
            };
            let mut ignore = Vec::new();
            for (key, item) in inner.iter() {
                match key {
                    "ignore" => ignore = self.selectors(item),
                    _ => self.unknown(item, key, "key", ["ignore"]),
                }
            }
            let path = Glob::new(path);
            self.config.per_path.push(PerPath { path, ignore });
        }
    }

    fn rules(&mut self, item: &Item) {
        let Some(table) = item.as_table_like() else {
            self.wrong(
                item.span(),
                "`rules` is a table: write `[lint.rules.CODE]`".to_owned(),
            );
            return;
        };
        for (code, item) in table.iter() {
            let Some(rule) = Rule::find(code) else {
                let names = RULES.iter().map(|rule| rule.facts.finding.code());
                self.unknown(item, code, "rule", names);
                continue;
            };
            let Some(settings) = item.as_table_like() else {
                self.wrong(item.span(), format!("expected a table of settings of `{code}`"));
                continue;
            };
            for (name, item) in settings.iter() {
                self.setting(&rule.facts, name, item);
            }
        }
    }

    fn setting(&mut self, rule: &'static Facts, name: &str, item: &Item) {
        let Some(setting) = rule.settings.iter().find(|setting| setting.name == name) else {
            let names = rule.settings.iter().map(|setting| setting.name);
            self.unknown(item, name, "setting", names);
            return;
        };
        let value = json(item);
        match problem(setting, &value) {
            Some(problem) => self.wrong(item.span(), format!("`{name}` {problem}")),
            None => self.config.set(rule, name, value),
        }
    }
}

/// Why a setting cannot have a value.
fn problem(setting: &Setting, value: &Json) -> Option<String> {
    let is_texts = |value: &Json| {
        value
            .as_array()
            .is_some_and(|items| items.iter().all(Json::is_string))
    };
    match setting.form {
        Form::Choice(values) if value.as_str().is_some_and(|text| values.contains(&text)) => None,
        Form::Choice(values) => Some(format!("is one of {}", values.join(", "))),
        Form::Text => (!value.is_string()).then(|| "is a text".to_owned()),
        Form::Texts => (!is_texts(value)).then(|| "is a list of texts".to_owned()),
        Form::Tables(keys) => {
            let Some(tables) = value.as_array() else {
                return Some("is a list of tables".to_owned());
            };
            tables.iter().find_map(|table| match table.as_object() {
                None => Some("is a list of tables".to_owned()),
                Some(table) => {
                    let unknown = table.keys().find(|key| !keys.contains(&key.as_str()))?;
                    Some(format!("has no key `{unknown}`; available: {}", keys.join(", ")))
                }
            })
        }
    }
}

fn json(item: &Item) -> Json {
    if let Some(table) = item.as_table_like() {
        return table
            .iter()
            .map(|(key, item)| (key.to_owned(), json(item)))
            .collect();
    }
    match item {
        Item::ArrayOfTables(tables) => tables
            .iter()
            .map(|table| {
                let entries = table.iter().map(|(key, item)| (key.to_owned(), json(item)));
                Json::Object(entries.collect())
            })
            .collect(),
        Item::Value(value) => json_value(value),
        _ => Json::Null,
    }
}

fn json_value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::String(text.value().clone()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(*number.value()),
        Value::Boolean(flag) => Json::Bool(*flag.value()),
        Value::Datetime(time) => Json::String(time.value().to_string()),
        Value::Array(items) => items.iter().map(json_value).collect(),
        Value::InlineTable(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| (key.to_owned(), json_value(value)));
            Json::Object(entries.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = match parse(text) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn everything_wrong_is_told_with_its_line() {
        check("", &[]);
        check("[lint]\nselect = [\"all\"]\n[diff]\nx = 1\n", &[]);
        check(
            "[lint]\nselec = []",
            &["line 2: unknown key `selec`; did you mean `select`?"],
        );
        check(
            "[lint]\nignore = [\"nobool\"]",
            &["line 2: unknown rule `nobool`; did you mean `nobools`?"],
        );
        check("[lint]\nignore = 3", &["line 2: expected a list of texts"]);
        check(
            "[lint.rules.map-field]\npolicy = \"Never\"",
            &["line 2: `policy` is one of AllowStringToStringMaps, Enforce, Ignore"],
        );
        check(
            "[lint.rules.nomaps]\npolicies = \"Enforce\"",
            &["line 2: unknown setting `policies`; available: policy"],
        );
        check(
            "[lint]\npackages = \"go\"",
            &["line 2: `packages` is one of \"auto\", \"native\", \"crd\", \"library\""],
        );
    }
}
