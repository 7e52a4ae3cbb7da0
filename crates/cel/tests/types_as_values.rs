//! Types as keys and elements, as kube-apiserver 1.38 answers.

use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::types::decl::{Declarations, ObjectShape, Schema, Shape};
use kindsmith_cel::validation_rule::{self, CompileFailure};
use kindsmith_json::{Object, Value};

fn result(text: &str) -> String {
    let object = Schema {
        shape: Shape::Object(ObjectShape {
            properties: Some([].into()),
            ..ObjectShape::default()
        }),
        ..Schema::default()
    };
    let declarations = Declarations::new(&object, false, "selfType1").expect("objects are visible");
    let compiled = match validation_rule::compile(text, &declarations, false) {
        Ok(compiled) => compiled,
        Err(CompileFailure::Program(error)) => return error.to_string(),
        Err(error) => return format!("{error:?}"),
    };
    let (value, scratch) = (Value::Object(Object::EMPTY), Scratch::new());
    let inputs = Inputs {
        object: Some((&value, &declarations.root)),
        old: None,
        optional_old: false,
        limit: 1_000_000,
    };
    format!("{:?}", compiled.program.eval(inputs, &scratch).value)
}

#[test]
fn maps_can_have_types_as_keys() {
    for text in [
        "int in {int: 1}",
        "{int: 1} == {int: 1}",
        "{type(1): 1} == {int: 1}",
        "{dyn(int): 1} == {dyn(int): 1}",
        "{int: 1, int: 2}.size() == 1",
        "{int: 1}.all(k, v, v == 1)",
        "{int: 1}.map(k, 1) == [1]",
    ] {
        assert_eq!(result(text), "Bool(true)", "{text}");
    }
}

#[test]
fn a_variable_that_is_a_type_needs_the_name_of_one() {
    for (text, name) in [
        ("{int: 1}.all(k, k == int)", "k"),
        ("{'a': int}.all(k, v, v == int)", "v"),
        ("[int].exists(x, x == int)", "x"),
    ] {
        let expected = format!("reference to undefined type: {name}");
        assert!(result(text).contains(&expected), "{text}: {}", result(text));
    }
}
