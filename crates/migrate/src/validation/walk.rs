//! Walks a validation function with symbols for its object and path, and collects the errors that it reports with the
//! conditions for them. Helpers of the same package that take parts of an object are walked in their place.
//!
//! What it does not understand becomes unknown, never a guess. Work and depth are bounded.

mod call;
mod condition;
mod eval;
mod function;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use kindsmith_go::constant::Constants;
use kindsmith_go::package::{Loader, Package};

use super::syntax::{Expr, Stmt};
use super::value::{Cond, Emit, FileId, PathStep, Place, Step, Val};
use condition::any;
use function::{Function, Param, functions_of};

/// Statements and expressions looked at for one function.
const MAX_WORK: usize = 200_000;
/// The same for all functions of a package.
const MAX_TOTAL: usize = 20_000_000;
/// Packages with helpers.
const MAX_PACKAGES: usize = 32;
/// Calls inside each other.
const MAX_CALLS: usize = 12;

/// Something that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The function.
    pub function: String,
    /// Why.
    pub why: String,
}

/// A function that validates an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validator {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: FileId,
    /// Its line, from 1.
    pub line: u32,
    /// What each parameter is for, and its type as written; one that may be left out is.
    pub params: Vec<(Role, String)>,
    /// The functions with objects that it calls.
    pub calls: Vec<String>,
}

/// What a parameter is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The path of the object.
    Path,
    /// The object, or the old one.
    Object {
        /// The name of its type.
        root: String,
        /// Whether it is the old one.
        is_old: bool,
    },
    /// Anything else.
    Other,
}

/// A package with its functions.
pub(super) struct Sources {
    pub(super) package: Arc<Package>,
    functions: HashMap<String, Rc<Function>>,
}

/// A call of a function with an object.
pub(super) struct Called {
    /// The function with an object that calls it.
    pub(super) by: String,
    pub(super) conditions: Vec<Cond>,
    /// What it is given.
    pub(super) base: Option<Place>,
    pub(super) path: Option<Vec<PathStep>>,
}

pub(super) struct Walker<'w, 'l> {
    loader: &'w mut Loader<'l>,
    is_struct: &'w dyn Fn(&str) -> bool,
    constants: Constants,
    /// The package that is read, and those of the helpers that it calls.
    pub(super) packages: Vec<Sources>,
    /// The package that is being walked.
    here: usize,
    pub(super) unread: Vec<Unread>,
    /// By function: its calls.
    pub(super) calls: HashMap<String, Vec<Called>>,
    env: HashMap<String, (Val, usize)>,
    conditions: Vec<Cond>,
    /// How many conditions there are where each loop begins.
    loops: Vec<usize>,
    nesting: usize,
    returned: Vec<Rc<Emit>>,
    current: Vec<String>,
    /// The type of the object of the function that is being walked.
    root: String,
    file: usize,
    work: usize,
    total: usize,
}

impl<'w, 'l> Walker<'w, 'l> {
    pub(super) fn new(
        loader: &'w mut Loader<'l>,
        package: Arc<Package>,
        is_struct: &'w dyn Fn(&str) -> bool,
    ) -> Self {
        Self {
            loader,
            is_struct,
            constants: Constants::default(),
            packages: vec![sources(package, is_struct)],
            here: 0,
            unread: Vec::new(),
            calls: HashMap::new(),
            env: HashMap::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
            nesting: 0,
            returned: Vec::new(),
            current: Vec::new(),
            root: String::new(),
            file: 0,
            work: 0,
            total: 0,
        }
    }

    /// The index of a package, which is read if it is new.
    fn with_package(&mut self, package: &Arc<Package>) -> Option<usize> {
        let known = self
            .packages
            .iter()
            .position(|one| one.package.path == package.path);
        if known.is_some() {
            return known;
        }
        if self.packages.len() >= MAX_PACKAGES {
            return None;
        }
        self.packages.push(sources(package.clone(), self.is_struct));
        Some(self.packages.len() - 1)
    }

