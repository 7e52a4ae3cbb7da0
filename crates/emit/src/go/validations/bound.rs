//! Lower and upper bounds, those included that only the KEP has.

use kindsmith_engine::lower::{Compare, Number};
use kindsmith_scalar::float::format_f64;
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

    /// A bound that is another field's value, checked on the struct that holds both.
    pub(super) fn compare(&mut self, compare: &Compare, at: &At) -> Option<String> {
        let limit = self.limit_expression(compare, &at.new)?;
        let field = self.schema().field(compare.field);
        let name = quote(field.display_name());
        let member = format!("{}.{}", at.new, field.name);
        let sign = failing(compare.at_least, compare.exclusive);
        let format = quote(&detail(compare.at_least, compare.exclusive, "%v"));
        let sprintf = self.names.imports.of("fmt", "Sprintf");
        let invalid = self.names.imports.of(ERRORS, "Invalid");
        let origin = quote(if compare.at_least { "minimum" } else { "maximum" });
        let check = |path: &str, value: &str| {
            let error = format!(
                "{invalid}({path}, {value}, {sprintf}({format}, {})).WithOrigin({origin})",
                limit.1
            );
            let test = format!("float64({value}) {sign} float64({})", limit.1);
            format!("if {test} {{\n\terrs = append(errs, {error})\n}}")
        };
        let statements = match compare.each {
            true => {
                let is_map = self.types().map_parts(&field.ty).is_some();
                let step = if is_map { "Key(string(i))" } else { "Index(i)" };
                let one = check(&format!("fldPath.Child({name}).{step}"), "item");
                format!("for i, item := range {member} {{\n{}\n}}", deeper(&one))
            }
            false if self.types().is_pointer(&field.ty) => {
                let one = check(&format!("fldPath.Child({name})"), &format!("*{member}"));
                format!("if {member} != nil {{\n{}\n}}", deeper(&one))
            }
            false => check(&format!("fldPath.Child({name})"), &member),
        };
        let guarded = match &limit.0 {
            Some(guard) => format!("if {guard} {{\n\treturn nil\n}}\n{statements}"),
            None => statements,
        };
        Some(self.inline(&format!("{guarded}\nreturn errs")))
    }

    /// When there is no limit, and the limit.
    fn limit_expression(&self, compare: &Compare, holder: &str) -> Option<(Option<String>, String)> {
        let mut expression = holder.to_owned();
        let mut missing = Vec::new();
        for (index, step) in compare.limit.iter().enumerate() {
            let field = self.schema().field(*step);
            expression = format!("{expression}.{}", field.name);
            if self.types().is_pointer(&field.ty) {
                missing.push(format!("{expression} == nil"));
                if index + 1 == compare.limit.len() {
                    expression = format!("*{expression}");
                }
            }
        }
        let guard = (!missing.is_empty()).then(|| missing.join(" || "));
        (!compare.limit.is_empty()).then_some((guard, expression))
    }
}

fn fits(limit: i128, scalar: Scalar) -> bool {
    scalar
        .range()
        .is_none_or(|(low, high)| (low..=high).contains(&limit))
}

/// The comparison that fails the check.
fn failing(at_least: bool, exclusive: bool) -> &'static str {
    match (at_least, exclusive) {
        (true, false) => "<",
        (true, true) => "<=",
        (false, false) => ">",
        (false, true) => ">=",
    }
}

fn detail(at_least: bool, exclusive: bool, limit: &str) -> String {
    let (word, or_equal) = (
        if at_least { "greater" } else { "less" },
        if exclusive { "" } else { " or equal to" },
    );
    format!("must be {word} than{or_equal} {limit}")
}
