//! A file's declarations as text, for tests and for debugging the reader.

use std::fmt::Write as _;

use kindsmith_source::Span;

use super::ast::{
    Comments, Const, ExprId, ExprKind, Field, File, Func, Length, List, Param, Type, TypeId, TypeKind,
    TypeParam,
};
use super::comment::GroupId;

/// Everything that the file declares, one declaration or comment group per line.
#[must_use]
pub fn dump(file: &File) -> String {
    let mut out = Dump {
        file,
        out: String::new(),
    };
    out.all();
    out.out
}

struct Dump<'a> {
    file: &'a File,
    out: String,
}

impl Dump<'_> {
    fn all(&mut self) {
        let file = self.file;
        if file.package.is_some() {
            self.line(0, format!("package {}", file.package_name()));
            self.comments(1, &file.package_comments);
        }
        for import in &file.imports {
            let name = import.name.map_or("", |name| file.text(name));
            self.line(
                0,
                format!("import {name} {}", file.text(import.path)).replace("  ", " "),
            );
        }
        for decl in &file.types {
            let params = self.type_params(decl.type_params);
            let alias = if decl.alias { " =" } else { "" };
            let ty = self.ty(decl.ty);
            self.line(0, format!("type {}{params}{alias} {ty}", file.text(decl.name)));
            self.comments(1, &decl.comments);
            self.fields_of(1, decl.ty);
        }
        file.consts.iter().for_each(|decl| self.constant(decl));
        for decl in &file.vars {
            let ty = decl.ty.map_or(String::new(), |ty| format!(" {}", self.ty(ty)));
            let value = decl
                .value
                .map_or(String::new(), |value| format!(" = {}", file.text(value)));
            self.line(0, format!("var {}{ty}{value}", file.text(decl.name)));
            self.comments(1, &decl.comments);
        }
        file.funcs.iter().for_each(|decl| self.func(decl));
        for group in &file.package_groups {
            let text = self.group(*group);
            self.line(0, format!("loose: {text}"));
        }
        for diagnostic in &file.diagnostics {
            let near = self.file.text(diagnostic.span);
            self.line(0, format!("error at `{near}`: {}", diagnostic.message));
        }
    }

    fn line(&mut self, indent: usize, line: impl AsRef<str>) {
        let line = line.as_ref();
        let pad = indent * 2;
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:pad$}{line}", "");
    }

    fn comments(&mut self, indent: usize, comments: &Comments) {
        let stolen = if self.file.steals_trailing(comments) {
            " (trailing)"
        } else {
            ""
        };
        let mut show = |name: &str, group: Option<GroupId>| {
            if let Some(group) = group {
                let text = self.group(group);
                self.line(indent, format!("{name}: {text}"));
            }
        };
        if comments.second_closest == comments.nearest {
            show("above", comments.nearest);
        } else {
            show("second", comments.second_closest);
            show("nearest", comments.nearest);
        }
        if comments.closest == comments.godoc {
            show("doc", comments.godoc);
        } else {
            show(&format!("closest{stolen}"), comments.closest);
            show("godoc", comments.godoc);
        }
        show("trailing", comments.trailing);
    }

    fn group(&self, group: GroupId) -> String {
        let lines = self.file.comment_lines(group);
        let texts: Vec<&str> = lines.iter().map(|line| self.file.text(line.span)).collect();
        texts.join(" / ")
    }

    fn fields_of(&mut self, indent: usize, ty: TypeId) {
        match self.file.ty(ty).kind {
            TypeKind::Unread(body) => {
                let (file, ty) = self.file.body(body);
                let mut inside = Dump {
                    file,
                    out: std::mem::take(&mut self.out),
                };
                inside.struct_fields(indent, ty);
                self.out = inside.out;
            }
            TypeKind::Struct(_) => self.struct_fields(indent, self.file.ty(ty)),
            TypeKind::Pointer(inner) | TypeKind::Slice(inner) | TypeKind::Chan(inner) => {
                self.fields_of(indent, inner);
            }
            TypeKind::Array { elem, .. } => self.fields_of(indent, elem),
            TypeKind::Map { value, .. } => self.fields_of(indent, value),
            _ => {}
        }
    }

    fn struct_fields(&mut self, indent: usize, ty: Type) {
        if let TypeKind::Struct(fields) = ty.kind {
            for field in self.file.fields(fields) {
                self.field(indent, field);
            }
        }
    }

    fn field(&mut self, indent: usize, field: &Field) {
        let name = self.file.text(field.name);
        let embedded = if field.embedded { "embedded " } else { "" };
        let tag = field
            .tag
            .map_or(String::new(), |tag| format!(" {}", self.file.text(tag)));
        let ty = self.ty(field.ty);
        self.line(indent, format!("{embedded}{name} {ty}{tag}"));
        self.comments(indent + 1, &field.comments);
        self.fields_of(indent + 1, field.ty);
    }

    fn constant(&mut self, decl: &Const) {
        let ty = decl.ty.map_or(String::new(), |ty| format!(" {}", self.ty(ty)));
        let value = decl.value.map_or("?".to_owned(), |value| self.expr(value));
        let implicit = if decl.implicit { " implicit" } else { "" };
        let name = self.file.text(decl.name);
        self.line(0, format!("const {name}{ty} = {value} @{}{implicit}", decl.iota));
        self.comments(1, &decl.comments);
    }

    fn func(&mut self, decl: &Func) {
        let receiver = decl.receiver.map_or(String::new(), |receiver| {
            let star = if receiver.pointer { "*" } else { "" };
            format!("({star}{}) ", self.file.text(receiver.ty))
        });
        let name = self.file.text(decl.name);
        let generics = self.type_params(decl.type_params);
        let params = self.params(decl.params);
        let results = if decl.results.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.params(decl.results))
        };
        let returns = decl
            .returns
            .map_or(String::new(), |span| format!(" returns {}", self.file.text(span)));
        self.line(
            0,
            format!("func {receiver}{name}{generics}({params}){results}{returns}"),
        );
        self.comments(1, &decl.comments);
    }

    fn params(&self, list: List<Param>) -> String {
        let one = |param: &Param| {
            let name = param
                .name
                .map_or(String::new(), |name| format!("{} ", self.file.text(name)));
            let dots = if param.variadic { "..." } else { "" };
            format!("{name}{dots}{}", self.ty(param.ty))
        };
        self.file
            .params(list)
            .iter()
            .map(one)
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn type_params(&self, list: List<TypeParam>) -> String {
        if list.is_empty() {
            return String::new();
        }
        let text = |span: Span| self.file.text(span);
        let one = |param: &TypeParam| format!("{} {}", text(param.name), text(param.constraint));
        let all: Vec<String> = self.file.type_params(list).iter().map(one).collect();
        format!("[{}]", all.join(", "))
    }

    fn ty(&self, id: TypeId) -> String {
        let node = self.file.ty(id);
        match node.kind {
            TypeKind::Name => self.file.text(node.span).to_owned(),
            TypeKind::Qualified { package, name } => {
                format!("{}.{}", self.file.text(package), self.file.text(name))
            }
            TypeKind::Generic { base, args } => {
                let args: Vec<String> = self
                    .file
                    .type_args(args)
                    .iter()
                    .map(|arg| self.ty(*arg))
                    .collect();
                format!("{}[{}]", self.ty(base), args.join(", "))
            }
            TypeKind::Pointer(elem) => format!("*{}", self.ty(elem)),
            TypeKind::Slice(elem) => format!("[]{}", self.ty(elem)),
            TypeKind::Array { len, elem } => {
                let len = match len {
                    Length::Expr(expr) => self.expr(expr),
                    Length::Ellipsis => "...".to_owned(),
                };
                format!("[{len}]{}", self.ty(elem))
            }
            TypeKind::Map { key, value } => format!("map[{}]{}", self.ty(key), self.ty(value)),
            TypeKind::Struct(_) | TypeKind::Unread(_) => "struct".to_owned(),
            TypeKind::Interface { empty: true } => "interface{}".to_owned(),
            TypeKind::Interface { empty: false } => "interface{…}".to_owned(),
            TypeKind::Chan(elem) => format!("chan {}", self.ty(elem)),
            TypeKind::Func => "func".to_owned(),
        }
    }

    fn expr(&self, id: ExprId) -> String {
        let node = self.file.expr(id);
        match node.kind {
            ExprKind::Unary(op, operand) => format!("({op:?} {})", self.expr(operand)),
            ExprKind::Binary(op, left, right) => format!("({op:?} {} {})", self.expr(left), self.expr(right)),
            ExprKind::Call { callee, args } => {
                let args: Vec<String> = self.file.args(args).iter().map(|arg| self.expr(*arg)).collect();
                format!("{}({})", self.expr(callee), args.join(", "))
            }
            ExprKind::Other => format!("<{}>", self.file.text(node.span)),
            _ => self.file.text(node.span).to_owned(),
        }
    }
}
