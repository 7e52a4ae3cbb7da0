//! The methods of an apply configuration: one to set each member, some to read one.

use kindsmith_schema::{Field, GoKind, TypeRef, WellKnown};

use super::go_type::GoType;
use super::graph::{Graph, Own, is_tagged};
use super::imports::Imports;
use super::members::{is_hidden, is_nillable};

/// Writes the methods of one apply configuration.
pub(super) struct Methods<'a, 'g> {
    graph: &'g Graph<'a>,
    imports: &'g mut Imports,
    /// The name of the apply configuration.
    own: String,
    /// Members that have a method already: outer ones hide inner ones.
    written: Vec<&'a str>,
    text: String,
}

/// The struct whose members are promoted.
struct Embedded {
    name: String,
    /// Whether it may be absent.
    is_pointer: bool,
}

impl Embedded {
    fn of(field: &Field, ty: &GoType) -> Self {
        Embedded {
            name: ty.name().to_owned(),
            is_pointer: !field.is_inline(),
        }
    }
}

/// A member with what its method needs.
struct Member<'a, 'e> {
    field: &'a Field,
    ty: GoType,
    embedded: Option<&'e Embedded>,
}

impl Member<'_, '_> {
    /// The member of the receiver `b`.
    fn path(&self) -> String {
        let name = &self.field.name;
        match self.embedded {
            Some(embedded) => format!("b.{}.{name}", embedded.name),
            None => format!("b.{name}"),
        }
    }
}

impl<'a, 'g> Methods<'a, 'g> {
    pub(super) fn new(graph: &'g Graph<'a>, own: &Own<'_>, imports: &'g mut Imports) -> Self {
        Self {
            graph,
            imports,
            own: format!("{}ApplyConfiguration", own.name),
            written: Vec::new(),
            text: String::new(),
        }
    }

    /// All methods of a struct.
    pub(super) fn of(mut self, id: kindsmith_schema::TypeId) -> String {
        let known = self.graph.view.ty(id).well_known;
        let fields = self.graph.fields(id);
        self.setters(fields, known, None);
        self.getters(fields, known, None);
        self.text
    }

    fn setters(&mut self, fields: &'a [Field], of: Option<WellKnown>, embedded: Option<&Embedded>) {
        for field in fields.iter().filter(|field| is_wanted(field, of)) {
            if self.written.contains(&&*field.name) {
                continue;
            }
            self.written.push(&field.name);
            let ty = self.graph.member_type(&field.ty);
            if field.embedded {
                let inner = Embedded::of(field, &ty);
                let (below, known) = self.below(&field.ty);
                self.setters(below, known, Some(&inner));
                if inner.is_pointer {
                    self.ensure(&inner.name, &inner.name, &ty);
                }
                continue;
            }
            self.setter(&Member { field, ty, embedded });
        }
    }

    fn getters(&mut self, fields: &'a [Field], of: Option<WellKnown>, embedded: Option<&Embedded>) {
        for field in fields.iter().filter(|field| is_wanted(field, of)) {
            let ty = self.graph.member_type(&field.ty);
            if field.embedded {
                let inner = Embedded::of(field, &ty);
                let (below, known) = self.below(&field.ty);
                self.getters(below, known, Some(&inner));
            } else if has_getter(field, of) {
                self.getter(&Member { field, ty, embedded });
            }
        }
    }

    /// The members of an embedded struct; those behind a pointer have no methods.
    fn below(&self, of: &'a TypeRef) -> (&'a [Field], Option<WellKnown>) {
        match self.graph.view.unalias(of) {
            TypeRef::Named(id) if self.graph.view.kind(of) == GoKind::Struct => {
                (self.graph.fields(*id), self.graph.view.ty(*id).well_known)
            }
            _ => (&[], None),
        }
    }

    fn setter(&mut self, member: &Member<'_, '_>) {
        let view = self.graph.view;
        let of = view.unalias(&member.field.ty);
        if let TypeRef::List(item) = behind_pointers(self.graph, of)
            && self.graph.is_configured(item)
        {
            let argument = GoType::Pointer(Box::new(member.ty.item().clone()));
            return self.append(member, &argument);
        }
        match of {
            TypeRef::List(_) => self.append(member, &member.ty.item().clone()),
            TypeRef::Map(..) => self.put(member),
            _ => self.set(member),
        }
    }

    fn set(&mut self, member: &Member<'_, '_>) {
        let (name, own, path) = (&*member.field.name, self.own.clone(), member.path());
        let is_configured = self.graph.is_configured(&member.field.ty);
        let mut ty = member.ty.text(self.imports);
        if is_configured {
            ty.insert(0, '*');
        }
        let value = if is_configured || is_nillable(self.graph, &member.field.ty) {
            "value"
        } else {
            "&value"
        };
        let ensure = ensured(member);
        self.text += &format!(
            "
// With{name} sets the {name} field in the declarative configuration to the given value
// and returns the receiver, so that objects can be built by chaining \"With\" function invocations.
// If called multiple times, the {name} field is set to the value of the last call.
func (b *{own}) With{name}(value {ty}) *{own} {{
{ensure}\t{path} = {value}
\treturn b
}}
"
        );
    }

