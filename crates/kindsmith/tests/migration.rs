//! Hand-written rules and tags on one server, over HTTP, with metrics read back.
#![cfg(feature = "server")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use kindsmith::migration::{
    BadValue, Change, CustomChecks, Declarative, Detail, ErrorKind, Gates, HandWritten, HandWrittenError,
    Lifecycle, Tally,
};
use kindsmith::test_server::TestServer;
use kindsmith::{FieldError, FieldPath, Kinds, Operation, Profile, Release, Value, local_api};
use kindsmith_json::Path;

const GO: &str = r#"
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=park.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec LampSpec `json:"spec,omitempty"`
}

type LampSpec struct {
	// +k8s:LEVEL
	Watts int32 `json:"watts"`
	// +k8s:optional
	// +k8s:customValidation
	Color *string `json:"color,omitempty"`
	NATIVE
	// +k8s:optional
	// +k8s:maxLength=3
	Name *string `json:"name,omitempty"`
}

func ValidateCustom_LampSpec_Color() {}
"#;

const MISMATCHES: &str = "apiserver_validation_declarative_validation_mismatch_total";
const PANICS: &str = "apiserver_validation_declarative_validation_panic_total";

/// A server whose hand-written rule wants more watts than this.
struct Park {
    server: TestServer,
    log: Arc<Mutex<Vec<String>>>,
}

/// How a test sets the server up.
struct Setup {
    level: &'static str,
    native: bool,
    lifecycle: Lifecycle,
    least: i64,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            level: BETA,
            native: false,
            lifecycle: Lifecycle::default(),
            least: 1,
        }
    }
}

struct Colors;

impl CustomChecks for Colors {
    fn check(
        &self,
        _: &str,
        _: Operation,
        _: &Path<'_>,
        new: Option<Value<'_>>,
        _: Option<Value<'_>>,
    ) -> Vec<FieldError> {
        assert_ne!(new.and_then(Value::as_str), Some("infrared"), "no such color");
        Vec::new()
    }
}

fn watts(change: &Change<'_>, least: i64) -> Vec<HandWrittenError> {
    let watts = change
        .new
        .value()
        .lookup(&["spec", "watts"])
        .and_then(Value::as_i64);
    if watts.unwrap_or_default() >= least {
        return Vec::new();
    }
    let path: FieldPath = Path::root("spec").child("watts").to_owned();
    let bad = BadValue::Integer(watts.unwrap_or_default().into());
    let error = FieldError::new(ErrorKind::Invalid, path, bad, Detail::Text("too dark".into()));
    vec![HandWrittenError::covered(error, "minimum")]
}

impl Park {
    fn open(setup: &Setup) -> Self {
        let native = if setup.native {
            "// +k8s:declarativeValidationNative"
        } else {
            ""
        };
        let go = GO.replace("LEVEL", setup.level).replace("NATIVE", native);
        let profile = if setup.native {
            Profile::Kep
        } else {
            Profile::Upstream
        };
        let kinds = Kinds::from_go_in(profile, [("types.go", &*go)]).expect("the types are valid");
        let schema = kinds.go_types().expect("there are types").read().schema.clone();
        let log = Arc::new(Mutex::new(Vec::new()));
        let gates = Gates::default();
        let mut options = local_api::options(&gates);
        local_api::add_kinds(&mut options, schema, &kindsmith_builtin::Settings::default())
            .expect("there is a kind");
        let least = setup.least;
        let rules = HandWritten::new(move |change| watts(change, least)).with_custom(Arc::new(Colors));
        local_api::set_hand_written(&mut options, "Lamp", &rules).expect("there is a kind");
        let lines = Arc::clone(&log);
        options.writes.declarative = Arc::new(Declarative {
            lifecycle: setup.lifecycle,
            tally: Tally::with_log(move |line| lines.lock().expect("no test panics").push(line.to_owned())),
        });
        let server = TestServer::start_with([], options, gates).expect("a port is free");
        Self { server, log }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let address = self.server.url().replace("http://", "");
        let mut stream = TcpStream::connect(&address).expect("the server listens");
        let length = body.len();
        // In one segment: what is written in pieces waits for the acknowledgement of the first.
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        answer
    }

    /// Creates a lamp; the answer is `created` or the causes' messages with their fields.
    fn create(&self, spec: &str) -> String {
        let body = format!(
            r#"{{"apiVersion":"park.example.org/v1","kind":"Lamp","metadata":{{"generateName":"l-"}},"spec":{spec}}}"#
        );
        self.created("/apis/park.example.org/v1/namespaces/default/lamps", &body)
    }

    fn created(&self, path: &str, body: &str) -> String {
        let answer = self.ask("POST", path, body);
        if answer.starts_with("HTTP/1.1 201") {
            return "created".to_owned();
        }
        let message = answer.split("is invalid: ").nth(1).unwrap_or(&answer);
        message
            .split("\",\"reason\"")
            .next()
            .unwrap_or(message)
            .to_owned()
    }

