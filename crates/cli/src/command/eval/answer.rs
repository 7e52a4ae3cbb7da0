//! Answers as JSON lines.

use kindsmith_engine::Plan;
use kindsmith_json::write::{Escape, Format, append_string};
use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use kindsmith_schema::Level;

use super::Evaluated;
use super::request::{Request, Steps};

/// Writes an answer; a text that several answers need is kept.
#[derive(Debug, Default)]
pub(super) struct Answer {
    text: String,
}

impl Answer {
    pub(super) fn write(
        mut self,
        plan: &Plan,
        arena: &Arena,
        request: &Request<'_>,
        kep: bool,
        out: &mut String,
    ) {
        let evaluated = super::run(plan, arena, request);
        begin(request, out);
        let changes = request.steps.contains(Steps::PRUNE) || request.steps.contains(Steps::DEFAULT);
        if changes && !kep {
            // What a Go server answers went through its structs.
            out.push_str(&plan.encode(evaluated.object));
        } else {
            Format::default().append(out, evaluated.object);
        }
        self.end(&evaluated, out);
    }

    /// The answer about an object of a CRD.
    pub(super) fn write_custom(mut self, request: &Request<'_>, evaluated: &Evaluated<'_>, out: &mut String) {
        begin(request, out);
        Format::default().append(out, evaluated.object);
        self.end(evaluated, out);
    }

    fn end(&mut self, evaluated: &Evaluated<'_>, out: &mut String) {
        out.push_str(",\"errors\":[");
        for (index, error) in evaluated.errors.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            self.error(error, out);
        }
        out.push(']');
        texts("warnings", &evaluated.warnings, out);
        texts("pruned", &evaluated.pruned, out);
        texts("defaulted", &evaluated.defaulted, out);
        out.push('}');
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

/// A line that could not be answered.
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

fn texts(name: &str, texts: &[String], out: &mut String) {
    if texts.is_empty() {
        return;
    }
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":[");
    for (index, one) in texts.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        text(one, out);
    }
    out.push(']');
}

fn text(value: &str, out: &mut String) {
    append_string(out, value, Escape::Minimal);
}
