//! CEL rules as Rust expressions over views of values. What has no form here is unknown, and the engine evaluates the rule.

use kindsmith_cel::syntax::ast::{Ast, Comprehension, Expr, ExprId, Literal};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_cel::validation_rule::{OLD_SELF, SELF};
use kindsmith_schema::ValidationRule;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

/// What rules are about.
pub(super) struct Subject<'s> {
    pub(super) krate: &'s Path,
    /// The value, as an expression for a view.
    pub(super) new: TokenStream,
    /// The old value, if `old` is one.
    pub(super) old: TokenStream,
    /// A member of the value, or of the old one, that can be reached without a view of the whole.
    pub(super) member: &'s dyn Fn(Side, &str) -> Option<TokenStream>,
}

/// The new value, or the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    New,
    Old,
}

/// What is known of a rule.
enum Reading {
    /// It is empty and says nothing.
    Empty,
    /// It has no form here.
    Unknown,
    Written(Written),
}

/// A rule as an expression.
struct Written {
    /// What it says, as far as that is known.
    truth: TokenStream,
    uses_old: bool,
    is_optional: bool,
}

fn read(rule: &ValidationRule, subject: &Subject<'_>) -> Reading {
    if rule.rule.trim().is_empty() {
        return Reading::Empty;
    }
    written(rule, subject).map_or(Reading::Unknown, Reading::Written)
}

fn written(rule: &ValidationRule, subject: &Subject<'_>) -> Option<Written> {
    let ast = parse(&Source::new(&rule.rule)).ok()?;
    let uses_old = (0..ast.len())
        .any(|id| matches!(ast.get(ExprId(id as u32)), Expr::Ident(name) if **name == *OLD_SELF));
    let is_optional = rule.optional_old_self == Some(true);
    let writer = Writer {
        ast: &ast,
        subject,
        is_optional,
    };
    let truth = writer.truth(ast.root?, &[])?;
    Some(Written {
        truth,
        uses_old,
        is_optional,
    })
}

