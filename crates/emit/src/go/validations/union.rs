//! Unions and groups in which at most one member is set.

use kindsmith_checks::{Union, UnionMembers};
use kindsmith_schema::{FieldId, Literal};

use super::super::text::{call, deeper, literal, quote};
use super::{At, Writer};

impl Writer<'_> {
    pub(super) fn union(&mut self, union: &Union, at: &At) -> Option<String> {
        let mut arguments = vec![self.membership(union)];
        let function = match (&union.discriminator, union.zero_or_one) {
            (_, true) => "ZeroOrOneOfUnion",
            (None, false) => "Union",
            (Some((_, field)), false) => {
                arguments.push(self.discriminator(*field, at));
                "DiscriminatedUnion"
            }
        };
        match &union.members {
            UnionMembers::Fields(fields) => {
                arguments.extend(fields.iter().map(|field| self.is_set(*field, at)));
            }
            UnionMembers::Items(items) => {
                for selector in items {
                    arguments.push(self.has_item(selector, at)?);
                }
            }
        }
        Some(self.library(function, at, &arguments))
    }

    /// The names of the members, declared beside the function.
    fn membership(&mut self, union: &Union) -> String {
        let is_discriminated = union.discriminator.is_some() && !union.zero_or_one;
        let mut members: Vec<String> = Vec::new();
        for (name, value) in &union.names {
            members.push(match is_discriminated {
                true => {
                    let new = self.validate("NewDiscriminatedUnionMember");
                    format!("{new}({}, {})", quote(name), quote(value))
                }
                false => format!("{}({})", self.validate("NewUnionMember"), quote(name)),
            });
        }
        let created = match &union.discriminator {
            Some((name, _)) if is_discriminated => {
                members.insert(0, quote(name));
                call(&self.validate("NewDiscriminatedUnionMembership"), &members)
            }
            _ => call(&self.validate("NewUnionMembership"), &members),
        };
        let name = self.unique(&format!("membersOf_{}", self.subject));
        self.beside.push(format!("var {name} = {created}"));
        name
    }

    /// A function from the struct to the discriminator's value.
    fn discriminator(&mut self, field: FieldId, at: &At) -> String {
        let member = self.schema().field(field);
        let holder = self.names.nilable(&at.ty);
        let is_pointer = self.types().is_pointer(&member.ty);
        let (missing, star) = if is_pointer {
            (format!("o == nil || o.{} == nil", member.name), "*")
        } else {
            ("o == nil".to_owned(), "")
        };
        let name = &member.name;
        literal(
            &format!("func(o {holder}) string"),
            &format!("if {missing} {{\n\treturn \"\"\n}}\nreturn string({star}o.{name})"),
        )
    }

    /// A function that reports whether the list has the item.
    fn has_item(&mut self, selector: &[(FieldId, Literal)], at: &At) -> Option<String> {
        let list = self.list(&at.ty)?;
        let holder = self.names.nilable(&at.ty);
        let condition = self.selects(selector, "item");
        let condition = if list.pointers {
            format!("item != nil && {condition}")
        } else {
            condition
        };
        let found = deeper(&format!("if {condition} {{\n\treturn true\n}}"));
        Some(literal(
            &format!("func(list {holder}) bool"),
            &format!("for _, item := range list {{\n{found}\n}}\nreturn false"),
        ))
    }
}
