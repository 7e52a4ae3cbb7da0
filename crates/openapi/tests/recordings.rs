//! Every CRD in the recorded transcripts of the API server: the requests and their responses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kindsmith_json::read::{self, Options};
use kindsmith_json::{Arena, Value, to_string, yaml};
use kindsmith_openapi::crd::{self, Definition, Source, Status};
use kindsmith_openapi::{DecodeError, Report};
use kindsmith_schema::JsonSchema;

const RESOURCE: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const ENVELOPE: &str =
    "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: ";

/// One request about CRDs and its response.
struct Exchange<'a> {
    name: String,
    method: &'a str,
    path: &'a str,
    step: Value<'a>,
    status: i64,
    answer: Value<'a>,
}

type Sent = Result<(Definition, Vec<Report>), DecodeError>;

impl<'a> Exchange<'a> {
    fn new(file: &str, step: Value<'a>) -> Option<Self> {
        let path = step.get("path")?.as_str()?;
        let response = step.get("response")?;
        path.starts_with(RESOURCE).then(|| Exchange {
            name: format!("{file}: {:?}", step.get("name")),
            method: step.get("method").and_then(Value::as_str).unwrap_or_default(),
            path,
            step,
            status: response.get("status").and_then(Value::as_i64).unwrap_or_default(),
            answer: response.get("body").unwrap_or_default(),
        })
    }

    fn message(&self) -> &'a str {
        self.answer
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The CRD that was sent, if it was one.
    fn request(&self) -> Option<Sent> {
        let arena = Arena::new();
        let is_yaml = self.step.get("type").and_then(Value::as_str) == Some("application/yaml");
        let text = match self.step.get("body")? {
            Value::Str(text) => text.to_owned(),
            other => to_string(other),
        };
        if is_yaml {
            let value = yaml::parse(&arena, text.as_bytes()).ok()?;
            return is_definition(value).then(|| sent(value, Source::Yaml));
        }
        let read = read::read(&arena, text.as_bytes(), Options::default()).ok()?;
        let source = Source::Json {
            text: &text,
            duplicates: &read.duplicates,
        };
        is_definition(read.value).then(|| sent(read.value, source))
    }
}

fn sent(value: Value<'_>, source: Source<'_>) -> Sent {
    crd::read(value, source).map(|read| (read.definition, read.reports))
}

fn is_definition(value: Value<'_>) -> bool {
    value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}

/// Runs a check on every exchange of the transcripts, and returns how many it applied to.
fn each(check: impl Fn(&Exchange<'_>) -> bool) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the recordings are there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            // Times are replaced in the recordings; a CRD needs a valid one.
            let text = fs::read_to_string(&path).expect("it can be read");
            files.insert(path, text.replace("<lastTransitionTime>", "2026-08-20T15:28:25Z"));
        }
    }
    let mut applied = 0;
    for (path, text) in &files {
        let arena = Arena::new();
        let transcript = read::parse(&arena, text.as_bytes()).expect("it is JSON");
        let steps = transcript
            .get("steps")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let exchanges = steps.iter().filter_map(|step| Exchange::new(&name, *step));
        applied += exchanges.filter(|exchange| check(exchange)).count();
    }
    applied
}

fn written(definition: &Definition) -> String {
    to_string(definition.to_value(&Arena::new()))
}

#[test]
fn responses_are_written_back_unchanged() {
    let count = each(|exchange| {
        if !is_definition(exchange.answer) {
            return false;
        }
        let read = crd::read(exchange.answer, Source::Unknown).expect(&exchange.name);
        assert_eq!(read.reports, [], "{}", exchange.name);
        assert_eq!(
            written(&read.definition),
            to_string(exchange.answer),
            "{}",
            exchange.name
        );
        let again = read.definition.to_internal().to_v1();
        assert_eq!(again, read.definition, "{}", exchange.name);
        true
    });
    assert!(count > 300, "{count} answers");
}

