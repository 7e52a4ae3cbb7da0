//! Named formats: `format.dns1123Label()`, `format.named('uri')`, `f.validate(s)`.

use kindsmith_formats::named;

use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

macro_rules! formats {
    ($($key:literal)*) => {
        pub(super) const FUNCTIONS: &[Definition] = &[
            function("validate", &[method("format-validate", "(kubernetes.NamedFormat, string) -> optional(list(string))", Op::Eager(validate))]),
            function("format.named", &[global("format-named", "(string) -> optional(kubernetes.NamedFormat)", Op::Eager(named))]),
            $(function(
                concat!("format.", $key),
                &[global(concat!("format.", $key), "() -> kubernetes.NamedFormat", Op::Sequential(|cx, _| Ok(format(cx, $key))))],
            ),)*
        ];
        #[cfg(test)]
        const KEYS: &[&str] = &[$($key),*];
    };
}

formats! {
    "dns1123Label"
    "dns1123Subdomain"
    "dns1035Label"
    "qualifiedName"
    "dns1123LabelPrefix"
    "dns1123SubdomainPrefix"
    "dns1035LabelPrefix"
    "labelValue"
    "uri"
    "uuid"
    "byte"
    "date"
    "datetime"
}

/// The format of a function of this file; a test finds them all.
fn format<'a>(cx: &mut Context<'a>, name: &str) -> Value<'a> {
    match named::find(name) {
        Some(format) => cx.ext(Ext::Format(format)),
        None => Value::Null,
    }
}

fn named<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(name) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match named::find(name) {
        Some(format) => {
            let format = cx.ext(Ext::Format(format));
            cx.some(format)
        }
        None => Value::Optional(None),
    })
}

fn validate<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Ext(Ext::Format(format)), Value::String(text)) = (args[0], args[1]) else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let mut details: Vec<Value<'a>> = Vec::new();
    (format.check)(text, &mut |detail| details.push(cx.string(&detail)));
    if details.is_empty() {
        return Ok(Value::Optional(None));
    }
    let details = cx.list(&details);
    Ok(cx.some(details))
}

#[cfg(test)]
mod tests {
    use super::{KEYS, named};

    #[test]
    fn every_format_has_a_function() {
        let mut names: Vec<&str> = named::NAMED.iter().map(|format| format.name).collect();
        let mut keys = KEYS.to_vec();
        names.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, names);
    }
}
