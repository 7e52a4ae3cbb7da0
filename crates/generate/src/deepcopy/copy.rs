//! How a type is copied. Each kind of type has its own statements, and a value inside another one is copied in one of
//! a few ways (`Way`).

use std::borrow::Cow;
use std::sync::Arc;

use kindsmith_go::package::Package;
use kindsmith_go::types::{GoType, Named, Struct, Types};
use kindsmith_source::Span;

use super::code::Code;
use super::handwritten::{self, Handwritten, Receiver};
use super::imports::Imports;
use super::select::{Interface, Selected};
use super::{Dialect, Options};
use crate::controller_gen::release::{Change, Release};
use crate::package_markers::Problem;

/// Deeper structs, maps and slices contain themselves. Go refuses such structs, and controller-gen never ends with the
/// others.
const DEPTH: usize = 64;

const COPY_UNLESS_NIL: &str = "\tif c := in.DeepCopy(); c != nil {\n\t\treturn c\n\t}\n\treturn nil\n";

const NOT_FOUND: &str = "its declaration was not found: run `go mod download`, or declare it";
const RECURSIVE: &str = "write its DeepCopyInto by hand";
const NOT_COPYABLE: &str =
    "write its DeepCopyInto by hand, or put `+kubebuilder:object:generate=false` above the type";
const NOT_COPYABLE_BY_DEEPCOPY_GEN: &str =
    "write its DeepCopyInto by hand, or put `+k8s:deepcopy-gen=false` above the type";
const NAMELESS: &str = "use an interface with a name, here X, that has a method `DeepCopyX() X`";

/// Writes the methods of the types of one package.
pub(super) struct Copier<'a, 'l, 'files> {
    types: Types<'l, 'files>,
    package: &'a Arc<Package>,
    imports: Imports,
    code: Code,
    problems: &'a mut Vec<Problem>,
    dialect: Dialect,
    release: Release,
    /// The place of the type or field being copied.
    place: Span,
    /// Blocks around the one being written.
    depth: usize,
}

/// How a value inside another one is copied.
enum Way {
    /// By methods written by hand.
    Handwritten(Handwritten),
    /// A slice, map or pointer: by statements of its own, unless it is nil.
    Reference,
    /// By assignment: a predeclared type.
    Basic,
    /// By assignment: a struct of nothing else.
    Flat,
    /// A struct: by methods that are generated.
    Struct,
    /// A named interface: by the method that copies it, as deepcopy-gen does.
    Interface(String),
    /// An array: by assignment of the struct that it is a field of, as deepcopy-gen does.
    Array(GoType),
    /// Not at all.
    Never(GoType),
}

