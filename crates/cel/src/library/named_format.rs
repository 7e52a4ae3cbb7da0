//! Named formats: `format.dns1123Label()`, `format.named('uri')`, `f.validate(s)`.

use kindsmith_formats::format::{self as names, grammar, message};
use kindsmith_formats::limit;
use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_gostd::url::Url;

use crate::eval::context::{Context, Eval};
use crate::eval::named_format::NamedFormat;
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

macro_rules! formats {
    ($($name:ident $key:literal $title:literal $size:literal $validate:expr;)*) => {
        $(static $name: NamedFormat =
            NamedFormat { name: $key, title: $title, regex_size: $size, validate: $validate };)*
        static FORMATS: &[&NamedFormat] = &[$(&$name),*];
        pub(super) const FUNCTIONS: &[Definition] = &[
            function("validate", &[method("format-validate", "(kubernetes.NamedFormat, string) -> optional(list(string))", Op::Eager(validate))]),
            function("format.named", &[global("format-named", "(string) -> optional(kubernetes.NamedFormat)", Op::Eager(named))]),
            $(function(
                concat!("format.", $key),
                &[global(concat!("format.", $key), "() -> kubernetes.NamedFormat", Op::Sequential(|cx, _| Ok(cx.ext(Ext::Format(&$name)))))],
            ),)*
        ];
    };
}

formats! {
    DNS1123_LABEL "dns1123Label" "DNS1123Label" 30 label;
    DNS1123_SUBDOMAIN "dns1123Subdomain" "DNS1123Subdomain" 60 subdomain;
    DNS1035_LABEL "dns1035Label" "DNS1035Label" 30 label_1035;
    QUALIFIED_NAME "qualifiedName" "QualifiedName" 60 |text| by_name("k8s-label-key", text);
    DNS1123_LABEL_PREFIX "dns1123LabelPrefix" "DNS1123LabelPrefix" 30 |text| label(&mask(text));
    DNS1123_SUBDOMAIN_PREFIX "dns1123SubdomainPrefix" "DNS1123SubdomainPrefix" 60 |text| subdomain(&mask(text));
    DNS1035_LABEL_PREFIX "dns1035LabelPrefix" "DNS1035LabelPrefix" 30 |text| label_1035(&mask(text));
    LABEL_VALUE "labelValue" "LabelValue" 40 |text| by_name("k8s-label-value", text);
    URI "uri" "URI" 1103 uri;
    UUID "uuid" "uuid" 70 |text| by_schema("uuid", text, "does not match the UUID format");
    BYTE "byte" "byte" 84 |text| by_schema("byte", text, "invalid base64");
    DATE "date" "date" 71 |text| by_schema("date", text, "invalid date");
    DATETIME "datetime" "datetime" 71 |text| by_schema("datetime", text, "invalid datetime");
}

fn by_name(format: &str, text: &str) -> Vec<String> {
    let mut details = Vec::new();
    if let Some(format) = names::find(format) {
        (format.check)(text, &mut |violation| details.push(violation.detail));
    }
    details
}

fn label(text: &str) -> Vec<String> {
    by_name("k8s-short-name", text)
}

fn subdomain(text: &str) -> Vec<String> {
    by_name("k8s-long-name", text)
}

fn label_1035(text: &str) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > limit::LABEL {
        details.push(message::max_length(limit::LABEL));
    }
    if !grammar::is_label_1035(text) {
        details.push(message::label_1035());
    }
    details
}

/// A name prefix may end with a dash: as in Kubernetes, a letter replaces its last two characters.
fn mask(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let kept = rest.char_indices().last().map_or(0, |(at, _)| at);
            format!("{}a", &rest[..kept])
        }
        _ => text.to_owned(),
    }
}

fn uri(text: &str) -> Vec<String> {
    Url::parse_request_uri(text)
        .err()
        .map(|error| error.to_string())
        .into_iter()
        .collect()
}

fn by_schema(format: &str, text: &str, complaint: &str) -> Vec<String> {
    let valid = strfmt::find(Applies::String, format).is_some_and(|format| (format.check)(text));
    if valid {
        Vec::new()
    } else {
        vec![complaint.to_owned()]
    }
}

fn named<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(name) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match FORMATS.iter().find(|format| format.name == name) {
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
    let details: Vec<Value<'a>> = (format.validate)(text)
        .iter()
        .map(|detail| cx.string(detail))
        .collect();
    if details.is_empty() {
        return Ok(Value::Optional(None));
    }
    let details = cx.list(&details);
    Ok(cx.some(details))
}
