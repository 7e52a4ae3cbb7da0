//! URLs: `url`, `isURL`, parts.

use kindsmith_gostd::url::Url;

use crate::eval::context::{Context, Eval, MapBuilder};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "url",
        &[global(
            "string_to_url",
            "(string) -> kubernetes.URL",
            Op::Eager(url),
        )],
    ),
    function(
        "isURL",
        &[global("is_url_string", "(string) -> bool", Op::Eager(is_url))],
    ),
    function(
        "getScheme",
        &[method(
            "url_get_scheme",
            "(kubernetes.URL) -> string",
            Op::Eager(scheme),
        )],
    ),
    function(
        "getHost",
        &[method(
            "url_get_host",
            "(kubernetes.URL) -> string",
            Op::Eager(host),
        )],
    ),
    function(
        "getHostname",
        &[method(
            "url_get_hostname",
            "(kubernetes.URL) -> string",
            Op::Eager(hostname),
        )],
    ),
    function(
        "getPort",
        &[method(
            "url_get_port",
            "(kubernetes.URL) -> string",
            Op::Eager(port),
        )],
    ),
    function(
        "getEscapedPath",
        &[method(
            "url_get_escaped_path",
            "(kubernetes.URL) -> string",
            Op::Eager(path),
        )],
    ),
    function(
        "getQuery",
        &[method(
            "url_get_query",
            "(kubernetes.URL) -> map(string, list(string))",
            Op::Eager(query),
        )],
    ),
];

fn url<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    // `ParseRequestURI` must accept the text, but a fragment is still parsed.
    let parsed = Url::parse_request_uri(text).and_then(|_| Url::parse(text));
    Ok(match parsed {
        Ok(url) => cx.ext(Ext::Url(url)),
        Err(error) => cx.error(&format!("URL parse error during conversion from string: {error}")),
    })
}

fn is_url<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Bool(Url::parse_request_uri(text).is_ok()))
}

fn part<'a>(cx: &mut Context<'a>, args: &[Value<'a>], part: fn(&Url) -> String) -> Eval<'a> {
    let Value::Ext(Ext::Url(url)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(cx.string(&part(url)))
}

fn scheme<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |url| url.scheme().to_owned())
}

fn host<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |url| url.host().into_owned())
}

fn hostname<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |url| url.hostname().into_owned())
}

fn port<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |url| url.port().into_owned())
}

fn path<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, Url::escaped_path)
}

fn query<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::Ext(Ext::Url(url)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let mut builder = MapBuilder::default();
    for (key, values) in url.query() {
        let values: Vec<Value<'a>> = values.iter().map(|value| cx.string(value)).collect();
        builder.set(cx.string(&key), cx.list(&values));
    }
    Ok(cx.map(&builder))
}
