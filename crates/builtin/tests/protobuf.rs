//! Laws of the protobuf codec: what is encoded can be decoded, and no bytes make it panic.

use std::sync::OnceLock;

use crate::sample::{self, Random};
use kindsmith_builtin::protobuf::{self, Codec, Error, frame, open, seal};
use kindsmith_builtin::types::{self, own_schema};
use kindsmith_engine::Plan;
use kindsmith_json::{Arena, Value, parse, parse_str, to_string};
use kindsmith_schema::{TypeId, TypeName};
use proptest::prelude::*;

const CORE: &str = "k8s.io/api/core/v1";
const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

fn find(package: &str, name: &str) -> TypeId {
    own_schema()
        .find(&TypeName::new(package, name))
        .unwrap_or_else(|| panic!("no type {name}"))
}

/// The codec, and the plan of every kind.
fn own() -> &'static (Codec, Vec<(TypeId, Plan)>) {
    static OWN: OnceLock<(Codec, Vec<(TypeId, Plan)>)> = OnceLock::new();
    OWN.get_or_init(|| {
        let schema = own_schema();
        let plan = |ty| (ty, Plan::compile(schema, ty));
        (
            Codec::new(schema),
            sample::kinds(schema).into_iter().map(plan).collect(),
        )
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Expects this message for an object, and the object back.
fn check(package: &str, name: &str, object: &str, message: &str) {
    let codec = Codec::new(own_schema());
    let arena = Arena::new();
    let value = parse_str(&arena, object).expect("the case is JSON");
    let ty = find(package, name);
    let bytes = codec.encode_message(ty, value).expect("the object fits its type");
    assert_eq!(hex(&bytes), message, "{object}");
    let body = seal("", "", &bytes);
    let read = codec
        .decode(&arena, ty, &body)
        .expect("what was written can be read");
    assert_eq!(to_string(read), object);
}

#[test]
fn values_are_written_even_when_zero_and_pointers_only_when_set() {
    check(CORE, "LocalObjectReference", r#"{"name":"a"}"#, "0a0161");
    check(CORE, "LocalObjectReference", "{}", "0a00");
    check(META, "Preconditions", r#"{"uid":""}"#, "0a00");
    check(META, "Preconditions", "{}", "");
    check(
        "k8s.io/api/autoscaling/v1",
        "ScaleSpec",
        r#"{"replicas":-1}"#,
        "08ffffffffffffffffff01",
    );
}

#[test]
fn fields_are_written_by_number_and_read_in_the_order_of_the_struct() {
    check(
        CORE,
        "ReplicationControllerSpec",
        r#"{"replicas":1,"minReadySeconds":2,"selector":{"a":"b"}}"#,
        "080112060a01611201622002",
    );
}

#[test]
fn types_with_special_forms() {
    check(CORE, "TCPSocketAction", r#"{"port":80}"#, "0a06080010501a001200");
    check(
        CORE,
        "TCPSocketAction",
        r#"{"port":"http"}"#,
        "0a0a080110001a04687474701200",
    );
    check(
        CORE,
        "ResourceRequirements",
        r#"{"limits":{"cpu":"100m"}}"#,
        "0a0d0a0363707512060a043130306d",
    );
    check(
        "k8s.io/api/authentication/v1",
        "UserInfo",
        r#"{"extra":{"a":["b"],"c":[]}}"#,
        "0a00120022080a016112030a016222050a01631200",
    );
    check(META, "Timestamp", r#"{"seconds":1,"nanos":0}"#, "08011000");
    check(
        CORE,
        "EventSeries",
        r#"{"count":1,"lastObservedTime":"1970-01-01T00:00:01.000002Z"}"#,
        "08011205080110d00f",
    );
}

#[test]
fn an_unset_time_is_an_empty_message() {
    check(CORE, "EventSeries", "{}", "08001200");
}

#[test]
fn packed_lists_are_read_but_not_written() {
    check(
        CORE,
        "ContainerRestartRuleOnExitCodes",
        r#"{"values":[1,300]}"#,
        "0a00100110ac02",
    );
    let codec = Codec::new(own_schema());
    let arena = Arena::new();
    let body = seal("", "", &[0x0a, 0x01, b'x', 0x12, 0x03, 0x01, 0xac, 0x02]);
    let ty = find(CORE, "ContainerRestartRuleOnExitCodes");
    let read = codec.decode(&arena, ty, &body).expect("numbers may be packed");
    assert_eq!(to_string(read), r#"{"operator":"x","values":[1,300]}"#);
}

/// Expects this result of decoding a message.
fn check_read(package: &str, name: &str, message: &[u8], expected: Result<&str, &str>) {
    let codec = Codec::new(own_schema());
    let arena = Arena::new();
    let body = seal("", "", message);
    let read = codec.decode(&arena, find(package, name), &body);
    let read = read.map(to_string).map_err(|error| error.to_string());
    assert_eq!(
        read.as_deref().map_err(String::as_str),
        expected,
        "{}",
        hex(message)
    );
}

#[test]
fn messages_in_parts_are_merged() {
    // The same message field twice: the first has the number, the second is empty and changes nothing.
    let message = [0x0a, 0x02, 0x08, 0x05, 0x0a, 0x00];
    check_read(
        CORE,
        "SessionAffinityConfig",
        &message,
        Ok(r#"{"clientIP":{"timeoutSeconds":5}}"#),
    );
}

#[test]
fn unknown_fields_are_skipped() {
    let group = [0x9b, 0x06, 0x08, 0x01, 0x9c, 0x06];
    let mut message = vec![0x0a, 0x01, b'a', 0xf8, 0x01, 0x07];
    message.extend(group);
    check_read(CORE, "LocalObjectReference", &message, Ok(r#"{"name":"a"}"#));
}

#[test]
fn bad_bytes_have_the_errors_of_generated_code() {
    for (message, words) in [
        (&[0x0a, 0x05, b'a'][..], "unexpected EOF"),
        (&[0x08, 0x01], "proto: wrong wireType = 0 for field Name"),
        (
            &[0x04],
            "proto: LocalObjectReference: wiretype end group for non-group",
        ),
        (
            &[0x02],
            "proto: LocalObjectReference: illegal tag 0 (wire type 2)",
        ),
        (&[0x17], "proto: illegal wireType 7"),
        (&[0xff; 12], "proto: integer overflow"),
        (
            &[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            "proto: negative length found during unmarshaling",
        ),
    ] {
        check_read(CORE, "LocalObjectReference", message, Err(words));
    }
}

#[test]
fn years_that_rfc3339_cannot_express_are_rejected() {
    // Seconds 2^60 in `lastObservedTime`.
    let message = [
        0x12, 0x0a, 0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10,
    ];
    let words = "field LastObservedTime has a value that its type does not have";
    check_read(CORE, "EventSeries", &message, Err(words));
}

#[test]
fn depth_is_bounded() {
    let ty = find(
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
        "JSONSchemaProps",
    );
    let codec = Codec::new(own_schema());
    let arena = Arena::new();
    let mut message = Vec::new();
    for _ in 0..1000 {
        // `not`, field 28.
        let mut outer = vec![0xe2, 0x01];
        let length = message.len();
        if length >= 0x80 {
            outer.extend([(length & 0x7f) as u8 | 0x80, (length >> 7) as u8]);
        } else {
            outer.push(length as u8);
        }
        outer.extend(&message);
        message = outer;
    }
    assert_eq!(
        codec.decode(&arena, ty, &seal("", "", &message)),
        Err(Error::TooDeep)
    );
    let text = format!("{}{}", "{\"not\":".repeat(1000), "null") + &"}".repeat(1000);
    let value = parse_str(&arena, &text).expect("the reader goes deeper");
    assert_eq!(codec.encode(ty, value), Err(Error::TooDeep));
}

#[test]
fn bodies_contain_their_kind() {
    let body = seal("apps/v1", "Deployment", b"xyz");
    let envelope = open(&body).expect("it was just sealed");
    assert_eq!(
        (envelope.api_version, envelope.kind),
        (&b"apps/v1"[..], &b"Deployment"[..])
    );
    assert_eq!(envelope.message, b"xyz");
    assert_eq!(
        hex(&body),
        "6b3873000a150a07617070732f7631120a4465706c6f796d656e74120378797a1a002200"
    );
    for (body, words) in [
        (&b""[..], "empty data"),
        (
            b"{}",
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
        ),
        (b"k8s\0", "empty body"),
    ] {
        assert_eq!(
            open(body).map_err(|error| error.to_string()),
            Err(words.to_owned())
        );
    }
}

#[test]
fn events_have_a_length_prefix() {
    assert_eq!(
        hex(&frame("ADDED", b"k8s\0")),
        "0000000f0a05414444454412060a046b387300"
    );
}

/// Expects this JSON body or error for the body of a ConfigMap.
fn check_body(body: &[u8], expected: Result<&str, &str>) {
    let arena = Arena::new();
    let expected_kind = ("ConfigMap", "", "v1");
    let ty = find(CORE, "ConfigMap");
    let found = protobuf::json_body(types::own_codec(), &arena, ty, expected_kind, body);
    let found = found.map(|body| std::str::from_utf8(body.bytes).expect("JSON is text"));
    let found = found.map_err(|status| status.message);
    assert_eq!(
        found.as_deref().map_err(String::as_str),
        expected,
        "{}",
        hex(body)
    );
}

#[test]
fn bodies_of_requests_become_json() {
    let message = [0x12, 0x06, 0x0a, 0x01, b'k', 0x12, 0x01, b'v'];
    let json = r#"{"kind":"ConfigMap","apiVersion":"v1","data":{"k":"v"}}"#;
    check_body(&seal("v1", "ConfigMap", &message), Ok(json));
    check_body(&seal("", "", &message), Ok(json));
    check_body(
        &seal("apps/v1", "Deployment", &message),
        Ok(r#"{"kind":"Deployment","apiVersion":"apps/v1"}"#),
    );
    check_body(
        &seal("v1", "ConfigMap", &message[..5]),
        Err(r#"ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF"#),
    );
    check_body(
        b"{}",
        Err(
            "the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a \
             protobuf message, expected prefix [107 56 115 0] ({})",
        ),
    );
}

#[test]
fn tables_have_no_message() {
    let codec = Codec::new(own_schema());
    let table = find(META, "Table");
    assert!(!codec.supports(table));
    assert!(matches!(
        codec.encode(table, Value::Null),
        Err(Error::NoMessage(_))
    ));
    // Nor do times and similar types by themselves.
    assert!(!codec.supports(find(META, "Duration")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Objects in Go's form round-trip.
    #[test]
    fn objects_round_trip(seed in any::<u64>()) {
        let schema = own_schema();
        let (codec, kinds) = own();
        let mut random = Random(seed);
        let (ty, plan) = &kinds[random.below(kinds.len() as u64) as usize];
        let ty = *ty;
        let arena = Arena::new();
        let text = sample::object(schema, ty, &mut random);
        let object = plan.encoded(&arena, parse_str(&arena, &text).expect("samples are JSON"));
        let body = codec.encode(ty, object);
        let body = body.unwrap_or_else(|error| panic!("{}: {error}: {text}", schema.ty(ty).name));
        let read = codec.decode(&arena, ty, &body).expect("what was written can be read");
        prop_assert_eq!(plan.encode(read), plan.encode(object), "{}", schema.ty(ty).name);
        // The same bytes again: the encoding is canonical.
        prop_assert_eq!(codec.encode(ty, read).expect("it was read"), body);
    }

    /// No bytes make it panic, and whatever it decodes it can encode.
    #[test]
    fn any_bytes_are_decoded_or_rejected(seed in any::<u64>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let schema = own_schema();
        let (codec, kinds) = own();
        let mut random = Random(seed);
        let ty = kinds[random.below(kinds.len() as u64) as usize].0;
        let arena = Arena::new();
        let text = sample::object(schema, ty, &mut random);
        let object = parse(&arena, text.as_bytes()).expect("samples are JSON");
        let mut message = codec.encode_message(ty, object).expect("samples fit their type");
        if !message.is_empty() {
            let at = at.index(message.len());
            message[at] = byte;
        }
        let body = seal("v1", "X", &message);
        if let Ok(read) = codec.decode(&arena, ty, &body) {
            codec.encode(ty, read).expect("what was read can be written");
        }
    }
}
