//! What expressions of admission policies are evaluated with: data without a schema, variables that are evaluated when
//! they are first read, and an authorizer.

use std::cell::{Cell, RefCell};

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value as Json;

use crate::access::{self, Authorizer};
use crate::cost::limit::PER_CALL;

use super::context::Policy;
use super::json;
use super::program::{Program, Reads};
use super::scratch::Scratch;
use super::value::{Ext, Value};

/// The names that programs are planned with, in the order of an activation's slots.
pub const NAMES: [&str; 8] = [
    "object",
    "oldObject",
    "request",
    "namespaceObject",
    "params",
    "authorizer",
    "authorizer.requestResource",
    "variables",
];
const REQUEST: usize = 2;
const NAMESPACE: usize = 3;
const AUTHORIZER: usize = 5;
const REQUEST_RESOURCE: usize = 6;
pub(super) const VARIABLES: usize = 7;

impl Reads {
    /// Whether the request is read.
    #[must_use]
    pub fn request(self) -> bool {
        self.has(REQUEST)
    }

    /// Whether the namespace of the request is read.
    #[must_use]
    pub fn namespace(self) -> bool {
        self.has(NAMESPACE)
    }
}

/// Variables within variables deeper than this have no value, so that no policy overflows the stack.
const MAX_DEPTH: usize = 64;

/// A named expression.
#[derive(Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it compiled to, or why it did not.
    pub compiled: Result<Program, String>,
}

/// The data of an evaluation. What is not there is null.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The new object.
    pub object: Json<'a>,
    /// The old object.
    pub old: Json<'a>,
    /// The request.
    pub request: Json<'a>,
    /// The namespace of the request.
    pub namespace: Json<'a>,
    /// The parameters.
    pub params: Json<'a>,
}

/// What expressions that belong together are evaluated with; each variable is evaluated once.
pub struct Activation<'a> {
    pub(crate) scratch: &'a Scratch,
    /// The data of the first slots: what is read of it becomes a value.
    data: &'a [Json<'a>],
    /// Parts of the data that became values.
    shown: RefCell<Vec<(&'a Json<'a>, Value<'a>)>>,
    access: Option<Access<'a>>,
    /// `authorizer` and `authorizer.requestResource`, once they are read.
    asked: [Cell<Option<Value<'a>>>; 2],
    variables: &'a [Variable],
    known: RefCell<Vec<Known<'a>>>,
    depth: Cell<usize>,
    spent: Cell<u64>,
}

/// Who is asked about access, and what is in `authorizer.requestResource`.
#[derive(Clone, Copy)]
struct Access<'a> {
    authorizer: &'a dyn Authorizer,
    resource: &'a dyn Fn() -> access::Resource,
}

#[derive(Clone, Copy, Debug)]
enum Known<'a> {
    Nothing,
    /// It is being evaluated: reading it now is a cycle.
    Started,
    Value(Value<'a>),
}

impl<'a> Activation<'a> {
    /// An activation over data.
    pub fn new(scratch: &'a Scratch, given: &Given<'a>, variables: &'a [Variable]) -> Self {
        let data = [
            given.object,
            given.old,
            given.request,
            given.namespace,
            given.params,
        ];
        Activation {
            scratch,
            data: scratch.arena().alloc_slice_copy(&data),
            shown: RefCell::default(),
            access: None,
            asked: Default::default(),
            variables,
            known: RefCell::new(vec![Known::Nothing; variables.len()]),
            depth: Cell::new(0),
            spent: Cell::new(0),
        }
    }

    /// The same data for another set of expressions: its variables are evaluated anew.
    #[must_use]
    pub fn again<'b>(&self) -> Activation<'b>
    where
        'a: 'b,
    {
        Activation {
            scratch: self.scratch,
            data: self.data,
            shown: RefCell::new(self.shown.borrow().iter().copied().collect()),
            access: self.access.map(|access| Access {
                authorizer: access.authorizer,
                resource: access.resource,
            }),
            asked: self.asked.each_ref().map(|value| Cell::new(value.get())),
            variables: self.variables,
            known: RefCell::new(vec![Known::Nothing; self.variables.len()]),
            depth: Cell::new(0),
            spent: Cell::new(0),
        }
    }

