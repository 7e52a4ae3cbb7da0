//! Turns a checked expression into a program: variables get slots, constants are folded, patterns compiled.
//!
//! Folds exactly what cel-go folds with `OptOptimize`: folded parts cost nothing, and an expression that fails to fold
//! is rejected.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use kindsmith_gostd::regexp::Regexp;

use crate::check::{Checked, Reference, is_runtime_type};
use crate::cost::table;
use crate::escape::unescape;
use crate::library::{self, Binding, Function, Op};
use crate::syntax::ast::{Comprehension, Entry, Expr, ExprId, Literal};
use crate::types::Type;
use crate::types::decl::{Declarations, Node as Schema, NodeShape};
use crate::validation_rule::{OLD_SELF, SELF};

use super::activation::NAMES;
use super::context::Context;

use super::describe::go_type;
use super::exec;
use super::list;
use super::plan_error::PlanError;
use super::program::{
    Accumulator, Attribute, Base, Call, Conditional, Field, Fold, Members, Message, Mode, Node, Pattern,
    Program, Qualifier, QualifierKind, Reads, Simple, Target,
};
use super::scratch::Scratch;
use super::simple::Data;
use super::value::{Const, Key, Value, lossless_int, lossless_uint};

/// The functions whose calls on constants are folded.
const CONVERSIONS: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
];

impl Program {
    /// Plans a checked expression; the error has cel-go's text.
    pub fn new(checked: &Checked, declarations: Option<&Declarations>) -> Result<Program, PlanError> {
        Program::plan(checked, declarations, &[SELF, OLD_SELF], Data::Typed)
    }

    /// Plans a checked expression of an admission policy.
    pub(crate) fn of_policy(checked: &Checked) -> Result<Program, PlanError> {
        Program::plan(checked, None, &NAMES, Data::Untyped)
    }

    fn plan(
        checked: &Checked,
        declarations: Option<&Declarations>,
        variables: &[&str],
        data: Data,
    ) -> Result<Program, PlanError> {
        let mut planner = Planner {
            checked,
            declarations,
            variables,
            locals: Vec::new(),
            slots: variables.len(),
            reads: Reads::default(),
        };
        let root = planner.plan(checked.root())?;
        Ok(Program {
            is_simple: data.is_simple(&root),
            root,
            slots: planner.slots,
            reads: planner.reads,
            dialect: checked.dialect,
        })
    }
}

/// A variable of an enclosing loop.
enum Local {
    Iteration(usize),
    Accumulator(usize, Arc<Accumulator>),
}

struct Planner<'c> {
    checked: &'c Checked,
    declarations: Option<&'c Declarations>,
    /// The variables of the environment, by their slots.
    variables: &'c [&'c str],
    locals: Vec<(Arc<str>, Local)>,
    slots: usize,
    reads: Reads,
}

type Planned = Result<Node, PlanError>;

