//! `/flagz`: what the server was started with.

use std::fmt::Write;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_request::Status;

use super::debug::{self, Form};
use crate::response::status_response;
use crate::{Request, Response};

pub(super) fn answer(flags: &[(String, String)], request: &Request<'_>) -> Result<Response, Status> {
    let mut flags: Vec<&(String, String)> = flags.iter().collect();
    flags.sort();
    match debug::form(request, "Flagz")? {
        Form::Text => {
            let mut text = debug::head("flagz");
            for (name, value) in flags {
                let _ = writeln!(text, "{name}={value}");
            }
            Ok(status_response::text(200, text))
        }
        Form::Object(version, is_deprecated) => {
            let arena = Arena::new();
            let mut members = Object::EMPTY;
            for (name, value) in flags {
                members.insert(&arena, name, Value::Str(value));
            }
            let kind = ("Flagz", version, is_deprecated);
            Ok(debug::object(&arena, kind, &[("flags", Value::Object(members))]))
        }
    }
}
