//! Which programs the fast path supports. Knows no values.

use super::program::{Attribute, Base, Conditional, Node, Qualifier, QualifierKind, Simple};
use super::value::Const;

/// The data of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Data {
    /// It has a schema.
    Typed,
    /// It has none.
    Untyped,
}

impl Data {
    /// Whether the fast path supports all of an expression on this data.
    pub(super) fn is_simple(self, node: &Node) -> bool {
        match node {
            Node::Const(_, constant) => {
                matches!(
                    constant,
                    Const::Null | Const::Bool(_) | Const::Int(_) | Const::String(_)
                )
            }
            Node::Attribute(attribute) | Node::Test(_, attribute) => self.is_path(attribute),
            Node::And(_, terms) | Node::Or(_, terms) | Node::Equal(_, terms) | Node::NotEqual(_, terms) => {
                terms.iter().all(|term| self.is_simple(term))
            }
            Node::InSet(_, element, _) | Node::NotFalse(_, element) => self.is_simple(element),
            Node::Fold(fold) => {
                let parts = [&fold.range, &fold.condition, &fold.step, &fold.result];
                fold.iter2_slot.is_none() && parts.into_iter().all(|part| self.is_simple(part))
            }
            Node::Call(call) => {
                let is_simple = match call.simple {
                    None => false,
                    Some(Simple::In) => self == Data::Untyped,
                    Some(_) => true,
                };
                is_simple && call.args.len() <= 2 && call.args.iter().all(|arg| self.is_simple(arg))
            }
            _ => false,
        }
    }

    fn is_path(self, attribute: &Attribute) -> bool {
        let is_plain = match &attribute.base {
            Base::Variable(..) => true,
            Base::Accumulator(_, accumulator) => {
                matches!(accumulator.init, Node::Const(_, Const::Bool(_))) && attribute.qualifiers.is_empty()
            }
            Base::Conditional(conditional) => {
                let Conditional {
                    condition,
                    then,
                    otherwise,
                } = &**conditional;
                self.is_simple(condition) && self.is_path(then) && self.is_path(otherwise)
            }
            Base::Value(node) => attribute.qualifiers.is_empty() && self.is_simple(node),
        };
        is_plain
            && attribute
                .qualifiers
                .iter()
                .all(|qualifier| self.is_known(qualifier))
    }

    fn is_known(self, qualifier: &Qualifier) -> bool {
        let is_field = match &qualifier.kind {
            QualifierKind::Field(field) | QualifierKind::Test(field) => {
                self == Data::Untyped || (field.hint.is_some() && field.property.is_some())
            }
            _ => false,
        };
        is_field && !qualifier.optional
    }
}
