//! Programs give the same results as a plain evaluator that walks the checked tree.

mod generate;
mod naive;

use generate::{Ty, expression, object};
use kindsmith_cel::cost::limit::PER_CALL;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::view::{View, view};
use kindsmith_cel::eval::{Inputs, Program, Scratch};
use kindsmith_cel::types::decl::{ArrayShape, Declarations, Format, ObjectShape, Schema, Shape};
use kindsmith_cel::validation_rule;
use kindsmith_json::{Arena, parse_str};
use naive::{Answer, Naive, Value};
use proptest::prelude::*;

fn declarations() -> Declarations {
    let plain = |shape| Schema {
        shape,
        ..Schema::default()
    };
    let list = |items| {
        plain(Shape::Array(ArrayShape {
            items: Some(Box::new(plain(items))),
            ..ArrayShape::default()
        }))
    };
    let map = plain(Shape::Object(ObjectShape {
        additional: Some(Box::new(plain(Shape::Integer))),
        ..ObjectShape::default()
    }));
    let properties = [
        ("b", plain(Shape::Boolean)),
        ("i", plain(Shape::Integer)),
        ("j", plain(Shape::Integer)),
        ("s", plain(Shape::String(Format::Plain))),
        ("l", list(Shape::Integer)),
        ("t", list(Shape::String(Format::Plain))),
        ("m", map),
    ];
    let shape = Shape::Object(ObjectShape {
        properties: Some(properties.map(|(name, schema)| (name.to_owned(), schema)).into()),
        ..ObjectShape::default()
    });
    Declarations::new(&plain(shape), false, "selfTypeN").expect("objects are visible")
}

fn compare(text: &str, object: &str) -> Result<(), TestCaseError> {
    let declarations = declarations();
    let checked = validation_rule::check_expression(text, &declarations, false)
        .unwrap_or_else(|failure| panic!("{text} checks: {failure:?}"))
        .checked;
    // Constants are folded when the program is made, which reports their errors.
    let Ok(program) = Program::new(&checked, Some(&declarations)) else {
        return Ok(());
    };
    let arena = Arena::new();
    let object = parse_str(&arena, object).expect("JSON");
    let mut naive = Naive {
        checked: &checked,
        variables: vec![("self".to_owned(), Ok(naive::from_json(object)))],
    };
    let expected = naive.eval(checked.root());
    let scratch = Scratch::new();
    let inputs = Inputs {
        object: Some((&object, &declarations.root)),
        old: None,
        optional_old: false,
        limit: PER_CALL,
    };
    let outcome = program.eval(inputs, &scratch);
    if !outcome.cancelled {
        prop_assert_eq!(answer(outcome.value, &scratch), expected, "{}", text);
    }
    Ok(())
}

fn answer(value: Cel<'_>, scratch: &Scratch) -> Answer {
    Ok(match view(value, scratch) {
        View::Bool(truth) => Value::Bool(truth),
        View::Int(number) => Value::Int(number),
        View::Text(text) => Value::Text(text),
        View::List(elements) => {
            let elements = elements.into_iter().map(|element| answer(element, scratch));
            Value::List(elements.collect::<Result<_, _>>()?)
        }
        View::Error(message) => return Err(message.to_owned()),
        other => panic!("{other:?} is not generated"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rules(text in expression(Ty::Bool, 3), object in object()) {
        compare(&text, &object)?;
    }

    #[test]
    fn numbers(text in expression(Ty::Int, 3), object in object()) {
        compare(&text, &object)?;
    }

    #[test]
    fn lists(text in expression(Ty::Ints, 3), object in object()) {
        compare(&text, &object)?;
    }

    #[test]
    fn texts(text in expression(Ty::Text, 3), object in object()) {
        compare(&text, &object)?;
    }
}