    /// Walks every function with an object, in source order.
    pub(super) fn all(&mut self) -> Vec<Emit> {
        let mut entries: Vec<Rc<Function>> = self.packages[0]
            .functions
            .values()
            .filter(|found| found.is_entry())
            .cloned()
            .collect();
        entries.sort_by_key(|found| (found.file, found.line));
        let mut made: Vec<Emit> = Vec::new();
        for entry in entries {
            for emit in self.entry(&entry) {
                if !made.contains(&emit) {
                    made.push((*emit).clone());
                }
            }
        }
        made
    }

    /// The functions with an object, in source order.
    pub(super) fn validators(&self) -> Vec<Validator> {
        let entries = self.packages[0].functions.values();
        let mut made: Vec<Validator> = entries
            .filter(|found| found.is_entry() && found.is_list && !found.is_generic)
            .map(|found| self.validator(found))
            .collect();
        made.sort_by_key(|found| (found.file, found.line));
        made
    }

    fn validator(&self, function: &Function) -> Validator {
        let mut seen: Vec<&str> = Vec::new();
        let params = function.params.iter().zip(&function.types);
        let mut params: Vec<(Role, String)> = params
            .map(|((name, param), text)| {
                let role = match param {
                    Param::Path => Role::Path,
                    Param::Other | Param::Options => Role::Other,
                    Param::Struct(root) => {
                        let is_old = is_old(name, root, &seen);
                        seen.push(root);
                        Role::Object {
                            root: root.clone(),
                            is_old,
                        }
                    }
                };
                (role, text.clone())
            })
            .collect();
        if function.variadic {
            params.pop();
        }
        let calls = self.calls.iter();
        let called = calls.filter(|(_, calls)| calls.iter().any(|call| call.by == function.name));
        let mut calls: Vec<String> = called.map(|(name, _)| name.clone()).collect();
        calls.sort();
        Validator {
            name: function.name.clone(),
            file: FileId {
                package: 0,
                file: function.file,
            },
            line: function.line,
            params,
            calls,
        }
    }

    fn entry(&mut self, function: &Function) -> Vec<Rc<Emit>> {
        self.env.clear();
        self.conditions.clear();
        self.nesting = 0;
        self.work = 0;
        self.here = 0;
        self.file = function.file;
        self.current = vec![function.name.clone()];
        self.root = function
            .params
            .iter()
            .find_map(|(_, param)| match param {
                Param::Struct(root) => Some(root.clone()),
                _ => None,
            })
            .unwrap_or_default();
        let mut seen: Vec<&str> = Vec::new();
        for (name, param) in &function.params {
            let val = match param {
                Param::Path => Val::Path(Vec::new()),
                Param::Options => Val::Options,
                Param::Other => Val::Unknown,
                Param::Struct(root) => {
                    let place = Place {
                        root: root.clone(),
                        steps: Vec::new(),
                    };
                    let is_old = is_old(name, root, &seen);
                    seen.push(root);
                    if is_old { Val::Old(place) } else { Val::New(place) }
                }
            };
            self.env.insert(name.clone(), (val, 0));
        }
        self.returned.clear();
        let body = function.body.clone();
        self.block(&body);
        if self.pay(0) {
            self.file = function.file;
            self.here = 0;
            self.not_read(function.line, "it is too long to be read to its end".to_owned());
        }
        std::mem::take(&mut self.returned)
    }

    fn spent(&mut self) -> bool {
        self.pay(1)
    }

    /// Counts work; whether a function or the package took too much.
    fn pay(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_add(work);
        self.total = self.total.saturating_add(work);
        self.work > MAX_WORK || self.total > MAX_TOTAL
    }

    /// Runs statements; whether the block never reaches its end.
    fn block(&mut self, statements: &[Stmt]) -> bool {
        let conditions = self.conditions.len();
        let mut ended = false;
        for statement in statements {
            if ended || self.spent() {
                break;
            }
            ended = self.statement(statement);
        }
        // What an early return says about the rest holds only for the rest of this block.
        self.conditions.truncate(conditions);
        ended
    }

