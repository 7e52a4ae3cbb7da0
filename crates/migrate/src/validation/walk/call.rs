//! Calls: constructors of errors, marks, functions of libraries, helpers of the package.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::library;
use super::super::syntax::{Call, Expr, Stmt};
use super::super::value::{Closure, Cond, Emit, ErrorType, FileId, PathStep, Span, Step, Val, blank};
use super::function::import_path;
use super::{Called, MAX_CALLS, Unread, Walker};

impl Walker<'_, '_> {
    pub(super) fn call(&mut self, callee: &Expr, args: &[Expr], at: Call) -> Val {
        // `sets.New[string](…)`
        let callee = match callee {
            Expr::Index(of, _) if matches!(**of, Expr::Select(..) | Expr::Name(_)) => of,
            other => other,
        };
        match callee {
            Expr::Name(name) => self.call_named(name, args, at),
            Expr::Select(of, name) => self.call_method(of, name, args, at),
            _ => Val::Unknown,
        }
    }

    pub(super) fn call_named(&mut self, name: &str, args: &[Expr], at: Call) -> Val {
        match (name, args) {
            ("append", [first, rest @ ..]) => {
                let mut errors = match self.eval(first) {
                    Val::Errors(errors) => errors,
                    _ => Vec::new(),
                };
                for arg in rest {
                    if let Val::Errors(more) = self.eval(arg) {
                        errors.extend(more);
                    }
                }
                Val::Errors(errors)
            }
            ("len", [of]) => match self.eval(of) {
                Val::New(place) => Val::Length(place),
                Val::Old(place) => Val::OldLength(place),
                Val::Seen(Some(list)) => Val::Filled(list),
                Val::Errors(_) => Val::ErrorCount,
                Val::Messages(place, format) => Val::Messages(place, format),
                _ => Val::Unknown,
            },
            ("int" | "int32" | "int64" | "uint32" | "string" | "float64", [of]) => self.eval(of),
            _ => match self.named(name) {
                Val::Func(package, function) => self.inline(package, &function, args, at),
                Val::Library(path, name) => {
                    let values: Vec<Val> = args.iter().map(|arg| self.eval(arg)).collect();
                    self.library(&path, &name, &values, at)
                }
                Val::Closure(closure) => {
                    let values = args.iter().map(|arg| self.eval(arg)).collect();
                    let made = self.run_closure(&closure, values);
                    self.through(made, at)
                }
                _ => {
                    for arg in args {
                        self.eval(arg);
                    }
                    self.not_read(at.line, format!("`{name}` is not read"));
                    Val::Unknown
                }
            },
        }
    }

    pub(super) fn call_method(&mut self, of: &Expr, name: &str, args: &[Expr], at: Call) -> Val {
        if let Expr::Name(qualifier) = of
            && !self.env.contains_key(qualifier)
        {
            return self.call_library(qualifier, name, args, at);
        }
        let base = self.eval(of);
        match (base, name) {
            (Val::Path(mut path), "Child") => {
                for arg in args {
                    match self.eval(arg) {
                        Val::Text(text) => path.push(PathStep::Child(text)),
                        _ => return Val::Unknown,
                    }
                }
                Val::Path(path)
            }
            (Val::Path(mut path), "Index") => {
                path.push(PathStep::Index);
                Val::Path(path)
            }
            (Val::Path(mut path), "Key") => {
                path.push(PathStep::Key);
                Val::Path(path)
            }
            (Val::Errors(errors), "WithOrigin") => {
                let Some(Val::Text(origin)) = args.first().map(|arg| self.eval(arg)) else {
                    return Val::Unknown;
                };
                match origin.strip_prefix("format=") {
                    Some(format) => self.format(&errors, format, &origin),
                    None => self.changed(&errors, |emit| emit.origin = Some(origin.clone())),
                }
            }
            (Val::Errors(errors), "MarkCoveredByDeclarative") => {
                self.changed(&errors, |emit| emit.covered = true)
            }
            (Val::Errors(errors), "MarkAlpha") => self.changed(&errors, |emit| emit.level = Some("alpha")),
            (Val::Errors(errors), "MarkBeta") => self.changed(&errors, |emit| emit.level = Some("beta")),
            (Val::Texts(texts), "List" | "UnsortedList") => Val::Texts(texts),
            (Val::Seen(list), _) => {
                let values: Vec<Val> = args.iter().map(|arg| self.eval(arg)).collect();
                if let (Expr::Name(set), "Insert", [Val::New(item)]) = (of, name, &values[..]) {
                    self.inserted(set, item);
                }
                Val::Seen(list)
            }
            _ => {
                for arg in args {
                    self.eval(arg);
                }
                Val::Unknown
            }
        }
    }

