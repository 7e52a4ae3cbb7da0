//! Lower and upper bounds, including those that only the KEP has.

use kindsmith_checks::Number;
use kindsmith_gostd::float::format_f64;
use kindsmith_schema::Scalar;

use super::super::text::{deeper, quote};
use super::{At, ERRORS, Writer};

impl Writer<'_> {
    pub(super) fn bound(
        &mut self,
        limit: Number,
        exclusive: bool,
        at_least: bool,
        at: &At,
    ) -> Option<String> {
        let scalar = self.types().scalar(&at.ty)?;
        if let (Number::Int(limit), true, false) = (limit, scalar.is_integer(), exclusive)
            && fits(limit, scalar)
        {
            let function = if at_least { "Minimum" } else { "Maximum" };
            return Some(self.library(function, at, &[limit.to_string()]));
        }
        let text = match limit {
            Number::Int(limit) => limit.to_string(),
            Number::Float(limit) => format_f64(limit),
        };
        let value = match (limit, scalar) {
            (Number::Float(_), scalar) if scalar.is_integer() => format!("float64(*{})", at.new),
            (Number::Int(limit), scalar) if !fits(limit, scalar) => format!("float64(*{})", at.new),
            _ => format!("*{}", at.new),
        };
        let failed = format!("{value} {} {text}", failing(at_least, exclusive));
        let error = self.bound_error(
            &format!("*{}", at.new),
            &quote(&detail(at_least, exclusive, &text)),
            at_least,
        );
        Some(self.inline(&format!(
            "if {} != nil && {failed} {{\n{}\n}}\nreturn errs",
            at.new,
            deeper(&format!("errs = append(errs, {error})"))
        )))
    }

    fn bound_error(&mut self, value: &str, detail: &str, at_least: bool) -> String {
        let invalid = self.names.imports.of(ERRORS, "Invalid");
        let origin = if at_least { "minimum" } else { "maximum" };
        format!(
            "{invalid}(fldPath, {value}, {detail}).WithOrigin({})",
            quote(origin)
        )
    }
}

fn fits(limit: i128, scalar: Scalar) -> bool {
    scalar
        .range()
        .is_none_or(|(low, high)| (low..=high).contains(&limit))
}

/// The comparison that fails the check.
pub(super) fn failing(at_least: bool, exclusive: bool) -> &'static str {
    match (at_least, exclusive) {
        (true, false) => "<",
        (true, true) => "<=",
        (false, false) => ">",
        (false, true) => ">=",
    }
}

pub(super) fn detail(at_least: bool, exclusive: bool, limit: &str) -> String {
    let (word, or_equal) = (
        if at_least { "greater" } else { "less" },
        if exclusive { "" } else { " or equal to" },
    );
    format!("must be {word} than{or_equal} {limit}")
}