    /// Whether the statement leaves the block.
    fn statement(&mut self, statement: &Stmt) -> bool {
        match statement {
            Stmt::Return(values, _) => {
                for value in values {
                    if let Val::Errors(errors) = self.eval(value) {
                        for error in errors {
                            if !self
                                .returned
                                .iter()
                                .any(|known| Rc::ptr_eq(known, &error) || *known == error)
                            {
                                self.returned.push(error);
                            }
                        }
                    }
                }
                return true;
            }
            Stmt::Leave => return true,
            Stmt::Assign { to, values, .. } => self.assign(to, values),
            Stmt::Count(Expr::Name(name)) => self.count(name),
            Stmt::If {
                before,
                condition,
                then,
                otherwise,
                ..
            } => {
                if let Some(before) = before {
                    self.statement(before);
                }
                let condition = self.condition(condition);
                let not = condition.not();
                let then_ends = self.branch(condition.clone(), then);
                let otherwise_ends = !otherwise.is_empty() && self.branch(not.clone(), otherwise);
                match (then_ends, otherwise_ends) {
                    (true, true) => return true,
                    (true, false) => self.conditions.push(not),
                    (false, true) => self.conditions.push(condition),
                    (false, false) => {}
                }
            }
            Stmt::Switch { subject, cases, .. } => self.switch(subject.as_ref(), cases),
            Stmt::Range {
                key,
                value,
                over,
                body,
            } => self.range(key.as_deref(), value.as_deref(), over, body),
            Stmt::Block(inner) => return self.block(inner),
            Stmt::Expr(expr) => {
                self.eval(expr);
            }
            Stmt::TooDeep(line) => self.not_read(*line, "it is nested too deeply to be read".to_owned()),
            Stmt::Count(_) | Stmt::Other(_) => {}
        }
        false
    }

    fn branch(&mut self, condition: Cond, statements: &[Stmt]) -> bool {
        if condition == Cond::NEVER {
            return false;
        }
        self.conditions.push(condition);
        self.nesting += 1;
        let ended = self.block(statements);
        self.nesting -= 1;
        self.conditions.pop();
        ended
    }

    fn switch(&mut self, subject: Option<&Expr>, cases: &[(Vec<Expr>, Vec<Stmt>)]) {
        let mut before: Vec<Cond> = Vec::new();
        let mut fallback = None;
        for (values, body) in cases {
            if values.is_empty() {
                fallback = Some(body);
                continue;
            }
            let conditions: Vec<Cond> = values
                .iter()
                .map(|value| match subject {
                    Some(subject) => self.compare("==", subject, value),
                    None => self.condition(value),
                })
                .collect();
            let condition = any(conditions);
            let mut all = before.clone();
            // Values of one subject exclude each other.
            if subject.is_some() {
                all.clear();
            }
            all.push(condition.clone());
            self.branch(Cond::All(all), body);
            before.push(condition.not());
        }
        if let Some(body) = fallback {
            self.branch(Cond::All(before), body);
        }
    }

    fn range(&mut self, key: Option<&str>, value: Option<&str>, over: &Expr, body: &[Stmt]) {
        let over = self.eval(over);
        let mut condition = None;
        let (first, second) = match over {
            Val::New(place) => (Val::New(place.then(Step::Key)), Val::New(place.then(Step::Item))),
            Val::Old(place) => (Val::Unknown, Val::Old(place.then(Step::Item))),
            Val::Messages(place, format) => {
                condition = Some(Cond::NotFormat(place.clone(), format));
                (Val::Unknown, Val::Messages(place, format))
            }
            Val::Errors(errors) => (Val::Unknown, Val::Errors(errors)),
            _ => (Val::Unknown, Val::Unknown),
        };
        self.nesting += 1;
        for (name, val) in [(key, first), (value, second)] {
            if let Some(name) = name {
                self.env.insert(name.to_owned(), (val, self.nesting));
            }
        }
        self.nesting -= 1;
        self.loops
            .push(self.conditions.len() + usize::from(condition.is_some()));
        match condition {
            Some(condition) => {
                self.branch(condition, body);
            }
            None => {
                self.nesting += 1;
                self.block(body);
                self.nesting -= 1;
            }
        }
        self.loops.pop();
    }

