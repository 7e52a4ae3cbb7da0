//! Writes nodes as Go statements.

use std::collections::HashMap;

use kindsmith_checks::{Below, Defaulted, Inside};
use kindsmith_schema::{Default, TypeId, TypeRef};

use super::super::text::Code;
use super::super::type_name::TypeNames;
use super::functions::Callee;
use super::value;

/// `SetObjectDefaults_T`.
pub(super) fn function(
    names: &mut TypeNames<'_>,
    functions: &HashMap<TypeId, String>,
    id: TypeId,
    inside: &Inside<'_, Callee>,
) -> String {
    let schema = names.types.schema;
    let (ty, function) = (names.named(id), &functions[&id]);
    let mut writer = Writer {
        names,
        functions,
        code: Code::default(),
        loops: 0,
    };
    writer.code.line(&format!(
        "// {function} fills in what a {} leaves open.",
        schema.ty(id).name.name
    ));
    writer.code.open(&format!("func {function}(in *{ty}) {{"));
    writer.inside(inside, &Place::pointer("in"));
    writer.code.close("}");
    writer.code.finish()
}

/// The location of a value.
#[derive(Debug, Clone)]
struct Place {
    /// An expression for it, or for a pointer to it.
    text: String,
    is_pointer: bool,
}

impl Place {
    fn pointer(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_pointer: true,
        }
    }

    fn value(text: String) -> Self {
        Self {
            text,
            is_pointer: false,
        }
    }

    /// The expression to select members with: Go follows one pointer by itself.
    fn holder(&self) -> &str {
        &self.text
    }

    /// The value itself.
    fn itself(&self) -> String {
        if self.is_pointer {
            format!("(*{})", self.text)
        } else {
            self.text.clone()
        }
    }

    fn address(&self) -> String {
        if self.is_pointer {
            self.text.clone()
        } else {
            format!("&{}", self.text)
        }
    }
}

struct Writer<'w, 's> {
    names: &'w mut TypeNames<'s>,
    /// The generated functions.
    functions: &'w HashMap<TypeId, String>,
    code: Code,
    loops: usize,
}

impl Writer<'_, '_> {
    /// The default of the value, then its functions, then what is inside.
    fn defaulted(&mut self, value: &Defaulted<'_, Callee>, place: &Place) {
        if let Some(found) = &value.default {
            self.default(&value.ty, found.default, &place.itself());
        }
        if let Some(inside) = &value.inside {
            self.inside(inside, place);
        }
    }

    fn inside(&mut self, inside: &Inside<'_, Callee>, place: &Place) {
        self.calls(inside, place);
        match &inside.below {
            // Go takes no loop whose variable is unused.
            _ if !inside.acts() => {}
            Below::None => {}
            Below::Same(inner) => self.inside(inner, place),
            Below::Pointee(inner) => {
                let pointer = place.itself();
                self.code.open(&format!("if {pointer} != nil {{"));
                self.inside(inner, &Place::pointer(&pointer));
                self.code.close("}");
            }
            Below::Members(members) => {
                let fields = self.names.types.members(&inside.ty);
                let fields = fields.map_or(&[][..], |(_, fields)| fields);
                for (index, member) in members {
                    let name = &fields[*index as usize].name;
                    self.defaulted(member, &Place::value(format!("{}.{name}", place.holder())));
                }
            }
            Below::Elements(element) => self.elements(element, &place.itself()),
            Below::Values(value) => self.values(value, &place.itself()),
        }
    }

    fn calls(&mut self, inside: &Inside<'_, Callee>, place: &Place) {
        if let Some(id) = inside.object {
            let function = &self.functions[&id];
            self.code.line(&format!("{function}({})", place.address()));
        }
        for callee in &inside.calls {
            let function = if callee.package.is_empty() || *callee.package == *self.names.own() {
                callee.name.to_string()
            } else {
                self.names.imports.of(&callee.package, &callee.name)
            };
            self.code.line(&format!("{function}({})", place.address()));
        }
    }