impl Planner<'_> {
    fn plan(&mut self, id: ExprId) -> Planned {
        match self.checked.ast.get(id) {
            Expr::Unspecified => Err(PlanError::Unsupported),
            Expr::Literal(literal) => Ok(Node::Const(id.0, literal_const(literal))),
            Expr::Ident(name) => self.ident(id, name),
            Expr::Select { operand, field, test } => self.select(id, *operand, field, *test),
            Expr::Call {
                target,
                function,
                args,
            } => {
                let mut nodes = Vec::with_capacity(args.len() + 1);
                for arg in target.iter().chain(args) {
                    nodes.push(self.plan(*arg)?);
                }
                let operand = target.as_ref().or(args.first()).copied();
                self.call(id, function, nodes, operand)
            }
            Expr::List { elements, optional } => self.list(id, elements, optional),
            Expr::Map(entries) => self.map(id, entries),
            Expr::Struct { name, fields } => {
                let mut planned = Vec::with_capacity(fields.len());
                for field in fields {
                    planned.push((field.name.clone(), self.plan(field.value)?, field.optional));
                }
                let name: Arc<str> = name.strip_prefix('.').unwrap_or(name).into();
                Ok(Node::Struct(
                    id.0,
                    Box::new(Message {
                        name,
                        fields: planned.into(),
                    }),
                ))
            }
            Expr::Comprehension(c) => self.comprehension(id, c),
        }
    }

    fn ident(&mut self, id: ExprId, name: &Arc<str>) -> Planned {
        let base = match self.checked.reference(id) {
            Some(Reference::Enum(value)) => return Ok(Node::Const(id.0, Const::Int(*value))),
            Some(Reference::TypeName(name)) => {
                if !is_runtime_type(name) {
                    return Err(PlanError::UnknownType(name.to_string()));
                }
                return Ok(Node::Const(id.0, Const::Type(runtime_name(name))));
            }
            Some(Reference::Global(name)) => Base::Variable(self.global_slot(name), name.clone()),
            _ => match self.locals.iter().rev().find(|(local, _)| local == name) {
                // Whatever is a type must have the name of one (`planCheckedIdent` in cel-go's interpreter/planner.go).
                Some((_, Local::Iteration(_))) if matches!(self.checked.ty(id), Type::Type(_)) => {
                    return Err(PlanError::UnknownType(name.to_string()));
                }
                Some((_, Local::Iteration(slot))) => Base::Variable(*slot, name.clone()),
                Some((_, Local::Accumulator(slot, accumulator))) => {
                    Base::Accumulator(*slot, accumulator.clone())
                }
                None => Base::Variable(self.global_slot(name), name.clone()),
            },
        };
        Ok(Node::Attribute(Box::new(Attribute {
            id: id.0,
            base,
            qualifiers: Vec::new(),
        })))
    }

    fn select(&mut self, id: ExprId, operand: ExprId, name: &Arc<str>, test: bool) -> Planned {
        if self.checked.reference(id).is_some() {
            return self.ident(id, name);
        }
        let mut attribute = attribute(self.plan(operand)?);
        let field = self.field(name, operand);
        let kind = if test {
            QualifierKind::Test(field)
        } else {
            QualifierKind::Field(field)
        };
        attribute.add(Arc::new(Qualifier {
            id: id.0,
            optional: false,
            kind,
        }));
        let attribute = Box::new(attribute);
        Ok(if test {
            Node::Test(id.0, attribute)
        } else {
            Node::Attribute(attribute)
        })
    }

    fn field(&self, name: &Arc<str>, operand: ExprId) -> Field {
        let property = unescape(name).map(|property| {
            if *property == **name {
                name.clone()
            } else {
                property.into()
            }
        });
        let ty = self.checked.ty(operand);
        let parent = self.schema_of(ty.unwrap_optional().unwrap_or(ty));
        let child = match (parent, &property) {
            (Some(parent), Some(property)) => match &parent.shape {
                NodeShape::Object(object) if object.named => object.properties.get(property).cloned(),
                _ => None,
            },
            _ => None,
        };
        let hint = parent.cloned().zip(child);
        Field {
            name: name.clone(),
            property,
            hint,
            position: AtomicUsize::new(0),
        }
    }

    fn schema_of(&self, ty: &Type) -> Option<&Arc<Schema>> {
        match ty {
            Type::Object(name) => self.declarations?.object(name),
            _ => None,
        }
    }

    fn call(&mut self, id: ExprId, name: &str, args: Vec<Node>, operand: Option<ExprId>) -> Planned {
        match name {
            "_&&_" => return Ok(Node::And(id.0, pair(args)?)),
            "_||_" => return Ok(Node::Or(id.0, pair(args)?)),
            "_==_" => return Ok(Node::Equal(id.0, pair(args)?)),
            "_!=_" => return Ok(Node::NotEqual(id.0, pair(args)?)),
            "_?_:_" => return conditional(id, args),
            "_[_]" => return self.index(id, args, operand, false),
            "_[?_]" | "_?._" => return self.index(id, args, operand, true),
            "@not_strictly_false" => return not_false(id, args),
            "or" => return Ok(Node::OptionalOr(id.0, pair(args)?)),
            "orValue" => return Ok(Node::OptionalOrValue(id.0, pair(args)?)),
            _ => {}
        }
        let function = library::find(name).ok_or_else(|| PlanError::NoFunction(name.to_owned()))?;
        let overloads = self.checked.overloads(id);
        let overload = if let [only] = overloads { only.id } else { "" };
        if overload == "in_list"
            && let Some(optimized) = set_membership(id, &args)
        {
            return Ok(optimized(args));
        }
        let call = Call {
            id: id.0,
            function: function.name,
            cost: table::find(self.checked.dialect, function.name, overload).run,
            mode: Mode::Eager,
            target: Target::Missing,
            args: args.into(),
            simple: Simple::of(function.name),
        };
        let call = self.bind(id, call, function, overload)?;
        if CONVERSIONS.contains(&name) && matches!(&call.args[..], [Node::Const(..)]) {
            return fold_constant(id, call);
        }
        compile_pattern(call).map(|call| Node::Call(Box::new(call)))
    }

    /// Binds a call to its overload, or to a dispatch at run time.
    fn bind(
        &self,
        id: ExprId,
        mut call: Call,
        function: &'static Function,
        overload: &str,
    ) -> Result<Call, PlanError> {
        let guarded = matches!(function.binding, Binding::Overloads);
        let op = match function.binding {
            Binding::Singleton(op, wanted) => {
                if let Some(implementation) = op.implementation() {
                    call.target = Target::Singleton(implementation, wanted);
                }
                op
            }
            _ => {
                let bound: Vec<_> = function
                    .overloads
                    .iter()
                    .filter(|o| o.op.implementation().is_some() && o.is_in(self.checked.dialect))
                    .collect();
                let only = match &bound[..] {
                    [only] => Some(*only),
                    _ => bound.iter().find(|candidate| candidate.id == overload).copied(),
                };
                match only {
                    Some(only) => {
                        let guards = if guarded {
                            self.guards(id, &only.signature().args)
                        } else {
                            Box::default()
                        };
                        if let Some(implementation) = only.op.implementation() {
                            call.target = Target::Overload(implementation, guards);
                        }
                        only.op
                    }
                    None if bound.is_empty() => Op::None,
                    None => {
                        call.target = Target::Dispatch(bound.into());
                        call.mode = Mode::Sequential;
                        return Ok(call);
                    }
                }
            }
        };
        call.mode = match op {
            Op::Eager(_) if call.args.len() <= 2 => Mode::Eager,
            Op::NonStrict(_) => Mode::NonStrict,
            Op::None => Mode::Eager,
            _ => Mode::Sequential,
        };
        Ok(call)
    }

    /// The arguments whose types are only known when the call runs.
    fn guards(&self, id: ExprId, wanted: &[Type]) -> Box<[(usize, Type)]> {
        let given: Vec<ExprId> = match self.checked.ast.get(id) {
            Expr::Call { target, args, .. } => target.iter().chain(args).copied().collect(),
            _ => Vec::new(),
        };
        let mut guards = Vec::new();
        for (at, ty) in wanted.iter().enumerate() {
            let known = given
                .get(at)
                .is_some_and(|arg| self.checked.ty(*arg) == ty && ty.parameters().is_empty());
            if !known && !matches!(ty, Type::Dyn | Type::Var(_)) {
                guards.push((at, ty.clone()));
            }
        }
        guards.into()
    }

    fn index(&mut self, id: ExprId, args: Vec<Node>, operand: Option<ExprId>, optional: bool) -> Planned {
        let [target, index]: [Node; 2] = args.try_into().map_err(|_| PlanError::NoOverload("_[_]"))?;
        let kind = match index {
            Node::Const(_, Const::String(key)) => match operand {
                Some(operand) => QualifierKind::Field(self.field(&key, operand)),
                None => QualifierKind::Constant(Const::String(key)),
            },
            Node::Const(_, constant) => {
                let indexes = matches!(
                    constant,
                    Const::Int(_) | Const::Uint(_) | Const::Bool(_) | Const::Double(_)
                );
                if !indexes {
                    return Err(PlanError::Qualifier(const_go_type(&constant)));
                }
                QualifierKind::Constant(constant)
            }
            Node::Attribute(attribute) => QualifierKind::Attribute(*attribute),
            other => QualifierKind::Value(other),
        };
        let mut attribute = attribute(target);
        attribute.add(Arc::new(Qualifier {
            id: id.0,
            optional,
            kind,
        }));
        Ok(Node::Attribute(Box::new(attribute)))
    }

    fn list(&mut self, id: ExprId, elements: &[ExprId], optional: &[bool]) -> Planned {
        let mut planned = Vec::with_capacity(elements.len());
        for (element, optional) in elements.iter().zip(optional) {
            planned.push((self.plan(*element)?, *optional));
        }
        let constant = planned.iter().all(|(node, _)| matches!(node, Node::Const(..)));
        let node = Node::List(id.0, planned.into());
        Ok(if constant {
            Node::Const(id.0, fold(&node)?)
        } else {
            node
        })
    }

    fn map(&mut self, id: ExprId, entries: &[Entry]) -> Planned {
        let mut planned = Vec::with_capacity(entries.len());
        for entry in entries {
            planned.push((self.plan(entry.key)?, self.plan(entry.value)?, entry.optional));
        }
        let constant = planned
            .iter()
            .all(|(key, value, _)| matches!((key, value), (Node::Const(..), Node::Const(..))));
        let node = Node::Map(id.0, planned.into());
        Ok(if constant {
            Node::Const(id.0, fold(&node)?)
        } else {
            node
        })
    }

    fn comprehension(&mut self, id: ExprId, c: &Comprehension) -> Planned {
        let collects = &*c.accu_var == "@result";
        let init = Arc::new(Accumulator {
            init: self.plan(c.accu_init)?,
            collects,
        });
        let range = self.plan(c.range)?;
        let accu_slot = self.slot();
        let outer = self.locals.len();
        self.locals
            .push((c.accu_var.clone(), Local::Accumulator(accu_slot, init)));
        let iter_slot = self.slot();
        // The accumulator is looked up first, so it hides a loop variable with the same name.
        self.locals
            .insert(outer, (c.iter_var.clone(), Local::Iteration(iter_slot)));
        let iter2_slot = c.iter_var2.as_ref().map(|name| {
            let slot = self.slot();
            self.locals.insert(outer, (name.clone(), Local::Iteration(slot)));
            slot
        });
        let condition = self.plan(c.condition)?;
        let step = self.plan(c.step)?;
        let accumulator = self.locals.pop();
        self.locals.truncate(outer);
        self.locals.extend(accumulator);
        let result = self.plan(c.result)?;
        self.locals.truncate(outer);
        Ok(Node::Fold(Box::new(Fold {
            id: id.0,
            range,
            accu_slot,
            iter_slot,
            iter2_slot,
            condition,
            step,
            result,
        })))
    }

    fn global_slot(&mut self, name: &str) -> usize {
        let slot = self.variables.iter().position(|variable| *variable == name);
        let slot = slot.unwrap_or_default();
        self.reads.add(slot);
        slot
    }

    fn slot(&mut self) -> usize {
        self.slots += 1;
        self.slots - 1
    }
}

