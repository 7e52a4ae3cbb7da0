//! The grammar of `+k8s:` tags: valid lines, and the messages for invalid ones.

use super::*;

fn check(text: &str, expected: &str) {
    let found = match parse(text, Mode::Typed) {
        Ok(chain) => chain.to_string(),
        Err(error) => error.message,
    };
    assert_eq!(found, expected, "{text}");
}

fn refused(text: &str, message: &str, marked: &str) {
    let error = parse(text, Mode::Typed).expect_err(text);
    assert_eq!(
        (error.message.as_str(), &text[error.span]),
        (message, marked),
        "{text}"
    );
}

#[test]
fn tags_have_arguments_and_values() {
    check("name", "name");
    check("name=3", "name=3");
    check("name=word", r#"name="word""#);
    check("name=`a\"b`", r#"name="a\"b""#);
    check("name=true", "name=true");
    check(
        "name(k)=+other(a: 1, b: `x`,  c:true)=-7",
        r#"name("k")=+other(a: 1, b: "x", c: true)=-7"#,
    );
}

#[test]
fn comments_end_a_line() {
    check("name # because", "name");
    check("name=3# because", "name=3");
    check(r##"name="#" # because"##, r##"name="#""##);
}

#[test]
fn trailing_commas_and_empty_lists_are_accepted() {
    check("name(k,)", r#"name("k")"#);
    check("name()", "name");
    check("name()=3", "name=3");
}

#[test]
fn a_missing_value_after_parentheses_is_no_value() {
    check("name()=", "name");
    refused("name=", "unexpected end of input", "");
}

#[test]
fn a_name_without_a_value_leaks_into_the_next_argument() {
    check("outer(k:)=+inner(3)", "outer=+inner(k: 3)");
    check("outer(k: j: 3)", "outer(j: 3)");
}

#[test]
fn numbers_have_any_base_of_go() {
    for text in ["0x1F", "0b101", "0o17", "017", "+3", "-0", "9223372036854775807"] {
        check(&format!("n={text}"), &format!("n={text}"));
    }
    refused("n=12ab", r#"invalid number "12ab" at position 6"#, "12ab");
    refused("n=+", r#"invalid number "+" at position 3"#, "+");
    refused(
        "n=9223372036854775808",
        r#"invalid number "9223372036854775808" at position 21"#,
        "9223372036854775808",
    );
    refused("n=1.5", "unexpected character '.' at position 4", ".");
}

#[test]
fn errors_have_upstreams_messages() {
    refused("k8s:maxLength =3", "unexpected character ' ' at position 14", " ");
    refused(
        "k8s:required +k8s:maxLength=3",
        "unexpected character ' ' at position 13",
        " ",
    );
    refused("n(", "unexpected end of input", "");
    refused("n(a", "unexpected end of input", "");
    refused("n(a: 3", "unexpected end of input", "");
    refused("n( a)", "unexpected character ' ' at position 3", " ");
    refused("n(a )", "unexpected character ' ' at position 4", " ");
    refused(r#"n="abc"#, "unterminated string at position 6", r#""abc"#);
    refused(r#"n="a\n""#, "unhandled escaped character 'n'", r"\n");
    refused(
        r#"n("a", b: "c")=3"#,
        "can't mix named and positional arguments",
        r#"b: "c""#,
    );
    refused(
        r#"n("a", "b")"#,
        "multiple arguments must use 'name: value' syntax",
        r#""a", "b""#,
    );
    refused("n='a'", r"unexpected character '\'' at position 3", "'");
    refused("n=é\u{0}", r"unexpected character '\x00' at position 4", "\0");
}

#[test]
fn raw_values_are_verbatim() {
    let chain = parse("default={\"a\": [1, 2]} # no comment", Mode::Raw).expect("raw values have no grammar");
    assert_eq!(chain.first().text(), "{\"a\": [1, 2]} # no comment");
    assert_eq!(parse("default=", Mode::Raw).expect("empty").first().text(), "");
}

mod laws {
    use proptest::prelude::*;

    use super::super::*;

    fn scalar() -> impl Strategy<Value = Scalar> {
        prop_oneof![
            "[ -~]{0,8}".prop_map(Scalar::Str),
            any::<i64>().prop_map(|value| Scalar::Int(value.to_string())),
            any::<bool>().prop_map(Scalar::Bool),
        ]
    }

    fn rendered() -> impl Strategy<Value = String> {
        let arg = ("[a-z][a-zA-Z0-9_.-]{0,5}", scalar()).prop_map(|(name, value)| format!("{name}: {value}"));
        let link =
            ("[a-z][a-zA-Z0-9_.:-]{0,8}", proptest::collection::vec(arg, 0..3)).prop_map(|(name, args)| {
                if args.is_empty() {
                    name
                } else {
                    format!("{name}({})", args.join(", "))
                }
            });
        (proptest::collection::vec(link, 1..4), scalar())
            .prop_map(|(links, value)| format!("{}={value}", links.join("=+")))
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = parse(&text, Mode::Typed);
            let _ = parse(&text, Mode::Raw);
        }

        #[test]
        fn tag_like_text_does_not_panic(text in "[a-c+=():,\"`\\\\0-9x#. -]{0,40}") {
            if let Err(error) = parse(&text, Mode::Typed) {
                prop_assert!(text.get(error.span).is_some());
            }
        }

        #[test]
        fn canonical_text_means_the_same(text in rendered()) {
            let once = parse(&text, Mode::Typed).map_err(|error| TestCaseError::fail(error.message))?;
            prop_assert_eq!(once.to_string(), text);
        }
    }
}
