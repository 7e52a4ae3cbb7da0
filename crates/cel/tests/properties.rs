//! Laws: no text panics, and results are the same every time.

use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::types::decl::{ArrayShape, Declarations, Format, ObjectShape, Schema, Shape};
use kindsmith_cel::validation_rule;
use kindsmith_json::{Arena, parse_str};
use proptest::prelude::*;

const OBJECT: &str = r#"{"i": 3, "s": "text", "l": ["a", "b"], "ios": "5%", "t": "2024-01-01T00:00:00Z"}"#;

fn declarations() -> Declarations {
    let plain = |shape| Schema {
        shape,
        ..Schema::default()
    };
    let list = ArrayShape {
        items: Some(Box::new(plain(Shape::String(Format::Plain)))),
        ..ArrayShape::default()
    };
    let properties = vec![
        ("i".to_owned(), plain(Shape::Integer)),
        ("s".to_owned(), plain(Shape::String(Format::Plain))),
        ("t".to_owned(), plain(Shape::String(Format::DateTime))),
        ("l".to_owned(), plain(Shape::Array(list))),
        (
            "ios".to_owned(),
            Schema {
                int_or_string: true,
                ..Schema::default()
            },
        ),
    ];
    let shape = Shape::Object(ObjectShape {
        properties: Some(properties.into()),
        ..ObjectShape::default()
    });
    Declarations::new(&plain(shape), false, "selfType1").expect("objects are visible")
}

/// All results for a text.
fn answer(text: &str) -> String {
    let declarations = declarations();
    let compiled = match validation_rule::compile(text, &declarations, false) {
        Ok(compiled) => compiled,
        Err(failure) => return format!("{failure:?}"),
    };
    let arena = Arena::new();
    let object = parse_str(&arena, OBJECT).expect("JSON");
    let scratch = Scratch::new();
    let inputs = Inputs {
        object: Some((&object, &declarations.root)),
        old: None,
        optional_old: false,
        limit: 100_000,
    };
    let outcome = compiled.program.eval(inputs, &scratch);
    format!(
        "{} {:?} {} {}",
        compiled.ty,
        compiled.cost,
        outcome.value.type_name(),
        outcome.cost
    )
}

const TOKENS: &[&str] = &[
    "self",
    ".i",
    ".s",
    ".l",
    ".ios",
    ".t",
    "[0]",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ".",
    ",",
    "?",
    ":",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "<",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    " in ",
    "true",
    "null",
    "1",
    "2.5",
    "3u",
    "'s'",
    "b'x'",
    "x",
    "`a`",
    "has(",
    "size(",
    ".all(x, ",
    ".map(x, ",
    ".exists(i, v, ",
    "dyn(",
    "string(",
    "int(",
    "type(",
    ".matches('a')",
    ".format([",
    "optional.of(",
    ".?",
    "[?",
    ".orValue(",
    "timestamp(",
    "duration('1s')",
    "quantity('1')",
    "ip('::1')",
    ".sort()",
    ".join()",
    ".split('')",
    "#",
    "=",
    "&",
    "\"",
    "'",
    "\\",
    "\n",
    "\u{e9}",
    "//",
    "0x",
    "1e",
    "\"\"\"",
];

proptest! {
    #[test]
    fn any_text_has_one_result(text in any::<String>()) {
        prop_assert_eq!(answer(&text), answer(&text));
    }

    #[test]
    fn any_tokens_have_one_result(tokens in prop::collection::vec(prop::sample::select(TOKENS), 1..16)) {
        let text = tokens.concat();
        prop_assert_eq!(answer(&text), answer(&text));
    }
}