    /// Errors that the author says are those of a format: together they are one rule.
    pub(super) fn format(&mut self, errors: &[Rc<Emit>], format: &str, origin: &str) -> Val {
        let place = errors.iter().find_map(|emit| emit.value.clone());
        let found = (errors.first(), library::format(format), place);
        let (Some(first), Some(format), Some(place)) = found else {
            return self.changed(errors, |emit| emit.origin = Some(origin.to_owned()));
        };
        if errors.iter().any(|emit| emit.path != first.path) {
            return self.changed(errors, |emit| emit.origin = Some(origin.to_owned()));
        }
        let mut conditions = self.conditions.clone();
        // What is not understood there is the check of the format itself.
        match conditions.pop() {
            None | Some(Cond::Unknown) => {}
            Some(Cond::All(parts)) => {
                conditions.extend(parts.into_iter().filter(|part| *part != Cond::Unknown));
            }
            Some(other) => conditions.push(other),
        }
        let is_checked = |condition: &Cond| matches!(condition, Cond::NotFormat(of, _) if *of == place);
        conditions.retain(|condition| !is_checked(condition));
        conditions.push(Cond::NotFormat(place.clone(), format));
        Val::Errors(vec![Rc::new(Emit {
            error: ErrorType::Invalid,
            origin: Some(origin.to_owned()),
            value: Some(place),
            conditions,
            ..(**first).clone()
        })])
    }

    pub(super) fn call_library(&mut self, qualifier: &str, name: &str, args: &[Expr], at: Call) -> Val {
        let package = self.packages[self.here].package.clone();
        let path = package
            .files
            .get(self.file)
            .and_then(|file| import_path(file, qualifier));
        let Some(path) = path else {
            return Val::Unknown;
        };
        let values: Vec<Val> = args.iter().map(|arg| self.eval(arg)).collect();
        match (path.as_str(), name) {
            (_, "NewPath") if path.ends_with("/validation/field") => {
                let texts = values.iter().map(|val| match val {
                    Val::Text(text) => Some(PathStep::Child(text.clone())),
                    _ => None,
                });
                texts.collect::<Option<Vec<_>>>().map_or(Val::Unknown, Val::Path)
            }
            _ if path.ends_with("/validation/field") => self.error(name, &values, at),
            ("k8s.io/apimachinery/pkg/util/sets", "New" | "NewString" | "NewInt" | "NewInt32") => {
                match &values[..] {
                    [] => Val::Seen(None),
                    [Val::Texts(texts)] => Val::Texts(texts.clone()),
                    all => texts_of(all),
                }
            }
            ("k8s.io/apimachinery/pkg/util/sets", "List") => {
                values.into_iter().next().unwrap_or(Val::Unknown)
            }
            ("unicode/utf8", "RuneCountInString") => match values.into_iter().next() {
                Some(Val::New(place)) => Val::Characters(place),
                _ => Val::Unknown,
            },
            ("fmt" | "context", _) => Val::Unknown,
            _ => match self.function_of(qualifier, name) {
                Some(package) => self.inline_values(package, name, values, at),
                None => self.library(&path, name, &values, at),
            },
        }
    }

    pub(super) fn library(&mut self, path: &str, name: &str, values: &[Val], at: Call) -> Val {
        if let Some(checked) = self.object_name(name, values) {
            return checked;
        }
        match library::call(path, name, values) {
            library::Known::Messages(place, format) => Val::Messages(place, format),
            library::Known::Errors(emits) => {
                if self.pay(emits.len() * self.conditions.len()) {
                    return Val::Errors(Vec::new());
                }
                let emits = emits.into_iter().map(|mut emit| {
                    emit.conditions = self.conditions.iter().cloned().chain(emit.conditions).collect();
                    Rc::new(self.at(emit, at))
                });
                Val::Errors(emits.collect())
            }
            library::Known::Nothing => {
                if library::has_errors(path, name) {
                    let package = path.rsplit('/').next().unwrap_or_default();
                    self.not_read(at.line, format!("`{package}.{name}` is not read"));
                    return Val::Errors(Vec::new());
                }
                Val::Unknown
            }
        }
    }

