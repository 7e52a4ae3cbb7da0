//! The functions of the API server's environment. Each file holds a family of functions with signatures and
//! implementations and is listed once in `FAMILIES`; their costs are in `cost::table`.
//!
//! Knows values and types, not programs.

mod arithmetic;
mod authorizer;
mod cidr;
mod compare;
pub mod format_string;
mod ip;
mod json_patch;
mod kubernetes_lists;
mod list_extension;
pub mod literal;
mod logic;
mod map_insert;
mod named_format;
mod optional;
mod print;
mod quantity;
mod regex;
mod semver;
mod sets;
mod size;
pub(crate) mod sort;
mod string_search;
mod strings;
mod timestamp;
mod type_conversion;
mod url;
mod zone;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use crate::dialect::{Dialect, Feature};
use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;
use crate::types::Signature;

/// The code of a function.
pub(crate) type Implementation = for<'c, 'v, 'a> fn(&'c mut Context<'a>, &'v [Value<'a>]) -> Eval<'a>;

/// The families, one file each.
const FAMILIES: &[&[Definition]] = &[
    arithmetic::FUNCTIONS,
    authorizer::FUNCTIONS,
    cidr::FUNCTIONS,
    compare::FUNCTIONS,
    type_conversion::FUNCTIONS,
    ip::FUNCTIONS,
    json_patch::FUNCTIONS,
    list_extension::FUNCTIONS,
    kubernetes_lists::FUNCTIONS,
    kubernetes_lists::INCLUDES,
    logic::FUNCTIONS,
    map_insert::FUNCTIONS,
    named_format::FUNCTIONS,
    optional::FUNCTIONS,
    quantity::FUNCTIONS,
    regex::FUNCTIONS,
    semver::FUNCTIONS,
    sets::FUNCTIONS,
    size::FUNCTIONS,
    sort::FUNCTIONS,
    string_search::FUNCTIONS,
    strings::FUNCTIONS,
    timestamp::FUNCTIONS,
    url::FUNCTIONS,
];

/// Families that older releases do not have.
const LATER: &[(&[Definition], Feature)] = &[
    (list_extension::FUNCTIONS, Feature::ListFunctions),
    (sort::FUNCTIONS, Feature::ListFunctions),
    (kubernetes_lists::INCLUDES, Feature::Includes),
];

/// Overloads that only older releases have: they lack the feature.
const EARLIER: &[(&str, Feature)] = &[("int64_to_duration", Feature::DurationsOfText)];

/// A function as a family file declares it. Several families may add overloads to one function.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) binding: Binding,
    pub(crate) overloads: &'static [OverloadDefinition],
}

pub(crate) struct OverloadDefinition {
    pub(crate) id: &'static str,
    pub(crate) member: bool,
    pub(crate) signature: &'static str,
    pub(crate) op: Op,
}

/// How a function finds its implementation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binding {
    /// Each overload has its own, guarded by the types of its arguments.
    Overloads,
    /// Each overload has its own, which checks its arguments itself.
    Unguarded,
    /// All overloads share one; the first argument must have the trait.
    Singleton(Op, Option<Trait>),
    /// The planner has a node for it.
    Planned,
}

/// An implementation and how its arguments are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// All arguments are evaluated, then the first error counts.
    Eager(Implementation),
    /// Arguments are evaluated up to the first error.
    Sequential(Implementation),
    /// Errors are passed to the function.
    NonStrict(Implementation),
    /// No implementation of its own.
    None,
}

impl Op {
    pub(crate) fn implementation(self) -> Option<Implementation> {
        match self {
            Op::Eager(f) | Op::Sequential(f) | Op::NonStrict(f) => Some(f),
            Op::None => None,
        }
    }
}

/// A capability of a type (cel-go `traits`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    Adder,
    Comparer,
    Divider,
    List,
    Matcher,
    Modder,
    Multiplier,
    Negator,
    Sizer,
    Subtractor,
}

