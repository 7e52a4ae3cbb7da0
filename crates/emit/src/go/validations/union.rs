//! Unions and groups in which at most one member is set.

use kindsmith_checks::{RouteStep, Union, UnionMembers};
use kindsmith_schema::{FieldId, Literal, TypeRef};

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
            UnionMembers::Routes(routes) => {
                for route in routes {
                    arguments.push(self.leads_to_set(route, at)?);
                }
            }
        }
        Some(self.library(function, at, &arguments))
    }

    /// A function that reports whether a way below the struct leads to a value that is set.
    fn leads_to_set(&mut self, route: &[RouteStep], at: &At) -> Option<String> {
        let holder = self.names.nilable(&at.ty);
        let body = self.route(route, "o", None)?;
        Some(literal(
            &format!("func(o {holder}) bool"),
            &format!("if o == nil {{\n\treturn false\n}}\n{body}\nreturn false"),
        ))
    }

    /// Statements that return true if a way from `here` leads to a value that is set.
    fn route(&mut self, route: &[RouteStep], here: &str, ty: Option<&TypeRef>) -> Option<String> {
        let (step, rest) = route.split_first()?;
        let within = |head: String, body: &str| format!("{head} {{\n{}\n}}", deeper(body));
        match step {
            RouteStep::Field(id) => {
                let field = self.schema().field(*id);
                let (name, ty) = (format!("{here}.{}", field.name), field.ty.clone());
                if rest.is_empty() {
                    let condition = self.set_condition(&ty, &name);
                    return Some(within(format!("if {condition}"), "return true"));
                }
                let below = self.route(rest, &name, Some(&ty))?;
                Some(if self.types().is_pointer(&ty) {
                    within(format!("if {name} != nil"), &below)
                } else {
                    below
                })
            }
            RouteStep::Item(selector) => {
                let list = self.list(ty?)?;
                let condition = self.selects(selector, "item");
                let condition = if list.pointers {
                    format!("item != nil && {condition}")
                } else {
                    condition
                };
                let found = within(format!("if {condition}"), "return true");
                Some(within(format!("for _, item := range {here}"), &found))
            }
            RouteStep::Each => {
                let ty = self.types().non_pointer(ty?);
                let element = self.types().list_element(&ty);
                let element = element.or_else(|| self.types().map_parts(&ty).map(|(_, value)| value))?;
                let each = format!("each{}", rest.len());
                let below = self.route(rest, &each, Some(&element))?;
                let below = if self.types().is_pointer(&element) {
                    within(format!("if {each} != nil"), &below)
                } else {
                    below
                };
                Some(within(format!("for _, {each} := range {here}"), &below))
            }
        }
    }

    /// The names of the members, declared beside the function.
    fn membership(&mut self, union: &Union) -> String {
        let is_discriminated = union.discriminator.is_some() && !union.zero_or_one;
        let mut members: Vec<String> = Vec::new();
        for (name, value) in &union.names {
            members.push(if is_discriminated {
                let new = self.validate("NewDiscriminatedUnionMember");
                format!("{new}({}, {})", quote(name), quote(value))
            } else {
                format!("{}({})", self.validate("NewUnionMember"), quote(name))
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