    /// The check of an object's name, which is given to the check of its metadata.
    pub(super) fn object_name(&mut self, name: &str, values: &[Val]) -> Option<Val> {
        let [Val::New(metadata), _, Val::Closure(check), Val::Path(path), ..] = values else {
            return None;
        };
        if !name.starts_with("ValidateObjectMeta") {
            return None;
        }
        let mut path = path.clone();
        path.push(PathStep::Child("name".to_owned()));
        let name = metadata.then(Step::Field("Name".to_owned()));
        // A name that is missing is another error.
        self.conditions.push(Cond::Set(name.clone()));
        let given = vec![Val::Path(path), Val::New(name)];
        let check = check.clone();
        let made = self.run_closure(&check, given);
        self.conditions.pop();
        Some(made)
    }

    pub(super) fn at(&self, emit: Emit, at: Call) -> Emit {
        Emit {
            function: self.current.last().cloned().unwrap_or_default(),
            entry: self.current.first().cloned().unwrap_or_default(),
            root: self.root.clone(),
            file: self.source(),
            line: at.line,
            start: at.start,
            end: at.end,
            ..emit
        }
    }

    /// A constructor of the package `field`.
    pub(super) fn error(&mut self, name: &str, values: &[Val], at: Call) -> Val {
        let error = match name {
            "Required" => ErrorType::Required,
            "Invalid" => ErrorType::Invalid,
            "NotSupported" => ErrorType::NotSupported,
            "TooLong" | "TooLongMaxLength" => ErrorType::TooLong,
            "TooMany" => ErrorType::TooMany,
            "Duplicate" => ErrorType::Duplicate,
            "Forbidden" => ErrorType::Forbidden,
            "TooShort" => ErrorType::TooShort,
            "TooFew" => ErrorType::TooFew,
            "ErrorList" => return Val::Errors(Vec::new()),
            _ => {
                self.not_read(at.line, format!("no tag reports `field.{name}`"));
                return Val::Errors(Vec::new());
            }
        };
        let Some(Val::Path(path)) = values.first() else {
            self.not_read(at.line, "the field is not known".to_owned());
            return Val::Errors(Vec::new());
        };
        let mut emit = blank(error, path.clone());
        emit.value = match values.get(1) {
            Some(Val::New(place)) => Some(place.clone()),
            _ => None,
        };
        let last = values.last();
        match (error, last) {
            (ErrorType::Required | ErrorType::Forbidden | ErrorType::Invalid, Some(Val::Text(text))) => {
                emit.detail = Some(text.clone());
            }
            (
                ErrorType::TooLong | ErrorType::TooMany | ErrorType::TooShort | ErrorType::TooFew,
                Some(Val::Int(limit)),
            ) => emit.limit = Some(*limit),
            (ErrorType::NotSupported, Some(Val::Texts(texts))) => emit.supported.clone_from(texts),
            (ErrorType::Invalid, Some(Val::Messages(_, format))) => {
                emit.detail = Some(format!("format={format}"));
            }
            _ => {}
        }
        if self.pay(self.conditions.len()) {
            return Val::Errors(Vec::new());
        }
        emit.conditions.clone_from(&self.conditions);
        Val::Errors(vec![Rc::new(self.at(emit, at))])
    }

    /// Walks a helper with what it is given. Functions that take whole objects are walked on their own.
    pub(super) fn inline(&mut self, package: usize, name: &str, args: &[Expr], at: Call) -> Val {
        let values: Vec<Val> = args.iter().map(|arg| self.eval(arg)).collect();
        self.inline_values(package, name, values, at)
    }