#[test]
fn a_created_crd_is_the_sent_one_with_defaults() {
    let count = each(|exchange| {
        // The server removes unknown metadata from defaults before it stores them, which is not part of this
        // crate.
        let scenarios = [
            "crd-default-embedded-unknown-meta.json",
            "crd-update-embedded-default.json",
        ];
        let cut = scenarios
            .iter()
            .any(|scenario| exchange.name.starts_with(scenario));
        if exchange.method != "POST" || exchange.status != 201 || cut {
            return false;
        }
        let (mut definition, _) = exchange.request().expect(&exchange.name).expect(&exchange.name);
        definition.status = Status::default();
        definition.default_fields();
        let definition = definition.to_internal().to_v1();
        let mut expected = crd::read(exchange.answer, Source::Unknown)
            .expect(&exchange.name)
            .definition;
        expected.metadata = definition.metadata.clone();
        if exchange.path.contains("dryRun") {
            assert_eq!(definition.status, expected.status, "{}", exchange.name);
        }
        expected.status = definition.status.clone();
        assert_eq!(written(&definition), written(&expected), "{}", exchange.name);
        true
    });
    assert!(count > 200, "{count} creations");
}

#[test]
fn rejected_documents_have_the_same_message() {
    let count = each(|exchange| {
        let Some(text) = exchange.message().strip_prefix(ENVELOPE) else {
            return false;
        };
        let request = exchange.request().expect(&exchange.name);
        let Some(strict) = text.strip_prefix("strict decoding error: ") else {
            let error = request.expect_err(&exchange.name);
            assert_eq!(error.to_string(), text, "{}", exchange.name);
            return true;
        };
        let (_, reports) = request.expect(&exchange.name);
        assert_eq!(printed(&reports), minded(strict.split(", ")), "{}", exchange.name);
        true
    });
    assert!(count >= 6, "{count} refusals");
}

#[test]
fn warnings_name_the_same_fields() {
    let count = each(|exchange| {
        let warnings = exchange
            .step
            .lookup(&["response", "warnings"])
            .and_then(Value::as_array);
        let (Some(warnings), Some(Ok((_, reports)))) = (warnings, exchange.request()) else {
            return false;
        };
        let warnings = warnings.iter().filter_map(|warning| warning.as_str());
        let warnings = minded(warnings);
        assert!(
            warnings.is_empty() || printed(&reports) == warnings,
            "{}",
            exchange.name
        );
        !warnings.is_empty()
    });
    assert!(count > 2, "{count} warnings");
}

fn printed(reports: &[Report]) -> Vec<String> {
    reports.iter().map(ToString::to_string).collect()
}

/// The reports among other texts, except for those about metadata.
fn minded<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    texts
        .filter(|text| text.starts_with("unknown field") || text.starts_with("duplicate field"))
        .filter(|text| !text.contains("\"metadata."))
        .map(str::to_owned)
        .collect()
}

#[test]
fn bad_values_print_as_go_prints_them() {
    let count = each(|exchange| {
        let causes = exchange
            .answer
            .lookup(&["details", "causes"])
            .and_then(Value::as_array);
        let (Some(causes), Some(Ok((mut definition, _)))) = (causes, exchange.request()) else {
            return false;
        };
        definition.default_fields();
        let texts = causes.iter().filter_map(|cause| cause.get("message")?.as_str());
        texts.filter(|text| prints(exchange, &definition, text)).count() > 0
    });
    assert!(count > 20, "{count} printed values");
}

/// Checks the struct that a cause shows, if it shows one.
fn prints(exchange: &Exchange<'_>, definition: &Definition, text: &str) -> bool {
    let internal = definition.to_internal().spec;
    let Some(bad) = text.strip_prefix("Invalid value: ") else {
        return false;
    };
    let schemas = definition.spec.schemas().map(|(_, schema)| schema);
    let candidates: Vec<String> = if bad.starts_with("{\"ID\":") {
        schemas.map(|schema| crd::print_schema(schema)).collect()
    } else if bad.starts_with("[{\"Name\":") {
        vec![crd::print_versions(&internal.versions)]
    } else if bad.starts_with("{\"Rule\":") {
        schemas.flat_map(|schema| printed_rules(schema)).collect()
    } else {
        return false;
    };
    let shown = |printed: &String| {
        bad.strip_prefix(printed.as_str())
            .is_some_and(|rest| rest.starts_with(": "))
    };
    assert!(
        candidates.iter().any(shown),
        "{}\n{bad}\n{candidates:#?}",
        exchange.name
    );
    true
}

fn printed_rules(schema: &JsonSchema) -> Vec<String> {
    let own = schema.validations.iter().map(crd::print_rule);
    own.chain(schema.children().flat_map(printed_rules)).collect()
}
