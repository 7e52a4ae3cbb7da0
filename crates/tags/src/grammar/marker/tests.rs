//! The marker grammar, case by case.

use super::*;

use ArgumentType::{Any, Anys, Bool, Int, Number, Text, Texts};

fn read(arguments: Arguments, marker: &str) -> Result<MarkerValues, Vec<String>> {
    parse(arguments, split(marker)).map_err(|errors| errors.iter().map(MarkerError::text).collect())
}

fn check_json(marker: &str, ty: ArgumentType, json: &str) {
    let values = read(Arguments::One(ty), marker);
    let found = values.map(|values| values.get("").map(MarkerValue::to_json));
    assert_eq!(found, Ok(Some(json.to_owned())), "{marker}");
}

fn check_error(marker: &str, arguments: Arguments, texts: &[&str]) {
    let errors = read(arguments, marker).expect_err(marker);
    assert_eq!(errors, texts, "{marker}");
}

const COLUMN: Arguments = Arguments::Named(&[
    Argument::needed("name", Text),
    Argument::needed("type", Text),
    Argument::needed("JSONPath", Text),
    Argument::optional("priority", Int),
]);

#[test]
fn names_end_at_the_first_equals_sign() {
    let parts = split("kubebuilder:validation:XValidation:rule=\"a=b\"");
    assert_eq!(parts.full_name, "kubebuilder:validation:XValidation:rule");
    assert_eq!(parts.short_name, "kubebuilder:validation:XValidation");
    assert_eq!(parts.rest, "\"a=b\"");
    assert_eq!(split("optional").short_name, "optional");
}

#[test]
fn any_value_is_guessed() {
    check_json("d=5", Any, "5");
    check_json("d=-5", Any, "-5");
    check_json("d=1.50", Any, "1.5");
    check_json("d=true", Any, "true");
    check_json("d=trueish", Any, "\"trueish\"");
    check_json("d=\"5\"", Any, "\"5\"");
    check_json("d=100Mi", Any, "\"100Mi\"");
    check_json("d=2024-01-15", Any, "\"2024-01-15\"");
    check_json("d=0987", Any, "\"0987\"");
    check_json("d={}", Any, "{}");
    check_json("d={a,b}", Any, "[\"a\",\"b\"]");
    check_json("d={1,2}", Any, "[1,2]");
    check_json("d=a;b", Any, "[\"a\",\"b\"]");
    check_json("d={b: {c: 1}, a: {x, y}}", Any, r#"{"a":["x","y"],"b":{"c":1}}"#);
    check_json("d={{a},{b,c}}", Any, r#"[["a"],["b","c"]]"#);
    check_json("d:=\"x\"", Any, "\"x\"");
    check_json("d=two words", Any, "\"two words\"");
}

#[test]
fn lists_have_two_forms() {
    check_json("e=a;1;true", Anys, r#"["a",1,true]"#);
    check_json("e={a, b}", Texts, r#"["a","b"]"#);
    check_json("e=\"\";b", Anys, r#"["","b"]"#);
}

#[test]
fn text_is_quoted_or_bare() {
    check_json("p=`^a{2,4}$`", Text, r#""^a{2,4}$""#);
    check_json("p=\"a\\tb\"", Text, "\"a\\tb\"");
    check_json("p=^[a-z]+$", Text, "\"^[a-z]+$\"");
}

#[test]
fn wrong_values_are_rejected_with_controller_gens_messages() {
    check_error(
        "m=many",
        Arguments::One(Number),
        &["expected integer or float, got \"many\" (at <input>:1:1)"],
    );
    check_error(
        "m=long",
        Arguments::One(Int),
        &["expected integer, got \"long\" (at <input>:1:1)"],
    );
    check_error(
        "m=1.5",
        Arguments::One(Int),
        &["expected integer, got \"1.5\" (at <input>:1:1)"],
    );
    check_error(
        "m=maybe",
        Arguments::One(Bool),
        &["expected true or false, got \"maybe\" (at <input>:1:1)"],
    );
    check_error(
        "m=true",
        Arguments::None,
        &["extra arguments provided: \"true\" (at <input>:1:1)"],
    );
    check_error("m=", Arguments::One(Any), &["missing argument \"\" (at <input>)"]);
    check_error("m", Arguments::One(Text), &["missing argument \"\" (at <input>)"]);
    check_error(
        "m=^a{2,4}$",
        Arguments::One(Text),
        &["extra arguments provided: \",4}$\" (at <input>:1:5)"],
    );
    check_error(
        "m=a,b",
        Arguments::One(Anys),
        &["extra arguments provided: \",b\" (at <input>:1:2)"],
    );
    check_error(
        "m={1,a}",
        Arguments::One(Any),
        &["expected integer, got \"a\" (at <input>:1:4)"],
    );
    check_error(
        "m=[\"a\",\"b\"]",
        Arguments::One(Any),
        &["extra arguments provided: \",\\\"b\\\"]\" (at <input>:1:5)"],
    );
    check_error(
        "m=`^a",
        Arguments::One(Text),
        &[
            "literal not terminated (at <input>:1:1)",
            "unable to parse string: invalid syntax (at <input>:1:1)",
        ],
    );
    check_error(
        "m=99999999999999999999",
        Arguments::One(Int),
        &[
            "unable to parse integer: strconv.Atoi: parsing \"99999999999999999999\": value out of range (at <input>:1:1)",
        ],
    );
}

#[test]
fn named_arguments_are_checked() {
    check_error(
        "c:name=A,type=string",
        COLUMN,
        &["missing argument \"JSONPath\" (at <input>:1:19)"],
    );
    check_error(
        "c:type=string,JSONPath=.a",
        COLUMN,
        &["missing argument \"name\" (at <input>:1:24)"],
    );
    check_error(
        "c:name=A,type=string,JSONPath=.a,priority=high",
        COLUMN,
        &["expected integer, got \"high\" (at <input>:1:41)"],
    );
    check_error(
        "c:name=A,type=string,JSONPath=.a,width=3",
        COLUMN,
        &[
            "unknown argument \"width\" (at <input>:1:37)",
            "extra arguments provided: \"3\" (at <input>:1:38)",
        ],
    );
    check_error(
        "c",
        const { Arguments::Named(&[Argument::needed("JSONPath", Text)]) },
        &["missing argument \"JSONPath\" (at <input>)"],
    );
}

#[test]
fn named_arguments_are_found() {
    let values = read(
        COLUMN,
        "c:name=\"A B\",type=string,JSONPath=`.status.x`,priority=1",
    )
    .expect("well formed");
    assert_eq!(values.text("name"), Some("A B"));
    assert_eq!(values.text("JSONPath"), Some(".status.x"));
    assert_eq!(values.int("priority"), Some(1));
    assert_eq!(values.get("format"), None);
}

#[test]
fn deep_values_are_rejected_without_overflow() {
    let marker = format!("m={}", "{".repeat(10_000));
    assert!(read(Arguments::One(Any), &marker).is_err());
}

proptest::proptest! {
    #[test]
    fn no_text_panics(marker in "\\PC{0,40}") {
        for arguments in [Arguments::One(Any), Arguments::One(Anys), Arguments::One(Text), COLUMN, Arguments::Raw] {
            _ = parse(arguments, split(&marker));
        }
    }

    #[test]
    fn braces_and_separators_never_panic(marker in "m=[{}:;,a1.\"`' \\\\-]{0,30}") {
        _ = parse(Arguments::One(Any), split(&marker));
    }
}