/// Code that tells whether a new value keeps rule number `index`. `before`, `path` and `out` are in scope; `value` is the value in errors,
/// and `fields` are the names that a `fieldPath` may have.
pub(super) fn tell(
    index: usize,
    rule: &ValidationRule,
    subject: &Subject<'_>,
    value: &TokenStream,
    fields: &[&str],
) -> Option<TokenStream> {
    let krate = subject.krate;
    let tell = quote!(#krate::rust::typed::tell);
    let give_up = Some(quote!(out.give_up();));
    let Written {
        truth,
        uses_old,
        is_optional,
    } = match read(rule, subject) {
        Reading::Empty => return None,
        Reading::Unknown => return give_up,
        Reading::Written(written) => written,
    };
    // There is no old value.
    if uses_old && !is_optional {
        return None;
    }
    let field_path = match rule.field_path.strip_prefix('.') {
        None if rule.field_path.is_empty() => quote!(::core::option::Option::None),
        Some(name) if fields.contains(&name) => quote!(::core::option::Option::Some(#name)),
        _ => return give_up,
    };
    let old = uses_old.then(|| {
        let before = quote!(#krate::rust::typed::Before);
        quote!(let old = if let #before::Some(old) = before { ::core::option::Option::Some(old) } else { ::core::option::Option::None };)
    });
    if !rule.message_expression.is_empty() {
        return Some(quote! {{
            #old
            if #truth != ::core::option::Option::Some(true) {
                out.give_up();
            }
        }});
    }
    let message = match rule.message.trim() {
        "" => format!("failed rule: {}", rule.rule.trim()),
        message => message.to_owned(),
    };
    let reason = match rule.reason.as_deref() {
        Some(reason) => quote!(::core::option::Option::Some(#reason)),
        None => quote!(::core::option::Option::None),
    };
    let index = index as u32;
    Some(quote! {{
        #old
        const WORDS: #tell::RuleWords = #tell::RuleWords {
            index: #index,
            reason: #reason,
            message: #message,
            field_path: #field_path,
        };
        #tell::rule(#truth, #value, &WORDS, path, out);
    }})
}

/// A condition that is true if the rule certainly holds. `before` is in scope: the old value.
pub(super) fn condition(rule: &ValidationRule, subject: &Subject<'_>) -> Option<TokenStream> {
    let Written {
        truth,
        uses_old,
        is_optional,
    } = match read(rule, subject) {
        Reading::Empty => return None,
        Reading::Unknown => return Some(quote!(false)),
        Reading::Written(written) => written,
    };
    let krate = subject.krate;
    let holds = quote!(#truth == ::core::option::Option::Some(true));
    let before = quote!(#krate::rust::typed::Before);
    Some(match (uses_old, is_optional) {
        (false, _) => quote!((#holds)),
        (true, false) => quote!(match before {
            #before::None => true,
            #before::Some(old) => {
                let old = ::core::option::Option::Some(old);
                #holds
            }
            #before::Unknown => false,
        }),
        (true, true) => quote!(match before {
            #before::Unknown => false,
            _ => {
                let old = if let #before::Some(old) = before { ::core::option::Option::Some(old) } else { ::core::option::Option::None };
                #holds
            }
        }),
    })
}

struct Writer<'w> {
    ast: &'w Ast,
    subject: &'w Subject<'w>,
    /// Whether `oldSelf` is optional.
    is_optional: bool,
}

/// Variables of macros around an expression.
type Scope<'s> = &'s [(String, proc_macro2::Ident)];

impl Writer<'_> {
    fn cel(&self) -> TokenStream {
        let krate = self.subject.krate;
        quote!(#krate::rust::typed::cel)
    }

    fn view_path(&self) -> TokenStream {
        let krate = self.subject.krate;
        quote!(#krate::rust::typed::View)
    }

    /// An expression for a condition.
    fn truth(&self, id: ExprId, scope: Scope<'_>) -> Option<TokenStream> {
        let cel = self.cel();
        let (target, function, args) = match self.ast.get(id) {
            Expr::Literal(Literal::Bool(value)) => return Some(quote!(::core::option::Option::Some(#value))),
            Expr::Select {
                operand,
                field,
                test: true,
            } => return self.has(*operand, field, scope),
            Expr::Comprehension(each) => return self.quantifier(each, scope),
            Expr::Call {
                target,
                function,
                args,
            } => (*target, &**function, args.as_slice()),
            _ => {
                let value = self.value(id, scope)?;
                return Some(quote!(#cel::truth(#value)));
            }
        };
        Some(match (target, function, args) {
            (None, "_&&_", [left, right]) => {
                let (left, right) = (self.part(*left, scope), self.part(*right, scope));
                quote!(#cel::and(#left, || #right))
            }
            (None, "_||_", [left, right]) => {
                let (left, right) = (self.part(*left, scope), self.part(*right, scope));
                quote!(#cel::or(#left, || #right))
            }
            (None, "!_", [value]) => {
                let value = self.truth(*value, scope)?;
                quote!(#cel::not(#value))
            }
            (None, "_==_", [left, right]) => self.compare("equal", *left, *right, scope)?,
            (None, "_!=_", [left, right]) => {
                let equal = self.compare("equal", *left, *right, scope)?;
                quote!(#cel::not(#equal))
            }
            (None, "_<_", [left, right]) => self.compare("less", *left, *right, scope)?,
            (None, "_>_", [left, right]) => self.compare("less", *right, *left, scope)?,
            (None, "_<=_", [left, right]) => self.compare("at_most", *left, *right, scope)?,
            (None, "_>=_", [left, right]) => self.compare("at_most", *right, *left, scope)?,
            (None, "@in", [value, range]) => self.is_in(*value, *range, scope)?,
            (Some(target), "hasValue", []) if self.is_optional && self.is_old(target) => {
                quote!(::core::option::Option::Some(old.is_some()))
            }
            (Some(target), "startsWith" | "endsWith" | "contains", [with]) => {
                let (target, with) = (self.value(target, scope)?, self.value(*with, scope)?);
                let test = match function {
                    "startsWith" => quote!(|text: &str, with: &str| text.starts_with(with)),
                    "endsWith" => quote!(|text: &str, with: &str| text.ends_with(with)),
                    _ => quote!(|text: &str, with: &str| text.contains(with)),
                };
                quote!(#cel::texts(#target, #with, #test))
            }
            (Some(target), "matches", [pattern]) => self.matches(target, *pattern, scope)?,
            (None, "_?_:_" | "_[_]", _) | (Some(_), "value", []) => {
                let value = self.value(id, scope)?;
                quote!(#cel::truth(#value))
            }
            _ => return None,
        })
    }

    /// A condition that may be unknown beside others.
    fn part(&self, id: ExprId, scope: Scope<'_>) -> TokenStream {
        let unknown = || quote!(::core::option::Option::<bool>::None);
        self.truth(id, scope).unwrap_or_else(unknown)
    }

    fn compare(&self, how: &str, left: ExprId, right: ExprId, scope: Scope<'_>) -> Option<TokenStream> {
        let (cel, how) = (self.cel(), format_ident!("{how}"));
        let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
        Some(quote!(#cel::#how(#left, #right)))
    }

    fn is_in(&self, value: ExprId, range: ExprId, scope: Scope<'_>) -> Option<TokenStream> {
        let cel = self.cel();
        let value = self.value(value, scope)?;
        if let Expr::List { elements, optional } = self.ast.get(range) {
            let is_plain = !optional.contains(&true);
            let elements: Option<Vec<TokenStream>> =
                elements.iter().map(|item| self.value(*item, scope)).collect();
            let elements = elements.filter(|_| is_plain)?;
            return Some(quote!(#cel::is_one_of(#value, &[#(#elements),*])));
        }
        let range = self.value(range, scope)?;
        Some(quote!(#cel::is_in(#value, #range)))
    }

    fn matches(&self, target: ExprId, pattern: ExprId, scope: Scope<'_>) -> Option<TokenStream> {
        let (cel, krate) = (self.cel(), self.subject.krate);
        let target = self.value(target, scope)?;
        let Expr::Literal(Literal::String(pattern)) = self.ast.get(pattern) else {
            return None;
        };
        let pattern = &**pattern;
        Some(quote!({
            static PATTERN: #krate::rust::typed::keyword::Pattern = #krate::rust::typed::keyword::Pattern::new(#pattern);
            #cel::matches(#target, &PATTERN)
        }))
    }

    fn has(&self, operand: ExprId, field: &str, scope: Scope<'_>) -> Option<TokenStream> {
        let cel = self.cel();
        if let Some(member) = self.direct(operand, field)? {
            return Some(quote!(::core::option::Option::Some(#member.is_there())));
        }
        let operand = self.value(operand, scope)?;
        Some(quote!(#cel::has(#operand, #field)))
    }

    /// A member of `self` or `oldSelf` by its own field; `None` if the name is escaped, and `Some(None)` for other operands.
    fn direct(&self, operand: ExprId, field: &str) -> Option<Option<TokenStream>> {
        if field.contains("__") {
            return None;
        }
        let side = match self.ast.get(operand) {
            Expr::Ident(name) if **name == *SELF => Side::New,
            Expr::Ident(name) if **name == *OLD_SELF && !self.is_optional => Side::Old,
            Expr::Call {
                target: Some(target),
                function,
                args,
            } if self.is_optional && &**function == "value" && args.is_empty() && self.is_old(*target) => {
                Side::Old
            }
            _ => return Some(None),
        };
        Some((self.subject.member)(side, field))
    }

    fn is_old(&self, id: ExprId) -> bool {
        matches!(self.ast.get(id), Expr::Ident(name) if **name == *OLD_SELF)
    }

    fn quantifier(&self, each: &Comprehension, scope: Scope<'_>) -> Option<TokenStream> {
        if each.iter_var2.is_some() {
            return None;
        }
        let is_accumulator =
            |id: ExprId| matches!(self.ast.get(id), Expr::Ident(name) if *name == each.accu_var);
        let Expr::Call { function, args, .. } = self.ast.get(each.step) else {
            return None;
        };
        let (how, test) = match (self.ast.get(each.accu_init), &**function, args.as_slice()) {
            (Expr::Literal(Literal::Bool(true)), "_&&_", [accu, test]) if is_accumulator(*accu) => {
                ("all", *test)
            }
            (Expr::Literal(Literal::Bool(false)), "_||_", [accu, test]) if is_accumulator(*accu) => {
                ("exists", *test)
            }
            (Expr::Literal(Literal::Int(0)), "_?_:_", [test, _, accu]) if is_accumulator(*accu) => {
                ("exists_one", *test)
            }
            _ => return None,
        };
        let range = self.value(each.range, scope)?;
        let item = format_ident!("item{}", scope.len());
        let mut inner = scope.to_vec();
        inner.push((each.iter_var.to_string(), item.clone()));
        let test = self.truth(test, &inner)?;
        let (cel, how) = (self.cel(), format_ident!("{how}"));
        Some(quote!(#cel::#how(#range, |#item| #test)))
    }

    /// An expression for a view.
    fn value(&self, id: ExprId, scope: Scope<'_>) -> Option<TokenStream> {
        let (cel, view) = (self.cel(), self.view_path());
        Some(match self.ast.get(id) {
            Expr::Literal(literal) => match literal {
                Literal::Bool(value) => quote!(#view::Bool(#value)),
                Literal::Int(value) => quote!(#view::Int(#value)),
                Literal::Double(value) if value.is_finite() => quote!(#view::Float(#value)),
                Literal::String(value) => {
                    let value = &**value;
                    quote!(#view::Text(#value))
                }
                _ => return None,
            },
            Expr::Ident(name) => self.ident(name, scope)?,
            Expr::Select {
                operand,
                field,
                test: false,
            } => match self.direct(*operand, field)? {
                Some(member) => member,
                None => {
                    let operand = self.value(*operand, scope)?;
                    let field = &**field;
                    quote!(#cel::select(#operand, #field))
                }
            },
            Expr::Call {
                target,
                function,
                args,
            } => return self.call(id, *target, function, args, scope),
            Expr::Select { .. } | Expr::Comprehension(_) => {
                let truth = self.truth(id, scope)?;
                quote!(#cel::value(#truth))
            }
            Expr::Unspecified | Expr::List { .. } | Expr::Map(_) | Expr::Struct { .. } => return None,
        })
    }

    fn ident(&self, name: &str, scope: Scope<'_>) -> Option<TokenStream> {
        if let Some((_, item)) = scope.iter().rev().find(|(known, _)| known == name) {
            return Some(quote!(#item));
        }
        match name {
            SELF => Some(self.subject.new.clone()),
            OLD_SELF if !self.is_optional => Some(self.subject.old.clone()),
            _ => None,
        }
    }

    fn call(
        &self,
        id: ExprId,
        target: Option<ExprId>,
        function: &str,
        args: &[ExprId],
        scope: Scope<'_>,
    ) -> Option<TokenStream> {
        let (cel, view) = (self.cel(), self.view_path());
        Some(match (target, function, args) {
            (None, "_+_" | "_-_" | "_*_" | "_/_" | "_%_", [left, right]) => {
                let operator = match function {
                    "_+_" => quote!(i64::checked_add),
                    "_-_" => quote!(i64::checked_sub),
                    "_*_" => quote!(i64::checked_mul),
                    "_/_" => quote!(i64::checked_div),
                    _ => quote!(i64::checked_rem),
                };
                let (left, right) = (self.value(*left, scope)?, self.value(*right, scope)?);
                quote!(#cel::calculate(#left, #right, #operator))
            }
            (None, "-_", [value]) => {
                let value = self.value(*value, scope)?;
                quote!(#cel::calculate(#view::Int(0), #value, i64::checked_sub))
            }
            (None, "_?_:_", [condition, then, or_else]) => {
                let condition = self.truth(*condition, scope)?;
                let (then, or_else) = (self.value(*then, scope)?, self.value(*or_else, scope)?);
                quote!(#cel::choose(#condition, || #then, || #or_else))
            }
            (None, "_[_]", [value, at]) => {
                let (value, at) = (self.value(*value, scope)?, self.value(*at, scope)?);
                quote!(#cel::index(#value, #at))
            }
            (None, "size", [value]) => {
                let value = self.value(*value, scope)?;
                quote!(#cel::size(#value))
            }
            (Some(value), "size", []) => {
                let value = self.value(value, scope)?;
                quote!(#cel::size(#value))
            }
            (Some(target), "value", []) if self.is_optional && self.is_old(target) => {
                self.subject.old.clone()
            }
            (
                _,
                "_&&_" | "_||_" | "!_" | "_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_" | "@in"
                | "hasValue" | "startsWith" | "endsWith" | "contains" | "matches",
                _,
            ) => {
                let truth = self.truth(id, scope)?;
                quote!(#cel::value(#truth))
            }
            _ => return None,
        })
    }
}