/// The name a type has as a run-time value.
fn runtime_name(name: &str) -> Arc<str> {
    match crate::types::protobuf::message(name) {
        Some(ty) => ty.name().into(),
        None => name.into(),
    }
}

fn literal_const(literal: &Literal) -> Const {
    match literal {
        Literal::Null => Const::Null,
        Literal::Bool(b) => Const::Bool(*b),
        Literal::Int(i) => Const::Int(*i),
        Literal::Uint(u) => Const::Uint(*u),
        Literal::Double(d) => Const::Double(*d),
        Literal::String(s) => Const::String(s.clone()),
        Literal::Bytes(b) => Const::Bytes(b.clone()),
    }
}

fn pair(args: Vec<Node>) -> Result<Box<[Node; 2]>, PlanError> {
    let pair: [Node; 2] = args.try_into().map_err(|_| PlanError::NoOverload(""))?;
    Ok(Box::new(pair))
}

fn not_false(id: ExprId, args: Vec<Node>) -> Planned {
    let operand = args
        .into_iter()
        .next()
        .ok_or(PlanError::NoOverload("@not_strictly_false"))?;
    Ok(Node::NotFalse(id.0, Box::new(operand)))
}

/// A node as an attribute, to which selections can be added.
fn attribute(node: Node) -> Attribute {
    match node {
        Node::Attribute(attribute) => *attribute,
        // Qualifiers after a presence test belong to the attribute that it tests.
        Node::Test(_, attribute) => *attribute,
        other => Attribute {
            id: other.id(),
            base: Base::Value(other),
            qualifiers: Vec::new(),
        },
    }
}

