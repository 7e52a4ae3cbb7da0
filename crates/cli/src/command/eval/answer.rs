//! Answers as JSON lines.

use std::fmt::Display;

use kindsmith::{ArenaReview, FieldError, Value};
use kindsmith_json::write::{Escape, Format, append_string};
use kindsmith_schema::Level;

use super::request::Request;

/// Writes answers; the text buffer is reused.
#[derive(Debug, Default)]
pub(super) struct Answer {
    text: String,
}

impl Answer {
    /// Writes the answer; `object` writes the object.
    ///
    /// # Errors
    ///
    /// The server's message, if the object was rejected without a field error to list.
    pub(super) fn write(
        mut self,
        request: &Request<'_>,
        review: &ArenaReview<'_>,
        object: impl FnOnce(&mut String),
        out: &mut String,
    ) -> Result<(), String> {
        if let Some(rejection) = review.errors.iter().find(|rejection| rejection.error.is_none()) {
            return Err(rejection.message.clone());
        }
        begin(request, out);
        object(out);
        out.push_str(",\"errors\":[");
        let errors = review
            .errors
            .iter()
            .filter_map(|rejection| rejection.error.as_ref());
        for (index, error) in errors.enumerate() {
            if index > 0 {
                out.push(',');
            }
            self.error(error, out);
        }
        out.push(']');
        texts("warnings", &review.warnings, out);
        texts("pruned", &review.pruned, out);
        texts(
            "defaulted",
            review.defaulted.iter().map(|defaulted| &defaulted.path),
            out,
        );
        out.push('}');
        Ok(())
    }

    fn error(&mut self, error: &FieldError, out: &mut String) {
        out.push_str("{\"type\":");
        text(error.kind.name(), out);
        self.member("field", &error.path, out);
        self.member("detail", &error.detail, out);
        self.member("origin", &error.origin, out);
        out.push_str(",\"badValue\":");
        out.push_str(&error.bad.to_json());
        self.member("message", error, out);
        if let Some(level) = error.level {
            let level = match level {
                Level::Alpha => "alpha",
                Level::Beta => "beta",
                Level::Stable => "stable",
            };
            self.member("level", &level, out);
        }
        if error.short_circuit {
            out.push_str(",\"shortCircuit\":true");
        }
        out.push('}');
    }

    fn member(&mut self, name: &str, value: &dyn std::fmt::Display, out: &mut String) {
        use std::fmt::Write as _;
        self.text.clear();
        write!(self.text, "{value}").expect("writing to a string succeeds");
        out.push_str(",\"");
        out.push_str(name);
        out.push_str("\":");
        text(&self.text, out);
    }
}

fn begin(request: &Request<'_>, out: &mut String) {
    out.push('{');
    if let Some(id) = request.id {
        out.push_str("\"id\":");
        Format::default().append(out, id);
        out.push(',');
    }
    out.push_str("\"obj\":");
}

/// The answer to a request that failed.
pub(super) fn failure(out: &mut String, id: Option<Value<'_>>, message: &str) {
    out.push('{');
    if let Some(id) = id {
        out.push_str("\"id\":");
        Format::default().append(out, id);
        out.push(',');
    }
    out.push_str("\"error\":");
    text(message, out);
    out.push('}');
}

/// A list of texts; omitted if empty.
fn texts<T: Display>(name: &str, texts: impl IntoIterator<Item = T>, out: &mut String) {
    let mut texts = texts.into_iter().peekable();
    if texts.peek().is_none() {
        return;
    }
    out.push_str(&format!(",\"{name}\":["));
    while let Some(one) = texts.next() {
        text(&one.to_string(), out);
        if texts.peek().is_some() {
            out.push(',');
        }
    }
    out.push(']');
}

fn text(value: &str, out: &mut String) {
    append_string(out, value, Escape::Minimal);
}
