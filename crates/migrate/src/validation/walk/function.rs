//! Functions of a package, with their bodies read.

use std::rc::Rc;

use kindsmith_go::syntax::{File, TypeId, TypeKind};

use super::super::syntax::{Stmt, body};

/// A function of the package.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) params: Vec<(String, Param)>,
    pub(super) body: Rc<Vec<Stmt>>,
    pub(super) line: u32,
    pub(super) has_errors: bool,
    /// Whether it takes nothing but paths, texts, numbers, and lists, maps and functions of those, and options at its end.
    pub(super) is_plain: bool,
    /// The types of its parameters as written.
    pub(super) types: Vec<String>,
    /// Whether it returns a list of errors and nothing else.
    pub(super) is_list: bool,
    pub(super) is_generic: bool,
    /// Whether the last parameter may be left out.
    pub(super) variadic: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Param {
    Path,
    Struct(String),
    /// A struct of options.
    Options,
    Other,
}

impl Function {
    /// Whether it validates an object on its own.
    pub(super) fn is_entry(&self) -> bool {
        self.has_errors
            && self
                .params
                .iter()
                .any(|(_, param)| matches!(param, Param::Struct(_)))
    }
}

pub(super) fn functions_of(file: &File, index: usize, is_struct: &dyn Fn(&str) -> bool) -> Vec<Function> {
    let mut made = Vec::new();
    for func in &file.funcs {
        let Some(span) = func.body.filter(|_| func.receiver.is_none()) else {
            continue;
        };
        let results = file.params(func.results);
        let has_errors = results.iter().any(|result| {
            let text = file.text(file.ty(result.ty).span);
            text.ends_with("field.ErrorList") || text.ends_with("field.Error")
        });
        let written = |param: &kindsmith_go::syntax::Param| file.text(file.ty(param.ty).span).to_owned();
        let types: Vec<String> = file.params(func.params).iter().map(written).collect();
        let variadic = file
            .params(func.params)
            .last()
            .is_some_and(|param| param.variadic);
        // The last parameter may be options that callers name.
        let given = types.len() - usize::from(variadic);
        let is_plain = types[..given].iter().all(|text| is_plain(text));
        let params = file.params(func.params).iter().map(|param| {
            let name = param
                .name
                .map(|name| file.text(name).to_owned())
                .unwrap_or_default();
            (name, param_of(file, param.ty, is_struct))
        });
        let start = span.start as usize;
        let line = file.source()[..start].matches('\n').count() + 1;
        let line = u32::try_from(line).unwrap_or_default();
        made.push(Function {
            name: file.text(func.name).to_owned(),
            file: index,
            params: params.collect(),
            body: Rc::new(body(file.text(span), line, start)),
            line,
            has_errors,
            is_plain,
            types,
            is_list: results.len() == 1
                && results
                    .iter()
                    .all(|result| written(result).ends_with("field.ErrorList")),
            is_generic: !func.type_params.is_empty(),
            variadic,
        });
    }
    made
}

/// Whether a type is made of scalars of the language, or a path.
fn is_plain(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '.']).trim_start_matches("[]");
    let scalars = ["string", "bool", "int", "int32", "int64", "uint32", "uint64"];
    text == "field.Path"
        || scalars.contains(&text)
        || text.starts_with("map[string]") && is_plain(&text["map[string]".len()..])
}

fn param_of(file: &File, ty: TypeId, is_struct: &dyn Fn(&str) -> bool) -> Param {
    let ty = file.ty(ty);
    match ty.kind {
        TypeKind::Pointer(of) => param_of(file, of, is_struct),
        TypeKind::Name | TypeKind::Qualified { .. } => {
            let text = file.text(ty.span);
            let name = text.rsplit('.').next().unwrap_or_default();
            match text {
                "field.Path" => Param::Path,
                _ if is_struct(name) => Param::Struct(name.to_owned()),
                _ if name.ends_with("Options") => Param::Options,
                _ => Param::Other,
            }
        }
        _ => Param::Other,
    }
}

pub(super) fn import_path(file: &File, qualifier: &str) -> Option<String> {
    file.imports.iter().find_map(|import| {
        let path = file.import_path(import);
        let name = match import.name {
            Some(name) => file.text(name),
            None => path.rsplit('/').next().unwrap_or_default(),
        };
        (name == qualifier).then(|| path.to_owned())
    })
}
