//! Statements that tell what is wrong with a value.

use proc_macro2::TokenStream;
use quote::quote;

use super::all;

/// Statements for the two passes; `before`, `out`, and `name` or `path` are in scope.
#[derive(Default)]
pub(super) struct Told {
    pub(super) values: TokenStream,
    pub(super) rules: TokenStream,
}

impl Told {
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.rules.is_empty()
    }

    pub(super) fn then(&mut self, other: Told) {
        self.values.extend(other.values);
        self.rules.extend(other.rules);
    }

    /// The same inside other code, where there is any.
    pub(super) fn inside(self, code: impl Fn(&TokenStream, Pass) -> TokenStream) -> Self {
        let wrap = |inner: TokenStream, pass| {
            if inner.is_empty() {
                inner
            } else {
                code(&inner, pass)
            }
        };
        Self {
            values: wrap(self.values, Pass::Values),
            rules: wrap(self.rules, Pass::Rules),
        }
    }

    /// Reports nothing if conditions hold, and is incomplete if not.
    pub(super) fn unless(conditions: &[TokenStream]) -> Self {
        if conditions.is_empty() {
            return Self::default();
        }
        let conditions = all(conditions);
        Self {
            values: quote!(if !#conditions { out.give_up(); }),
            rules: TokenStream::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    Values,
    Rules,
}

impl Pass {
    /// Names the member of a struct.
    pub(super) fn member(self, name: &str) -> TokenStream {
        match self {
            Self::Values => quote!(let name = &name.property(#name);),
            Self::Rules => quote!(let path = &path.child(#name);),
        }
    }

    pub(super) fn item(self) -> TokenStream {
        match self {
            Self::Values => quote!(let name = &name.index(index);),
            Self::Rules => quote!(let path = &path.index(index);),
        }
    }

    pub(super) fn entry(self) -> TokenStream {
        match self {
            Self::Values => quote!(let name = &name.dotted(key);),
            Self::Rules => quote!(let path = &path.key(key);),
        }
    }
}
