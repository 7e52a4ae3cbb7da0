//! Selectors of devices in claims and classes (k8s.io/dynamic-resource-allocation's cel package): are they right. Nobody evaluates
//! them here.

use std::sync::{Arc, LazyLock};

use crate::check::{CheckFailure, Env, check};
use crate::syntax::parse_with_bindings;
use crate::syntax::source::Source;
use crate::types::Type;
use crate::types::decl::{Declarations, Format, Node, ObjectShape, Schema, Shape};

/// Checks a selector.
///
/// # Errors
///
/// What is wrong with it, in the words of the reference.
pub fn check_selector(text: &str) -> Result<(), String> {
    let source = Source::new(text);
    let told = |failure| match failure {
        CheckFailure::Errors(errors) => format!("compilation failed: {}", errors.display(&source)),
        CheckFailure::Panic(text) => text,
    };
    let ast = parse_with_bindings(&source).map_err(|errors| told(CheckFailure::Errors(errors)))?;
    let device = &*DEVICE;
    let env = Env::new(Some(device)).with("device", device.ty());
    let checked = check(ast, &source, &env).map_err(told)?;
    let result = checked.result();
    if *result == Type::Bool || result.is_dyn() {
        return Ok(());
    }
    Err(format!(
        "must evaluate to bool or the unknown type, not {}",
        result.in_errors()
    ))
}

/// The type of `device`. Attributes and capacities are known by domain and name.
static DEVICE: LazyLock<Declarations> = LazyLock::new(|| {
    let of = |shape| Schema {
        shape,
        ..Schema::default()
    };
    let map = |values: Schema| {
        of(Shape::Object(ObjectShape {
            additional: Some(Box::new(values)),
            ..ObjectShape::default()
        }))
    };
    let any = || Schema {
        int_or_string: true,
        ..Schema::default()
    };
    let fields = [
        ("driver", of(Shape::String(Format::Plain))),
        ("attributes", map(map(any()))),
        ("capacity", map(map(any()))),
        ("allowMultipleAllocations", of(Shape::Boolean)),
    ];
    let fields = fields.map(|(name, schema)| (name.to_owned(), schema));
    let device = of(Shape::Object(ObjectShape {
        properties: Some(fields.into()),
        ..ObjectShape::default()
    }));
    let root = Arc::new(Node::new(&device, false));
    Declarations::of(root, "kubernetes.DRADevice").expect("an object with properties is visible")
});

#[cfg(test)]
mod tests {
    use super::check_selector;

    fn check(text: &str, expected: Result<(), &str>) {
        assert_eq!(
            check_selector(text).as_ref().map_err(|error| &**error),
            expected.as_ref().map_err(|error| *error),
            "{text}"
        );
    }

    #[test]
    fn selectors_see_the_device() {
        check(
            "device.driver == 'd' && device.attributes['d'].model == 'x'",
            Ok(()),
        );
        check("device.capacity['d'].mem.isGreaterThan(quantity('1Gi'))", Ok(()));
        check("device.attributes['d'].shared", Ok(()));
        check(
            "cel.bind(d, device.attributes['d'], d.shared && d.model == 'x')",
            Ok(()),
        );
        check(
            "cel.bind(d, device, d.driver)",
            Err("must evaluate to bool or the unknown type, not string"),
        );
        check(
            "cel.bind(d.e, device, true)",
            Err(concat!(
                "compilation failed: ERROR: <input>:1:11: cel.bind() variable names must be simple identifiers\n",
                " | cel.bind(d.e, device, true)\n",
                " | ..........^"
            )),
        );
        check("1", Err("must evaluate to bool or the unknown type, not int"));
    }
}