    /// The same with an authorizer, which is asked about a resource in `authorizer.requestResource`.
    #[must_use]
    pub fn with_authorizer(
        mut self,
        authorizer: &'a dyn Authorizer,
        resource: &'a dyn Fn() -> access::Resource,
    ) -> Self {
        self.access = Some(Access { authorizer, resource });
        self
    }

    /// A question that nothing is known of but its target; made once, so that a loop does not make it again each time.
    fn question(
        &self,
        known: &Cell<Option<Value<'a>>>,
        target: impl FnOnce(Access<'a>) -> access::Target,
    ) -> Option<Value<'a>> {
        let access = self.access?;
        if known.get().is_none() {
            let question = access::Question {
                subject: access::Subject::User,
                target: target(access),
            };
            let question = self.scratch.links().push(Ext::Access(Box::new(question)));
            known.set(Some(Value::Ext(question)));
        }
        known.get()
    }

    /// What variables cost since this was last asked.
    pub(crate) fn take_spent(&self) -> u64 {
        self.spent.take()
    }
}

impl<'a> Policy<'a> for Activation<'a> {
    fn data(&self, slot: usize) -> Option<&'a Json<'a>> {
        self.data.get(slot)
    }

    fn value(&self, slot: usize) -> Option<Value<'a>> {
        let [authorizer, resource] = &self.asked;
        match slot {
            VARIABLES => Some(Value::Variables),
            AUTHORIZER => self.question(authorizer, |_| access::Target::Anything),
            REQUEST_RESOURCE => {
                self.question(resource, |access| access::Target::Resource((access.resource)()))
            }
            _ => None,
        }
    }

    /// Made once, so that a loop does not make it again each time. What fields lead to is as bounded as the expressions.
    fn show(&self, json: &'a Json<'a>) -> Value<'a> {
        if !matches!(json, Json::Array(_) | Json::Object(_)) {
            return json::dynamic(self.scratch, *json);
        }
        let known = |(shown, value): &(&'a Json<'a>, Value<'a>)| std::ptr::eq(*shown, json).then_some(*value);
        if let Some(value) = self.shown.borrow().iter().find_map(known) {
            return value;
        }
        let value = json::dynamic(self.scratch, *json);
        self.shown.borrow_mut().push((json, value));
        value
    }

    /// The value of a variable; of two with the same name the last one counts.
    fn variable(&'a self, name: &str) -> Option<Value<'a>> {
        let name = crate::escape::unescape(name)?;
        let at = self
            .variables
            .iter()
            .rposition(|variable| variable.name == name)?;
        let known = self.known.borrow()[at];
        if let Known::Value(value) = known {
            return Some(value);
        }
        let told = |why: &str| {
            let text = format!("composited variable {} {why}", quote(&name));
            Value::Error(self.scratch.arena().alloc_str(&text))
        };
        if matches!(known, Known::Started) || self.depth.get() >= MAX_DEPTH {
            return Some(told("fails to evaluate: it needs too many other variables"));
        }
        let program = match &self.variables[at].compiled {
            Ok(program) => program,
            Err(why) => return Some(told(&format!("fails to compile: {why}"))),
        };
        self.known.borrow_mut()[at] = Known::Started;
        self.depth.set(self.depth.get() + 1);
        let outcome = program.eval_in(self, PER_CALL);
        self.depth.set(self.depth.get() - 1);
        self.spent.set(self.spent.get().saturating_add(outcome.cost));
        let value = match outcome.value {
            Value::Error(why) => told(&format!("fails to evaluate: {why}")),
            value => value,
        };
        self.known.borrow_mut()[at] = Known::Value(value);
        Some(value)
    }

    fn authorizer(&self) -> Option<&'a dyn Authorizer> {
        self.access.map(|access| access.authorizer)
    }
}

impl std::fmt::Debug for Activation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Activation").finish_non_exhaustive()
    }
}