    fn metric(&self, name: &str) -> u64 {
        let text = self.ask("GET", "/metrics", "");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.and_then(|count| count.parse().ok())
            .expect("the metric exists")
    }
}

/// A server with built-in kinds alone.
fn builtin(gates: Gates) -> Park {
    let log = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&log);
    let mut options = local_api::options(&gates);
    local_api::log_differences(&mut options, move |line| {
        lines.lock().expect("no test panics").push(line.to_owned());
    });
    let server = TestServer::start_with([], options, gates).expect("a port is free");
    Park { server, log }
}

impl Park {
    /// Creates a replication controller; the answer is as of lamps.
    fn create_controller(&self, name: &str, replicas: i64) -> String {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ReplicationController","metadata":{{"name":"{name}"}},"spec":{{"replicas":{replicas},
            "selector":{{"a":"b"}},"template":{{"metadata":{{"labels":{{"a":"b"}}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}}"#
        );
        self.created("/api/v1/namespaces/default/replicationcontrollers", &body)
    }
}

/// All gates with which a server can run.
fn all_gates() -> Vec<(&'static str, Gates)> {
    let kubernetes = ["", "DeclarativeValidationBeta=false"].map(|text| (text, Gates::default()));
    let kep = [
        "DeclarativeValidation=false",
        "DeclarativeValidation=false,DeclarativeValidationTakeover=true",
        "DeclarativeValidation=true",
        "DeclarativeValidationTakeover=true",
    ]
    .map(|text| (text, Gates::kep(Release::NEWEST)));
    let all = kubernetes.into_iter().chain(kep);
    all.map(|(text, mut gates)| {
        gates.set(text).expect("the gates exist");
        (text, gates)
    })
    .collect()
}

#[test]
fn built_in_kinds_answer_the_same_whoever_decides() {
    for (text, gates) in all_gates() {
        let park = builtin(gates);
        let expected = "spec.replicas: Invalid value: -1: must be greater than or equal to 0";
        assert_eq!(park.create_controller("negative", -1), expected, "{text}");
        assert_eq!(park.create_controller("fine", 0), "created", "{text}");
        let name = park.create_controller("A_b", 0);
        assert!(
            name.starts_with("metadata.name: Invalid value: \\\"A_b\\\""),
            "{text}: {name}"
        );
        assert_eq!(park.metric(MISMATCHES), 0, "{text}");
    }
}

#[test]
fn a_wrong_rule_of_a_built_in_kind_is_one_mismatch_until_tags_take_over() {
    for release in [Release::default(), Release::NEWEST] {
        let kind =
            kindsmith_builtin::find_own(release, "", "v1", "ReplicationController").expect("it is built in");
        kind.set_hand_written(too_many());
    }
    for (text, gates) in all_gates() {
        let takes_over = text == "DeclarativeValidationTakeover=true";
        let compares = !text.starts_with("DeclarativeValidation=false");
        let park = builtin(gates);
        let expected = if takes_over {
            "created"
        } else {
            "spec.replicas: Invalid value: 4242: too many"
        };
        assert_eq!(park.create_controller("wrong", 4242), expected, "{text}");
        let log = park.log.lock().expect("no test panics").clone();
        assert_eq!(park.metric(MISMATCHES), u64::from(compares), "{text}: {log:?}");
        if !compares {
            continue;
        }
        let label = "apiserver_validation_declarative_validation_parity_discrepancies_total{validation_identifier=\"replicationcontroller_create\"}";
        assert_eq!(park.metric(label), 1);
        let line = "replicationcontroller_create: tags do not find what a hand-written rule finds: type=\"FieldValueInvalid\" \
                    field=\"spec.replicas\" origin=\"minimum\" (ReplicationController default/wrong)";
        assert_eq!(log, [line], "no values are logged");
    }
}

/// A rule for one object: other tests in this process use the kind too.
fn too_many() -> HandWritten {
    HandWritten::new(|change| {
        let is_ours = change.new.value().lookup(&["metadata", "name"]) == Some(Value::Str("wrong"));
        let path = Path::root("spec").child("replicas").to_owned();
        let detail = Detail::Text("too many".into());
        let error = FieldError::new(ErrorKind::Invalid, path, BadValue::Integer(secret()), detail);
        is_ours
            .then(|| HandWrittenError::covered(error, "minimum"))
            .into_iter()
            .collect()
    })
}

/// A value that must not be in a log.
fn secret() -> i128 {
    4242
}

/// One dark lamp: what the server answers, and how many differences it counts.
fn check(setup: &Setup, answer: &str, mismatches: u64) {
    let park = Park::open(setup);
    assert_eq!(
        park.create(r#"{"watts":0}"#),
        answer,
        "{} {:?}",
        setup.level,
        setup.lifecycle
    );
    assert_eq!(
        park.metric(MISMATCHES),
        mismatches,
        "{} {:?}",
        setup.level,
        setup.lifecycle
    );
}

const CODE: &str = "spec.watts: Invalid value: 0: too dark";
const TAG: &str = "spec.watts: Invalid value: 0: must be greater than or equal to 1";
const STABLE: &str = "minimum=1";
const BETA: &str = "beta(since: \"1.37\")=+k8s:minimum=1";
const ALPHA: &str = "alpha(since: \"1.37\")=+k8s:minimum=1";

#[test]
fn levels_and_the_beta_gate_decide_whose_error_is_sent() {
    let shadow = Lifecycle::Kubernetes { beta: false };
    check(&Setup::default(), TAG, 0);
    check(
        &Setup {
            lifecycle: shadow,
            ..Setup::default()
        },
        CODE,
        0,
    );
    check(
        &Setup {
            level: ALPHA,
            ..Setup::default()
        },
        CODE,
        0,
    );
    // Unmarked rules are enforced beside the hand-written ones.
    let both = format!("[{CODE}, {TAG}]");
    check(
        &Setup {
            level: STABLE,
            ..Setup::default()
        },
        &both,
        1,
    );
}

#[test]
fn a_wrong_hand_written_rule_is_one_mismatch_until_tags_take_over() {
    let wrong = |lifecycle| Setup {
        least: 5,
        lifecycle,
        ..Setup::default()
    };
    let kep = |takes_over| Lifecycle::Kep {
        runs: true,
        takes_over,
    };
    for (lifecycle, answer) in [
        (Lifecycle::default(), "spec.watts: Invalid value: 3: too dark"),
        (kep(false), "spec.watts: Invalid value: 3: too dark"),
        (kep(true), "created"),
    ] {
        let park = Park::open(&wrong(lifecycle));
        assert_eq!(park.create(r#"{"watts":3}"#), answer, "{lifecycle:?}");
        assert_eq!(park.metric(MISMATCHES), 1, "{lifecycle:?}");
        let log = park.log.lock().expect("no test panics").clone();
        assert_eq!(log.len(), 1);
        let expected = "lamp_create: tags do not find what a hand-written rule finds: type=\"FieldValueInvalid\" \
                        field=\"spec.watts\" origin=\"minimum\" (Lamp default/l-";
        assert!(log[0].starts_with(expected), "{log:?}");
        let label = "apiserver_validation_declarative_validation_parity_discrepancies_total{validation_identifier=\"lamp_create\"}";
        assert_eq!(park.metric(label), 1);
    }
}

#[test]
fn the_gates_of_the_kep_decide_as_a_whole() {
    let kep = |runs, takes_over| Setup {
        level: STABLE,
        lifecycle: Lifecycle::Kep { runs, takes_over },
        ..Setup::default()
    };
    check(&kep(false, false), CODE, 0);
    check(&kep(false, true), CODE, 0);
    check(&kep(true, false), CODE, 0);
    check(&kep(true, true), TAG, 0);
}

#[test]
fn native_rules_are_always_enforced() {
    for runs in [false, true] {
        let setup = Setup {
            native: true,
            lifecycle: Lifecycle::Kep {
                runs,
                takes_over: false,
            },
            ..Setup::default()
        };
        let park = Park::open(&setup);
        let expected = "spec.name: Too long: may not be more than 3 characters";
        assert_eq!(park.create(r#"{"watts":1,"name":"abcd"}"#), expected);
        assert_eq!(park.metric(MISMATCHES), 0);
    }
}

#[test]
fn a_panic_is_counted_and_loses_nothing_else() {
    let panic = "\\u003cnil\\u003e: Internal error: panic during declarative validation:";
    let kep = |takes_over, native| Setup {
        native,
        lifecycle: Lifecycle::Kep {
            runs: true,
            takes_over,
        },
        ..Setup::default()
    };
    for (setup, is_closed) in [
        (Setup::default(), true),
        (kep(false, false), false),
        (kep(false, true), true),
        (kep(true, false), true),
    ] {
        let park = Park::open(&setup);
        let answer = park.create(r#"{"watts":1,"color":"infrared"}"#);
        assert_eq!(answer.starts_with(panic), is_closed, "{answer}");
        assert_eq!(answer == "created", !is_closed, "{answer}");
        assert_eq!(park.metric(PANICS), 1);
        // The other rules still speak.
        let answer = park.create(r#"{"watts":0,"color":"infrared"}"#);
        assert!(answer.contains("spec.watts: Invalid value: 0"), "{answer}");
        assert_eq!(park.metric(PANICS), 2);
    }
}