fn conditional(id: ExprId, args: Vec<Node>) -> Planned {
    let [condition, then, otherwise]: [Node; 3] = args.try_into().map_err(|_| PlanError::NoOverload(""))?;
    // A branch that is an attribute is not charged for itself.
    let branch = |node: Node| match node {
        Node::Attribute(attribute) => *attribute,
        other => Attribute {
            id: other.id(),
            base: Base::Value(other),
            qualifiers: Vec::new(),
        },
    };
    let conditional = Conditional {
        condition,
        then: branch(then),
        otherwise: branch(otherwise),
    };
    let base = Base::Conditional(Box::new(conditional));
    Ok(Node::Attribute(Box::new(Attribute {
        id: id.0,
        base,
        qualifiers: Vec::new(),
    })))
}

type Rebuild = Box<dyn FnOnce(Vec<Node>) -> Node>;

/// `x in [constants]` as a set lookup, if all constants are simple.
fn set_membership(id: ExprId, args: &[Node]) -> Option<Rebuild> {
    let [_, Node::Const(_, Const::List(elements))] = args else {
        return None;
    };
    if elements.is_empty() {
        return Some(Box::new(move |_| Node::Const(id.0, Const::Bool(false))));
    }
    let mut members = Members::default();
    for element in elements {
        match element {
            Const::Bool(b) => {
                members.scalars.insert(Key::Bool(*b));
            }
            Const::String(s) => {
                members.strings.insert((&**s).into());
            }
            Const::Int(_) | Const::Uint(_) | Const::Double(_) => number_members(&mut members, element),
            _ => return None,
        }
    }
    Some(Box::new(move |args| match args.into_iter().next() {
        Some(element) => Node::InSet(id.0, Box::new(element), Box::new(members)),
        None => Node::Const(id.0, Const::Bool(false)),
    }))
}