    fn elements(&mut self, element: &Defaulted<'_, Callee>, list: &str) {
        if !element.acts() {
            return;
        }
        let suffix = self.enter();
        let index = format!("i{suffix}");
        self.code.open(&format!("for {index} := range {} {{", bare(list)));
        let at = format!("{list}[{index}]");
        match element
            .inside
            .as_ref()
            .map(|inside| (&inside.calls[..], &inside.below))
        {
            // A short name for what is used often.
            Some((_, Below::Members(_))) => {
                let item = format!("item{suffix}");
                self.code.line(&format!("{item} := &{at}"));
                self.defaulted(element, &Place::pointer(&item));
            }
            Some(([], Below::Pointee(inner))) if element.default.is_none() => {
                let item = format!("item{suffix}");
                self.code.open(&format!("if {item} := {at}; {item} != nil {{"));
                self.inside(inner, &Place::pointer(&item));
                self.code.close("}");
            }
            _ => self.defaulted(element, &Place::value(at)),
        }
        self.code.close("}");
        self.loops -= 1;
    }

    /// Values of a map cannot be changed in place.
    fn values(&mut self, value: &Defaulted<'_, Callee>, map: &str) {
        if !value.acts() {
            return;
        }
        let suffix = self.enter();
        let (key, item) = (format!("key{suffix}"), format!("item{suffix}"));
        self.code
            .open(&format!("for {key}, {item} := range {} {{", bare(map)));
        self.defaulted(value, &Place::value(item.clone()));
        self.code.line(&format!("{map}[{key}] = {item}"));
        self.code.close("}");
        self.loops -= 1;
    }

    /// Enters a loop; returns the suffix for its names.
    fn enter(&mut self) -> String {
        self.loops += 1;
        match self.loops {
            1 => String::new(),
            depth => depth.to_string(),
        }
    }

    /// Sets a value that is not set.
    fn default(&mut self, ty: &TypeRef, default: &Default, target: &str) {
        let resolved = self.names.types.resolved(ty);
        let TypeRef::Scalar(scalar) = resolved.base else {
            return self.unmarshal(default, target);
        };
        let own = self.names.own().to_owned();
        let (expression, is_typed) = value::expression(self.names, &own, default);
        if resolved.pointers == 0 {
            self.code
                .open(&format!("if {target} == {} {{", value::zero(scalar)));
            let value = if is_typed {
                format!("{}({expression})", self.names.text(ty))
            } else {
                expression
            };
            self.code.line(&format!("{target} = {value}"));
            return self.code.close("}");
        }
        self.code.open(&format!("if {target} == nil {{"));
        let path = pointees(self.names, ty);
        let depth = path.len();
        let base = self.names.text(&path[depth - 1]);
        let value = if base == "string" && !is_typed {
            expression
        } else {
            format!("{base}({expression})")
        };
        self.code.line(&format!("{} := {value}", pointee(depth)));
        for level in (1..depth).rev() {
            // A named pointer type needs a conversion.
            let ty = self.names.text(&path[level - 1]);
            self.code
                .line(&format!("var {} {ty} = &{}", pointee(level), pointee(level + 1)));
        }
        self.code.line(&format!("{target} = &{}", pointee(1)));
        self.code.close("}");
    }

    fn unmarshal(&mut self, default: &Default, target: &str) {
        let Some(json) = value::json_literal(default) else {
            return;
        };
        let unmarshal = self.names.imports.of("encoding/json", "Unmarshal");
        self.code.open(&format!("if {target} == nil {{"));
        self.code.open(&format!(
            "if err := {unmarshal}([]byte({json}), &{target}); err != nil {{"
        ));
        self.code.line("panic(err)");
        self.code.close("}");
        self.code.close("}");
    }
}

/// An expression without parentheses around it, as gofmt writes the operand of `range`.
fn bare(expression: &str) -> &str {
    let inner = expression
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    inner.unwrap_or(expression)
}

/// The name of a pointer's target.
fn pointee(level: usize) -> String {
    match level {
        1 => "value".to_owned(),
        level => format!("value{level}"),
    }
}

/// The types behind a pointer, one pointer at a time.
fn pointees(names: &TypeNames<'_>, ty: &TypeRef) -> Vec<TypeRef> {
    let mut path = Vec::new();
    let mut here = ty.clone();
    for _ in 0..=names.types.schema.types().len() + 64 {
        match names.types.underlying(&here) {
            TypeRef::Pointer(inner) => {
                here = names.types.unalias(&inner);
                path.push(here.clone());
            }
            _ => break,
        }
    }
    path
}