    fn append(&mut self, member: &Member<'_, '_>, argument: &GoType) {
        let (name, own, path) = (&*member.field.name, self.own.clone(), member.path());
        let is_pointer = matches!(self.graph.view.unalias(&member.field.ty), TypeRef::Pointer(_));
        let item = member.ty.item().name().to_owned();
        if is_pointer {
            let item = member.ty.item().clone();
            self.ensure(item.name(), name, &GoType::Slice(Box::new(item.clone())));
        }
        let ty = argument.text(self.imports);
        let mut before = ensured(member);
        if is_pointer {
            before += &format!("\tb.ensure{item}Exists()\n");
        }
        let (star, check, value) = (
            if is_pointer { "*" } else { "" },
            if matches!(argument, GoType::Pointer(_)) {
                format!(
                    "\t\tif values[i] == nil {{\n\t\t\tpanic(\"nil value passed to With{name}\")\n\t\t}}\n"
                )
            } else {
                String::new()
            },
            if matches!(argument, GoType::Pointer(_)) {
                "*values[i]"
            } else {
                "values[i]"
            },
        );
        self.text += &format!(
            "
// With{name} adds the given value to the {name} field in the declarative configuration
// and returns the receiver, so that objects can be build by chaining \"With\" function invocations.
// If called multiple times, values provided by each call will be appended to the {name} field.
func (b *{own}) With{name}(values ...{ty}) *{own} {{
{before}\tfor i := range values {{
{check}\t\t{star}{path} = append({star}{path}, {value})
\t}}
\treturn b
}}
"
        );
    }

    fn put(&mut self, member: &Member<'_, '_>) {
        let (name, own, path) = (&*member.field.name, self.own.clone(), member.path());
        let ty = member.ty.text(self.imports);
        let ensure = ensured(member);
        self.text += &format!(
            "
// With{name} puts the entries into the {name} field in the declarative configuration
// and returns the receiver, so that objects can be build by chaining \"With\" function invocations.
// If called multiple times, the entries provided by each call will be put on the {name} field,
// overwriting an existing map entries in {name} field with the same key.
func (b *{own}) With{name}(entries {ty}) *{own} {{
{ensure}\tif {path} == nil && len(entries) > 0 {{
\t\t{path} = make({ty}, len(entries))
\t}}
\tfor k, v := range entries {{
\t\t{path}[k] = v
\t}}
\treturn b
}}
"
        );
    }

    /// The function that makes an absent struct or list.
    fn ensure(&mut self, function: &str, member: &str, ty: &GoType) {
        let own = &self.own;
        let ty = ty.text(self.imports);
        self.text += &format!(
            "
func (b *{own}) ensure{function}Exists() {{
\tif b.{member} == nil {{
\t\tb.{member} = &{ty}{{}}
\t}}
}}
"
        );
    }

    fn getter(&mut self, member: &Member<'_, '_>) {
        let (name, own, path) = (&*member.field.name, self.own.clone(), member.path());
        let ty = member.ty.text(self.imports);
        let ensure = ensured(member);
        self.text += &format!(
            "
// Get{name} retrieves the value of the {name} field in the declarative configuration.
func (b *{own}) Get{name}() *{ty} {{
{ensure}\treturn {path}
}}
"
        );
    }
}

/// The call that makes the struct around a promoted member.
fn ensured(member: &Member<'_, '_>) -> String {
    match member.embedded {
        Some(embedded) if embedded.is_pointer => format!("\tb.ensure{}Exists()\n", embedded.name),
        _ => String::new(),
    }
}

fn behind_pointers<'a>(graph: &Graph<'a>, of: &'a TypeRef) -> &'a TypeRef {
    match graph.view.unalias(of) {
        TypeRef::Pointer(inner) => behind_pointers(graph, inner),
        other => other,
    }
}

/// Whether a member of a struct is in apply configurations. Clients do not set what the server alone knows.
fn is_wanted(field: &Field, of: Option<WellKnown>) -> bool {
    let is_servers =
        of == Some(WellKnown::ObjectMeta) && matches!(&*field.name, "ManagedFields" | "SelfLink");
    is_tagged(field) && !is_hidden(field) && !is_servers
}

/// Whether a member can be read: what names an object.
fn has_getter(field: &Field, of: Option<WellKnown>) -> bool {
    match of {
        Some(WellKnown::ObjectMeta) => matches!(&*field.name, "Name" | "Namespace"),
        Some(WellKnown::TypeMeta) => matches!(&*field.name, "Kind" | "APIVersion"),
        _ => false,
    }
}