/// What a copied type is called in code.
enum Name<'n> {
    Own(&'n str),
    Of(&'n GoType),
}

impl<'a, 'l, 'files> Copier<'a, 'l, 'files> {
    pub(super) fn new(
        types: Types<'l, 'files>,
        package: &'a Arc<Package>,
        options: &Options,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        let Options { dialect, release, .. } = *options;
        let place = package.files.iter().find_map(|file| file.package);
        Self {
            types,
            imports: Imports::new(&package.path, &package.name, dialect),
            code: Code::default(),
            problems,
            dialect,
            release,
            place: place.unwrap_or_else(|| Span::new(package.files[0].id, 0, 0)),
            package,
            depth: 0,
        }
    }

    /// The imports of everything written so far.
    pub(super) fn into_imports(self) -> Imports {
        self.imports
    }

    /// The methods of a type that are not written by hand.
    pub(super) fn functions(&mut self, of: &Selected) -> Vec<String> {
        self.place = of.span;
        let ty = Types::declared(self.package, &of.name);
        if !self.is_copied(&ty) {
            return Vec::new();
        }
        let by_pointer = !self.is_by_reference(&ty);
        let present = handwritten::of(&mut self.types, &ty);
        let mut functions = Vec::new();
        if !present.into {
            functions.push(self.deep_copy_into(&of.name, &ty, by_pointer, present.copy));
        }
        if present.copy.is_none() {
            functions.push(deep_copy(&of.name, by_pointer));
        }
        // controller-gen expects the method beside a `DeepCopy` written by hand to be written by hand, too.
        let is_struct = matches!(self.types.underlying(&ty), GoType::Struct(_));
        let wanted = match self.dialect {
            Dialect::ControllerGen => present.copy.is_none(),
            Dialect::DeepcopyGen => is_struct,
        };
        if wanted {
            functions.extend(self.copies_as_interfaces(of, by_pointer));
        }
        functions
    }

    /// The methods that return a copy as an interface, by the interfaces' paths.
    fn copies_as_interfaces(&mut self, of: &Selected, by_pointer: bool) -> Vec<String> {
        let mut found: Vec<(String, &str, String)> = Vec::new();
        for Interface { package, name } in &of.interfaces {
            let written = if **package == *self.package.path {
                name.clone()
            } else {
                let base = package.rsplit('/').next().unwrap_or_default();
                format!("{}.{name}", self.imports.alias(package, base))
            };
            found.push((format!("{package}.{name}"), name, written));
        }
        found.sort();
        found.dedup();
        let methods = found.iter();
        let methods = methods.map(|(_, name, written)| {
            // controller-gen names the usual import, whatever its alias.
            let said = match self.dialect {
                Dialect::ControllerGen => "runtime.Object",
                Dialect::DeepcopyGen => written,
            };
            let (star, body) = match (of.by_value, by_pointer) {
                (true, _) => ("", "\treturn *in.DeepCopy()\n"),
                (false, true) => ("*", COPY_UNLESS_NIL),
                (false, false) => ("", "\treturn in.DeepCopy()\n"),
            };
            format!(
                "// DeepCopy{name} is an autogenerated deepcopy function, copying the receiver, creating a new {said}.\n\
                 func (in {star}{}) DeepCopy{name}() {written} {{\n{body}}}\n",
                of.name
            )
        });
        methods.collect()
    }

    /// Whether a type gets methods: names of predeclared types and of pointers are copied without.
    fn is_copied(&mut self, ty: &GoType) -> bool {
        match self.types.underlying(ty) {
            pointer @ GoType::Pointer(_) => handwritten::of(&mut self.types, &pointer).any(),
            GoType::Basic(_) => handwritten::of(&mut self.types, ty).any(),
            GoType::Interface(_) if self.dialect == Dialect::DeepcopyGen => false,
            GoType::Other(text) if self.dialect == Dialect::DeepcopyGen => is_array(&text),
            GoType::Invalid(text) => {
                let problem = Problem::new(self.place, format!("unknown type: {text}"));
                self.problems.push(problem.help(NOT_FOUND));
                false
            }
            _ => true,
        }
    }

    fn is_by_reference(&mut self, ty: &GoType) -> bool {
        is_reference(&self.types.underlying(ty))
    }

    fn deep_copy_into(
        &mut self,
        name: &str,
        ty: &GoType,
        by_pointer: bool,
        copy: Option<Receiver>,
    ) -> String {
        self.code.line(
            "// DeepCopyInto is an autogenerated deepcopy function, copying the receiver, writing into out. in must be non-nil.",
        );
        let star = if by_pointer { "*" } else { "" };
        self.code
            .open(&format!("func (in {star}{name}) DeepCopyInto(out *{name})"));
        if !by_pointer {
            // The statements below expect pointers.
            self.code.open("");
            self.code.line("in := &in");
        }
        match copy {
            Some(Receiver::Pointer) => {
                self.code.line("clone := in.DeepCopy()");
                self.code.line("*out = *clone");
            }
            Some(Receiver::Value) => self.code.line("*out = in.DeepCopy()"),
            None => self.block(&Name::Own(name), ty),
        }
        if self.dialect == Dialect::DeepcopyGen {
            self.code.line("return");
        }
        if !by_pointer {
            self.code.close();
        }
        self.code.close();
        self.code.take()
    }

    /// Statements that copy `*in` to `*out`.
    fn block(&mut self, name: &Name<'_>, ty: &GoType) {
        let underlying = self.types.underlying(ty);
        let is_pointer = matches!(underlying, GoType::Pointer(_));
        if !is_pointer && handwritten::of(&mut self.types, ty).any() {
            self.code.line("*out = in.DeepCopy()");
            return;
        }
        if self.depth > DEPTH {
            self.recursive(ty);
            return;
        }
        self.depth += 1;
        match underlying {
            GoType::Basic(_) => self.code.line("*out = *in"),
            GoType::Map(key, value) => self.map(name, &key, &value),
            GoType::Slice(item) => self.slice(name, &item),
            GoType::Struct(fields) => self.fields(&fields),
            GoType::Pointer(target) => self.pointer(&target),
            other => self.refuse("type", &other),
        }
        self.depth -= 1;
    }

    /// Reports a map or slice of itself, once.
    fn recursive(&mut self, ty: &GoType) {
        let problem = Problem::new(self.place, format!("the type {ty} contains itself")).help(RECURSIVE);
        if self.problems.last() != Some(&problem) {
            self.problems.push(problem);
        }
    }

    /// How a value is copied.
    fn way(&mut self, ty: &GoType) -> Way {
        let methods = handwritten::of(&mut self.types, ty);
        if methods.any() {
            return Way::Handwritten(methods);
        }
        match self.types.underlying(ty) {
            underlying if is_reference(&underlying) => Way::Reference,
            GoType::Basic(_) => Way::Basic,
            GoType::Struct(fields) if self.is_flat(&fields, 0) => Way::Flat,
            GoType::Struct(_) => Way::Struct,
            other if self.dialect == Dialect::DeepcopyGen => self.foreign_way(ty, other),
            other => Way::Never(other),
        }
    }

    /// How deepcopy-gen copies what controller-gen refuses.
    fn foreign_way(&mut self, ty: &GoType, underlying: GoType) -> Way {
        match (&underlying, self.types.unaliased(ty)) {
            (GoType::Interface(_), GoType::Named(named)) => Way::Interface(named.name.to_string()),
            (GoType::Other(text), _) if is_array(text) => Way::Array(underlying),
            _ => Way::Never(underlying),
        }
    }

    /// Whether all fields of a struct can be assigned. Other names of types (`type A = B`) are not looked through.
    fn is_flat(&mut self, fields: &Struct, depth: usize) -> bool {
        let mut index = 0;
        while let Some(field) = self.types.field(fields, index) {
            if depth > DEPTH || !self.is_plain(&field.ty, depth + 1) {
                return false;
            }
            index += 1;
        }
        true
    }

    fn is_plain(&mut self, ty: &GoType, depth: usize) -> bool {
        let ty = &*self.seen(ty);
        match ty {
            GoType::Basic(_) => true,
            GoType::Named(named) if named.alias => false,
            GoType::Named(_) => {
                let underlying = self.types.underlying(ty);
                !matches!(underlying, GoType::Named(_)) && self.is_plain(&underlying, depth)
            }
            GoType::Struct(fields) => self.is_flat(fields, depth),
            _ => false,
        }
    }

    fn map(&mut self, name: &Name<'_>, key: &GoType, value: &GoType) {
        if !self.is_plain(key, 0) {
            self.refuse("map key type", key);
            return;
        }
        let name = self.name(name);
        self.code.line(&format!("*out = make({name}, len(*in))"));
        self.code.open("for key, val := range *in");
        let value = &*self.seen(value);
        match self.way(value) {
            Way::Handwritten(methods) => self.map_value_by_hand(value, methods),
            Way::Reference => self.map_reference(value),
            Way::Basic | Way::Flat if !is_alias(value) => self.code.line("(*out)[key] = val"),
            Way::Flat | Way::Struct => self.code.line("(*out)[key] = *val.DeepCopy()"),
            Way::Basic => {
                let underlying = self.types.underlying(value);
                self.refuse("map value type", &underlying);
            }
            Way::Interface(name) => {
                self.code.open("if val == nil");
                self.code.line("(*out)[key] = nil");
                self.code.otherwise();
                self.code.line(&format!("(*out)[key] = val.DeepCopy{name}()"));
                self.code.close();
            }
            Way::Never(underlying) | Way::Array(underlying) => self.refuse("map value type", &underlying),
        }
        self.code.close();
    }

    fn map_value_by_hand(&mut self, value: &GoType, methods: Handwritten) {
        let is_pointer = matches!(value, GoType::Pointer(_));
        match (self.returns_pointer(value, methods.copy), is_pointer) {
            (false, true) => {
                self.code.open("");
                self.code.line("x := val.DeepCopy()");
                self.code.line("(*out)[key] = &x");
                self.code.close();
            }
            (true, false) => self.code.line("(*out)[key] = *val.DeepCopy()"),
            _ => self.code.line("(*out)[key] = val.DeepCopy()"),
        }
    }

    fn map_reference(&mut self, value: &GoType) {
        let underlying = self.types.underlying(value);
        let written = self.syntax(&underlying);
        self.code.line(&format!("var outVal {written}"));
        self.code.open("if val == nil");
        self.code.line("(*out)[key] = nil");
        self.code.otherwise();
        match self.dialect {
            Dialect::ControllerGen => {
                self.code.line("inVal := (*in)[key]");
                self.code.line("in, out := &inVal, &outVal");
            }
            Dialect::DeepcopyGen => self.code.line("in, out := &val, &outVal"),
        }
        self.block(&Name::Of(value), value);
        self.code.close();
        self.code.line("(*out)[key] = outVal");
    }

    fn slice(&mut self, name: &Name<'_>, item: &GoType) {
        let name = self.name(name);
        self.code.line(&format!("*out = make({name}, len(*in))"));
        let item = &*self.seen(item);
        let way = self.way(item);
        if matches!(way, Way::Basic | Way::Flat) {
            self.code.line("copy(*out, *in)");
            return;
        }
        self.code.open("for i := range *in");
        match way {
            Way::Reference => {
                self.code.open("if (*in)[i] != nil");
                self.code.line("in, out := &(*in)[i], &(*out)[i]");
                self.block(&Name::Of(item), item);
                self.code.close();
            }
            Way::Interface(name) => {
                self.code.open("if (*in)[i] != nil");
                self.code.line(&format!("(*out)[i] = (*in)[i].DeepCopy{name}()"));
                self.code.close();
            }
            Way::Never(underlying) | Way::Array(underlying) => self.refuse("slice element type", &underlying),
            _ => self.code.line("(*in)[i].DeepCopyInto(&(*out)[i])"),
        }
        self.code.close();
    }

    fn fields(&mut self, fields: &Struct) {
        self.code.line("*out = *in");
        let outer = self.place;
        for index in 0.. {
            let Some(field) = self.types.field(fields, index) else {
                break;
            };
            if field.span.file == outer.file {
                self.place = field.span;
            }
            if !self.field(&field.name, &field.ty) {
                break;
            }
        }
        self.place = outer;
    }

    /// Copies a field. Returns false after one that cannot be copied: controller-gen ends there.
    fn field(&mut self, name: &str, ty: &GoType) -> bool {
        let ty = &*self.seen(ty);
        match self.way(ty) {
            Way::Handwritten(methods) if !matches!(ty, GoType::Pointer(_)) => {
                if self.returns_pointer(ty, methods.copy) {
                    self.code.line(&format!("in.{name}.DeepCopyInto(&out.{name})"));
                } else {
                    self.code.line(&format!("out.{name} = in.{name}.DeepCopy()"));
                }
            }
            Way::Handwritten(_) | Way::Reference => {
                self.code.open(&format!("if in.{name} != nil"));
                self.code.line(&format!("in, out := &in.{name}, &out.{name}"));
                self.block(&Name::Of(ty), ty);
                self.code.close();
            }
            // The assignment of the whole struct copied it.
            Way::Basic => {}
            Way::Flat if !is_alias(ty) => self.code.line(&format!("out.{name} = in.{name}")),
            Way::Flat | Way::Struct => self.code.line(&format!("in.{name}.DeepCopyInto(&out.{name})")),
            Way::Interface(interface) => {
                self.code.open(&format!("if in.{name} != nil"));
                self.code
                    .line(&format!("out.{name} = in.{name}.DeepCopy{interface}()"));
                self.code.close();
            }
            Way::Array(_) => self.code.line(&format!("out.{name} = in.{name}")),
            Way::Never(underlying) => {
                self.refuse("field type", &underlying);
                return false;
            }
        }
        true
    }

    fn pointer(&mut self, target: &GoType) {
        let target = &*self.seen(target);
        let way = self.way(target);
        if let Way::Handwritten(methods) = way {
            if self.returns_pointer(target, methods.copy) {
                self.code.line("*out = (*in).DeepCopy()");
            } else {
                self.code.line("x := (*in).DeepCopy()");
                self.code.line("*out = &x");
            }
            return;
        }
        if let Way::Never(underlying) | Way::Array(underlying) = way {
            self.refuse("pointer element type", &underlying);
            return;
        }
        if let Way::Interface(_) = way {
            self.refuse("pointer element type", target);
            return;
        }
        let named = match way {
            Way::Reference if !self.release.has(Change::NamedPointees) => {
                Cow::Owned(self.types.underlying(target))
            }
            _ => Cow::Borrowed(target),
        };
        let name = self.syntax(&named);
        self.code.line(&format!("*out = new({name})"));
        match way {
            Way::Reference => {
                self.code.open("if **in != nil");
                self.code.line("in, out := *in, *out");
                self.block(&Name::Of(&named), &named);
                self.code.close();
            }
            Way::Struct => self.code.line("(*in).DeepCopyInto(*out)"),
            _ => self.code.line("**out = **in"),
        }
    }

    /// Whether `DeepCopy` of a value returns a pointer; if it is generated, by what will be generated.
    fn returns_pointer(&mut self, ty: &GoType, copy: Option<Receiver>) -> bool {
        if let Some(receiver) = copy {
            return receiver == Receiver::Pointer;
        }
        match ty {
            GoType::Pointer(target) => self.returns_pointer(target, None),
            GoType::Map(..) | GoType::Slice(_) => false,
            GoType::Named(named) if !named.alias => {
                let underlying = self.types.underlying(ty);
                matches!(underlying, GoType::Named(_)) || self.returns_pointer(&underlying, None)
            }
            _ => true,
        }
    }

    /// A type as the release sees it: older ones never see an alias (`type A = B`).
    fn seen<'t>(&mut self, ty: &'t GoType) -> Cow<'t, GoType> {
        if is_alias(ty) && !self.release.has(Change::Aliases) {
            return Cow::Owned(self.types.unaliased(ty));
        }
        Cow::Borrowed(ty)
    }

    fn name(&mut self, name: &Name<'_>) -> String {
        match name {
            Name::Own(name) => (*name).to_owned(),
            Name::Of(ty) => self.syntax(ty),
        }
    }

    /// A type as written in the generated file, which imports what it needs.
    fn syntax(&mut self, ty: &GoType) -> String {
        // deepcopy-gen names what an alias stands for.
        let ty = match self.dialect {
            Dialect::ControllerGen => self.seen(ty),
            Dialect::DeepcopyGen => Cow::Owned(self.types.unaliased(ty)),
        };
        match &*ty {
            // Both are one type for gengo (`builtins` in its types/types.go).
            GoType::Basic(name) if &**name == "uint8" && self.dialect == Dialect::DeepcopyGen => {
                "byte".to_owned()
            }
            GoType::Basic(name) => name.to_string(),
            GoType::Named(named) if named.package.id == self.package.id => {
                format!("{}{}", named.name, self.arguments(named))
            }
            GoType::Named(named) => {
                let alias = self.imports.alias(&named.package.path, &named.package.name);
                format!("{alias}.{}{}", named.name, self.arguments(named))
            }
            GoType::Pointer(inner) => format!("*{}", self.syntax(inner)),
            GoType::Slice(inner) => format!("[]{}", self.syntax(inner)),
            GoType::Map(key, value) => {
                let key = self.syntax(key);
                format!("map[{key}]{}", self.syntax(value))
            }
            other => {
                let message = format!("name requested for invalid type: {other}");
                self.problems
                    .push(Problem::new(self.place, message).help(NOT_COPYABLE));
                other.to_string()
            }
        }
    }

    /// The type arguments of a name, which controller-gen leaves out.
    fn arguments(&mut self, named: &Named) -> String {
        if named.arguments().is_empty() || self.dialect == Dialect::ControllerGen {
            return String::new();
        }
        let written: Vec<String> = named.arguments().iter().map(|ty| self.syntax(ty)).collect();
        format!("[{}]", written.join(", "))
    }

    fn refuse(&mut self, what: &str, ty: &GoType) {
        let help = match (ty, self.dialect) {
            (GoType::Invalid(_), _) => NOT_FOUND,
            (_, Dialect::ControllerGen) => NOT_COPYABLE,
            (GoType::Interface(_), Dialect::DeepcopyGen) => NAMELESS,
            (_, Dialect::DeepcopyGen) => NOT_COPYABLE_BY_DEEPCOPY_GEN,
        };
        let problem = Problem::new(self.place, format!("invalid {what}: {ty}"));
        self.problems.push(problem.help(help));
    }
}

fn is_reference(ty: &GoType) -> bool {
    matches!(ty, GoType::Slice(_) | GoType::Map(..) | GoType::Pointer(_))
}

fn is_alias(ty: &GoType) -> bool {
    matches!(ty, GoType::Named(named) if named.alias)
}

fn deep_copy(name: &str, by_pointer: bool) -> String {
    let (star, result) = if by_pointer { ("*", "out") } else { ("", "*out") };
    format!(
        "// DeepCopy is an autogenerated deepcopy function, copying the receiver, creating a new {name}.\n\
         func (in {star}{name}) DeepCopy() {star}{name} {{\n\
         \tif in == nil {{\n\t\treturn nil\n\t}}\n\
         \tout := new({name})\n\
         \tin.DeepCopyInto(out)\n\
         \treturn {result}\n\
         }}\n"
    )
}

fn is_array(text: &str) -> bool {
    text.starts_with('[')
}
