//! Writes the code that checks and defaults values of a type, and tells what is wrong with them.
//!
//! [`published`] makes the schema of the type as its CRD will have it; [`keyword`] writes its keywords as calls of the façade,
//! [`cel_rule`] its CEL rules, and [`place`] puts both where the values are. What cannot be written is `false`: the engine decides then.
//! [`tell`] writes the errors of the same checks.

mod cel_rule;
mod form;
mod keyword;
mod place;
mod published;
mod structure;
mod tell;
mod told;
mod variants;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use crate::description::Described;

/// The methods of `impl Schema` that check, view and default values, and `impl Members` where the type has members.
pub(crate) struct Code {
    pub(crate) methods: TokenStream,
    pub(crate) members: Option<TokenStream>,
}

/// The code for a type that is declared here.
pub(crate) fn code(input: &DeriveInput, described: &Described, krate: &Path) -> Code {
    form::Form::new(described, krate).of_item(input)
}

/// The code for the type that `kube::CustomResource` makes: `metadata`, `spec`, `status`.
pub(crate) fn code_of_root(described: &Described, krate: &Path) -> Code {
    form::Form::new(described, krate).of_struct(described)
}

/// All conditions hold. In parentheses, because a block at the start would be a statement.
fn all(conditions: &[TokenStream]) -> TokenStream {
    match conditions {
        [] => quote!(true),
        [only] => only.clone(),
        several => quote!((#(#several)&&*)),
    }
}

/// Names the old value, where conditions ask for it.
fn before(conditions: &TokenStream, old: &TokenStream) -> Option<TokenStream> {
    let asks = conditions.to_string().contains("before");
    asks.then(|| quote!(let before = #old;))
}