    pub(super) fn inline_values(&mut self, package: usize, name: &str, values: Vec<Val>, at: Call) -> Val {
        let Some(function) = self.packages[package].functions.get(name).cloned() else {
            return Val::Unknown;
        };
        if function.is_entry() {
            let call = Called {
                by: self.current.first().cloned().unwrap_or_default(),
                conditions: self.conditions.clone(),
                base: values.iter().find_map(|value| match value {
                    Val::New(place) => Some(place.clone()),
                    _ => None,
                }),
                path: values.iter().find_map(|value| match value {
                    Val::Path(path) => Some(path.clone()),
                    _ => None,
                }),
            };
            self.calls.entry(name.to_owned()).or_default().push(call);
            return Val::Errors(Vec::new());
        }
        let names: Vec<String> = function.params.iter().map(|(name, _)| name.clone()).collect();
        let values = if function.variadic {
            gathered(values, names.len())
        } else {
            values
        };
        let before = (self.here, self.file);
        (self.here, self.file) = (package, function.file);
        let made = self.run(&names, values, &function.body, name);
        (self.here, self.file) = before;
        self.through(made, at)
    }

    /// A function literal, walked where it was written.
    fn run_closure(&mut self, closure: &Closure, values: Vec<Val>) -> Val {
        let before = (self.here, self.file);
        (self.here, self.file) = closure.source;
        let made = self.run(&closure.params, values, &closure.body, "");
        (self.here, self.file) = before;
        made
    }

    /// Errors that a call hands on.
    fn through(&mut self, made: Val, at: Call) -> Val {
        let Val::Errors(errors) = made else {
            return made;
        };
        let through = Span {
            file: self.source(),
            start: at.start,
            end: at.end,
        };
        self.changed(&errors, |emit| emit.through.push(through))
    }

    /// The file that is being walked.
    pub(super) fn source(&self) -> FileId {
        FileId {
            package: self.here,
            file: self.file,
        }
    }

    pub(super) fn run(&mut self, names: &[String], values: Vec<Val>, body: &[Stmt], name: &str) -> Val {
        let is_running = !name.is_empty() && self.current.iter().any(|running| running == name);
        if is_running || self.current.len() >= MAX_CALLS {
            return Val::Unknown;
        }
        self.current.push(name.to_owned());
        let mut env: HashMap<String, (Val, usize)> = if name.is_empty() {
            self.env.clone()
        } else {
            HashMap::new()
        };
        let missing = std::iter::repeat_with(|| Val::Unknown);
        for (name, val) in names.iter().zip(values.into_iter().chain(missing)) {
            env.insert(name.clone(), (val, self.nesting));
        }
        let outer = std::mem::replace(&mut self.env, env);
        let returned = std::mem::take(&mut self.returned);
        // A function that only returns something is what it returns.
        let made = match body {
            [Stmt::Return(values, _)] if values.len() == 1 => self.eval(&values[0]),
            _ => {
                self.block(body);
                Val::Errors(std::mem::take(&mut self.returned))
            }
        };
        self.returned = returned;
        self.env = outer;
        self.current.pop();
        made
    }

    /// Errors with one thing said otherwise. Each is copied with its conditions, which is paid for.
    fn changed(&mut self, errors: &[Rc<Emit>], change: impl Fn(&mut Emit)) -> Val {
        if self.pay(errors.iter().map(|emit| emit.conditions.len()).sum()) {
            return Val::Errors(Vec::new());
        }
        let made = errors.iter().map(|emit| {
            let mut emit = (**emit).clone();
            change(&mut emit);
            Rc::new(emit)
        });
        Val::Errors(made.collect())
    }

    pub(super) fn not_read(&mut self, line: u32, why: String) {
        let unread = Unread {
            file: self.source(),
            line,
            function: self.current.first().cloned().unwrap_or_default(),
            why,
        };
        if !self.unread.contains(&unread) {
            self.unread.push(unread);
        }
    }
}

/// The values of a function whose last parameter takes any number of them.
fn gathered(mut values: Vec<Val>, params: usize) -> Vec<Val> {
    let last = params.saturating_sub(1).min(values.len());
    let rest = values.split_off(last);
    // `given...` hands on what the caller was given.
    match &rest[..] {
        [Val::List(_) | Val::Unknown] => values.extend(rest),
        _ => values.push(Val::List(rest)),
    }
    values
}

fn texts_of(values: &[Val]) -> Val {
    let texts = values.iter().map(|val| match val {
        Val::Text(text) => Some(text.clone()),
        _ => None,
    });
    texts.collect::<Option<Vec<_>>>().map_or(Val::Unknown, Val::Texts)
}