    /// An item is put into a set: if this happens to every item, the set is empty only if the list is.
    fn inserted(&mut self, set: &str, item: &Place) {
        let is_always = self.loops.last() == Some(&self.conditions.len());
        let Some((Step::Item, list)) = item.steps.split_last() else {
            return;
        };
        let list = Place {
            root: item.root.clone(),
            steps: list.to_vec(),
        };
        if let Some((Val::Seen(known), _)) = self.env.get_mut(set)
            && is_always
        {
            *known = Some(list);
        }
    }

    /// `n++`: counts a member, if this happens exactly when it is set.
    fn count(&mut self, name: &str) {
        let Some((val, _)) = self.env.get(name).cloned() else {
            return;
        };
        let counted = match (val, self.conditions.last()) {
            (Val::Int(0), Some(Cond::Set(place))) => Val::Count(vec![place.clone()]),
            (Val::Count(mut places), Some(Cond::Set(place))) => {
                if !places.contains(place) {
                    places.push(place.clone());
                }
                Val::Count(places)
            }
            _ => Val::Unknown,
        };
        self.env.insert(name.to_owned(), (counted, 0));
    }

    fn assign(&mut self, to: &[Expr], values: &[Expr]) {
        let made: Vec<Val> = if to.len() == values.len() {
            values.iter().map(|value| self.eval(value)).collect()
        } else {
            for value in values {
                self.eval(value);
            }
            let empty = values.is_empty() && to.len() == 1;
            to.iter()
                .map(|_| {
                    if empty {
                        Val::Errors(Vec::new())
                    } else {
                        Val::Unknown
                    }
                })
                .collect()
        };
        for (to, val) in to.iter().zip(made) {
            let Expr::Name(name) = to else { continue };
            if name == "_" {
                continue;
            }
            let depth = self.env.get(name).map_or(self.nesting, |(_, depth)| *depth);
            let is_branch = self.nesting > depth;
            let val = match (self.env.get(name), val) {
                (Some((Val::Errors(_), _)), Val::Errors(new)) => Val::Errors(new),
                // Errors that are dropped under a condition are reported under its opposite.
                (Some((Val::Errors(known), _)), Val::Nil) if is_branch => {
                    Val::Errors(dropped(known, &self.conditions))
                }
                (Some((Val::Errors(_), _)), Val::Nil) => Val::Errors(Vec::new()),
                (Some(_), _) if is_branch => Val::Unknown,
                (_, val) => val,
            };
            let depth = depth.min(self.nesting);
            self.env.insert(name.clone(), (val, depth));
        }
    }
}

fn sources(package: Arc<Package>, is_struct: &dyn Fn(&str) -> bool) -> Sources {
    let mut functions = HashMap::new();
    for (index, file) in package.files.iter().enumerate() {
        let name = package.file_names.get(index);
        if name.is_some_and(|name| name.ends_with("_test.go")) {
            continue;
        }
        for found in functions_of(file, index, is_struct) {
            functions.insert(found.name.clone(), Rc::new(found));
        }
    }
    Sources { package, functions }
}

fn is_old(name: &str, root: &str, seen: &[&str]) -> bool {
    name.to_lowercase().starts_with("old") || seen.contains(&root)
}

/// Errors that are dropped under the conditions at a statement: they are reported under the opposite.
fn dropped(errors: &[Rc<Emit>], conditions: &[Cond]) -> Vec<Rc<Emit>> {
    let kept = errors.iter().map(|emit| {
        let mut emit = (**emit).clone();
        let pairs = emit.conditions.iter().zip(conditions);
        let common = pairs.take_while(|(own, here)| own == here).count();
        // That errors were reported holds for each of them.
        let own = conditions[common..].iter().filter(|one| **one != Cond::Reported);
        let mut own: Vec<Cond> = own.cloned().collect();
        let condition = match own.pop() {
            None => Cond::Unknown,
            Some(only) if own.is_empty() => only.not(),
            Some(last) => Cond::All(own.into_iter().chain([last]).collect()).not(),
        };
        emit.conditions.push(condition);
        Rc::new(emit)
    });
    kept.collect()
}