/// Adds a number under every numeric type that can represent it.
fn number_members(members: &mut Members, number: &Const) {
    let double = |d: f64| Key::new(Value::Double(d));
    let keys = match *number {
        Const::Int(i) => [
            Some(Key::Int(i)),
            u64::try_from(i).ok().map(Key::Uint),
            double(i as f64),
        ],
        Const::Uint(u) => [
            Some(Key::Uint(u)),
            i64::try_from(u).ok().map(Key::Int),
            double(u as f64),
        ],
        Const::Double(d) => [
            double(d),
            lossless_int(d).map(Key::Int),
            lossless_uint(d).map(Key::Uint),
        ],
        _ => [None, None, None],
    };
    for key in keys.into_iter().flatten() {
        match key {
            Key::Int(i) => members.scalars.insert(Key::Int(i)),
            Key::Uint(u) => members.scalars.insert(Key::Uint(u)),
            Key::Double(d) => members.scalars.insert(Key::Double(d)),
            _ => false,
        };
    }
}

/// A conversion of a constant; if it fails, so does planning.
fn fold_constant(id: ExprId, call: Call) -> Planned {
    match fold(&Node::Call(Box::new(call)))? {
        Const::Error(message) => Err(PlanError::Constant(message.to_string())),
        constant => Ok(Node::Const(id.0, constant)),
    }
}

/// The value of a node without variables.
fn fold(node: &Node) -> Result<Const, PlanError> {
    let scratch = Scratch::new();
    let mut cx = Context::new(&scratch, 2, u64::MAX);
    let value = exec::eval::<false>(&mut cx, node).map_err(|_| PlanError::Unhashable)?;
    Ok(owned(&mut cx, value))
}

fn owned<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Const {
    match value {
        Value::Bool(b) => Const::Bool(b),
        Value::Int(i) => Const::Int(i),
        Value::Uint(u) => Const::Uint(u),
        Value::Double(d) => Const::Double(d),
        Value::String(s) => Const::String(s.into()),
        Value::Bytes(b) => Const::Bytes(b.into()),
        Value::Duration(d) => Const::Duration(d),
        Value::Timestamp(t) => Const::Timestamp(t),
        Value::Type(name) => Const::Type(name.into()),
        Value::Error(message) => Const::Error(message.into()),
        Value::Map(map) => {
            let entries: Vec<_> = map
                .entries
                .iter()
                .map(|(key, value)| (owned(cx, *key), owned(cx, *value)))
                .collect();
            Const::Map(entries.into())
        }
        list if list.is_list() => {
            let elements = list::elements(cx, list);
            Const::List(elements.into_iter().map(|element| owned(cx, element)).collect())
        }
        _ => Const::Null,
    }
}

/// A call with a constant pattern keeps it compiled.
fn compile_pattern(mut call: Call) -> Result<Call, PlanError> {
    let pattern = match call.function {
        "matches" => Pattern::Matches,
        "find" => Pattern::Find,
        "findAll" => Pattern::FindAll,
        _ => return Ok(call),
    };
    if let Some(Node::Const(_, Const::String(text))) = call.args.get(1) {
        let regex = Regexp::new(text).map_err(|error| PlanError::Pattern(error.to_string()))?;
        call.target = Target::Pattern(pattern, Box::new(regex));
        call.mode = Mode::Sequential;
    }
    Ok(call)
}

fn const_go_type(constant: &Const) -> &'static str {
    match constant {
        Const::Null => go_type(Value::Null),
        Const::Bytes(_) => "types.Bytes",
        Const::Duration(_) => "types.Duration",
        Const::Timestamp(_) => "types.Timestamp",
        Const::Type(_) => "*types.Type",
        Const::List(_) => "*types.baseList",
        Const::Map(_) => "*types.baseMap",
        _ => "types.String",
    }
}
