//! Bounds given by another field. KEP only.

use kindsmith_checks::{Compare, RouteStep};
use kindsmith_schema::{Scalar, TypeRef};

use super::super::text::{deeper, quote};
use super::bound::{detail, failing};
use super::{At, ERRORS, OPERATION, Writer};

impl Writer<'_> {
    /// Checked on the struct that holds both; values that an update leaves unchanged are skipped.
    pub(super) fn compare(&mut self, compare: &Compare, at: &At) -> Option<String> {
        let last = self.schema().field(*compare.limit.last()?);
        let field = self.schema().field(compare.field);
        let member = self.types().unalias(&field.ty);
        let limit = self.limit_function(compare, at);
        let update = self.names.imports.of(OPERATION, "Update");
        let (direct, same) = (self.validate("DirectEqual"), self.equality(&member));
        let value = self
            .names
            .reference(&member, &format!("{}.{}", at.new, field.name));
        let was = self
            .names
            .reference(&member, &format!("{}.{}", at.old, field.name));
        let kept = format!("op.Type == {update} && {} != nil", at.old);
        let kept = format!(
            "{kept} && {direct}(to, limit({})) && {same}({value}, {was})",
            at.old
        );
        let common = self.common(&self.compared(compare)?, &last.ty)?;
        let checks = self.limit_checks(compare, at, common)?;
        Some(self.inline(&format!(
            "limit := {limit}\nto := limit({})\nif to == nil || {kept} {{\n\treturn nil\n}}\n{checks}\nreturn errs",
            at.new
        )))
    }

    /// A function from the struct to the limit, which may be absent.
    fn limit_function(&mut self, compare: &Compare, at: &At) -> String {
        let holder = self.types().non_pointer(&at.ty);
        let holder = self.names.text(&holder);
        let (mut expression, mut missing) = ("o".to_owned(), Vec::new());
        let mut result = TypeRef::Interface;
        for (index, step) in compare.limit.iter().enumerate() {
            let field = self.schema().field(*step);
            expression = format!("{expression}.{}", field.name);
            result = self.types().unalias(&field.ty);
            if self.types().is_pointer(&result) && index + 1 < compare.limit.len() {
                missing.push(format!("{expression} == nil"));
            }
        }
        let (ty, value) = (
            self.names.nilable(&result),
            self.names.reference(&result, &expression),
        );
        let mut body = String::new();
        if !missing.is_empty() {
            body = format!("if {} {{\n\treturn nil\n}}\n", missing.join(" || "));
        }
        super::super::text::literal(
            &format!("func(o *{holder}) {ty}"),
            &format!("{body}return {value}"),
        )
    }

    /// The type of the compared values.
    fn compared(&self, compare: &Compare) -> Option<TypeRef> {
        let mut ty = self.schema().field(compare.field).ty.clone();
        for step in &compare.below {
            ty = match step {
                RouteStep::Field(id) => self.schema().field(*id).ty.clone(),
                RouteStep::Item(_) | RouteStep::Each => self.element_of(&ty)?,
            };
        }
        Some(ty)
    }

    fn element_of(&self, ty: &TypeRef) -> Option<TypeRef> {
        let list = self.types().list_element(ty);
        list.or_else(|| self.types().map_parts(ty).map(|(_, value)| value))
    }

    fn limit_checks(&mut self, compare: &Compare, at: &At, common: &str) -> Option<String> {
        let field = self.schema().field(compare.field);
        let path = format!("fldPath.Child({})", quote(field.json_name().unwrap_or_default()));
        let member = format!("{}.{}", at.new, field.name);
        let sprintf = self.names.imports.of("fmt", "Sprintf");
        let invalid = self.names.imports.of(ERRORS, "Invalid");
        let sign = failing(compare.at_least, compare.exclusive);
        let text = quote(&detail(compare.at_least, compare.exclusive, "%v"));
        let origin = quote(if compare.at_least { "minimum" } else { "maximum" });
        let check = |path: &str, value: &str| {
            let error = format!("{invalid}({path}, {value}, {sprintf}({text}, *to)).WithOrigin({origin})");
            let failed = format!("{common}({value}) {sign} {common}(*to)");
            format!("if {failed} {{\n\terrs = append(errs, {error})\n}}")
        };
        let ty = field.ty.clone();
        self.along(&compare.below, (&member, &path), &ty, &check)
    }

    /// Statements that check all values that a way from `value` leads to.
    fn along(
        &mut self,
        way: &[RouteStep],
        (value, path): (&str, &str),
        ty: &TypeRef,
        check: &dyn Fn(&str, &str) -> String,
    ) -> Option<String> {
        let within = |head: String, body: &str| format!("{head} {{\n{}\n}}", deeper(body));
        let is_pointer = self.types().is_pointer(ty);
        let Some((step, rest)) = way.split_first() else {
            return Some(if is_pointer {
                within(format!("if {value} != nil"), &check(path, &format!("*{value}")))
            } else {
                check(path, value)
            });
        };
        let (i, item) = match rest.len() {
            0 => ("i".to_owned(), "item".to_owned()),
            depth => (format!("i{depth}"), format!("item{depth}")),
        };
        let body = match step {
            RouteStep::Field(id) => {
                let field = self.schema().field(*id);
                let value = format!("{value}.{}", field.name);
                let path = format!("{path}.Child({})", quote(field.json_name().unwrap_or_default()));
                let ty = field.ty.clone();
                self.along(rest, (&value, &path), &ty, check)?
            }
            RouteStep::Item(selector) => {
                let element = self.element_of(ty)?;
                let inner = self.along(rest, (&item, &format!("{path}.Index({i})")), &element, check)?;
                let condition = self.selects(selector, &item);
                let picked = within(format!("if {condition}"), &format!("{inner}\nbreak"));
                let picked = if self.types().is_pointer(&element) {
                    within(format!("if {item} != nil"), &picked)
                } else {
                    picked
                };
                return Some(within(format!("for {i}, {item} := range {value}"), &picked));
            }
            RouteStep::Each => {
                let is_map = self.types().map_parts(ty).is_some();
                let step = if is_map {
                    format!("Key(string({i}))")
                } else {
                    format!("Index({i})")
                };
                let element = self.element_of(ty)?;
                let inner = self.along(rest, (&item, &format!("{path}.{step}")), &element, check)?;
                return Some(within(format!("for {i}, {item} := range {value}"), &inner));
            }
        };
        Some(if is_pointer {
            within(format!("if {value} != nil"), &body)
        } else {
            body
        })
    }

    /// A type that can hold the values of both.
    fn common(&self, value: &TypeRef, limit: &TypeRef) -> Option<&'static str> {
        let scalars = [self.types().scalar(value)?, self.types().scalar(limit)?];
        let is_float = |scalar: &Scalar| matches!(scalar, Scalar::Float32 | Scalar::Float64);
        let is_unsigned = |scalar: &Scalar| scalar.range().is_some_and(|(low, _)| low == 0);
        Some(match () {
            () if scalars.iter().any(is_float) => "float64",
            () if scalars.iter().all(is_unsigned) => "uint64",
            () => "int64",
        })
    }
}