impl Trait {
    /// Whether a value's type has the trait.
    #[inline]
    pub(crate) fn holds(self, value: Value<'_>) -> bool {
        use Value as V;
        match self {
            Trait::Adder => {
                value.is_list()
                    || matches!(
                        value,
                        V::Bytes(_)
                            | V::Double(_)
                            | V::Duration(_)
                            | V::Int(_)
                            | V::String(_)
                            | V::Timestamp(_)
                            | V::Uint(_)
                    )
            }
            Trait::Comparer => matches!(
                value,
                V::Bool(_)
                    | V::Bytes(_)
                    | V::Double(_)
                    | V::Duration(_)
                    | V::Int(_)
                    | V::String(_)
                    | V::Timestamp(_)
                    | V::Uint(_)
            ),
            Trait::Divider | Trait::Multiplier => matches!(value, V::Double(_) | V::Int(_) | V::Uint(_)),
            Trait::List => value.is_list(),
            Trait::Matcher => matches!(value, V::String(_)),
            Trait::Modder => matches!(value, V::Int(_) | V::Uint(_)),
            Trait::Negator => matches!(value, V::Bool(_) | V::Double(_) | V::Duration(_) | V::Int(_)),
            Trait::Sizer => value.is_list() || value.is_map() || matches!(value, V::Bytes(_) | V::String(_)),
            Trait::Subtractor => matches!(
                value,
                V::Double(_) | V::Duration(_) | V::Int(_) | V::Timestamp(_) | V::Uint(_)
            ),
        }
    }
}

/// A function with all its overloads.
#[derive(Debug)]
pub struct Function {
    /// The name; methods and global functions share it.
    pub name: &'static str,
    /// The overloads in the order they are tried.
    pub overloads: Vec<Overload>,
    pub(crate) binding: Binding,
}

/// One signature of a function.
#[derive(Debug)]
pub struct Overload {
    /// The overload's name in cel-go and Kubernetes.
    pub id: &'static str,
    /// Whether it is called on a target.
    pub member: bool,
    pub(crate) op: Op,
    /// The signature as written. Reading those of all functions takes longer than compiling many a rule.
    written: &'static str,
    read: OnceLock<Signature>,
}

impl Overload {
    /// Whether a release has it.
    pub(crate) fn is_in(&self, dialect: Dialect) -> bool {
        let gone = EARLIER.iter().find(|(id, _)| *id == self.id);
        gone.is_none_or(|(_, feature)| !dialect.has(*feature))
    }

    /// The types of the arguments and the result.
    pub fn signature(&self) -> &Signature {
        self.read.get_or_init(|| Signature::read(self.written))
    }
}

/// A function of the environment by its name.
pub fn find(name: &str) -> Option<&'static Function> {
    TABLE.get(name)
}

/// Whether only mutations of admission policies have a function.
pub(crate) fn is_for_patches(name: &str) -> bool {
    json_patch::FUNCTIONS.iter().any(|function| function.name == name)
}

/// The feature that brought a function, if older releases do not have it.
pub(crate) fn feature_of(name: &str) -> Option<Feature> {
    let (_, feature) = LATER.iter().find(|(functions, _)| {
        let mut functions = functions.iter();
        functions.any(|function| function.name == name)
    })?;
    Some(*feature)
}

/// All functions of the environment.
pub(crate) fn all() -> impl Iterator<Item = &'static Function> {
    TABLE.values()
}

static TABLE: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let mut table: HashMap<&'static str, Function> = HashMap::new();
    for definition in FAMILIES.iter().flat_map(|family| family.iter()) {
        let function = table.entry(definition.name).or_insert_with(|| Function {
            name: definition.name,
            overloads: Vec::new(),
            binding: definition.binding,
        });
        function
            .overloads
            .extend(definition.overloads.iter().map(|overload| Overload {
                id: overload.id,
                member: overload.member,
                op: overload.op,
                written: overload.signature,
                read: OnceLock::new(),
            }));
    }
    table
});

/// An overload called as `f(x)`.
const fn global(id: &'static str, signature: &'static str, op: Op) -> OverloadDefinition {
    OverloadDefinition {
        id,
        member: false,
        signature,
        op,
    }
}

/// An overload called as `x.f()`.
const fn method(id: &'static str, signature: &'static str, op: Op) -> OverloadDefinition {
    OverloadDefinition {
        id,
        member: true,
        signature,
        op,
    }
}

/// A function whose overloads have their own implementations.
const fn function(name: &'static str, overloads: &'static [OverloadDefinition]) -> Definition {
    Definition {
        name,
        binding: Binding::Overloads,
        overloads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    #[test]
    fn every_signature_parses() {
        for function in TABLE.values() {
            for overload in &function.overloads {
                let signature = overload.signature();
                assert_ne!(signature.result, Type::Error, "{}", overload.id);
                assert!(!signature.args.contains(&Type::Error), "{}", overload.id);
            }
        }
    }

    #[test]
    fn overload_names_are_unique_within_a_function() {
        for function in TABLE.values() {
            let mut ids: Vec<_> = function.overloads.iter().map(|overload| overload.id).collect();
            ids.sort_unstable();
            let count = ids.len();
            ids.dedup();
            assert_eq!(ids.len(), count, "{}", function.name);
        }
    }
}
