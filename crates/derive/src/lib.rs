//! `#[derive(Schema)]` and `#[derive(Resource)]`: Rust types as Kubernetes API types.
//!
//! A type is read in three steps: `attribute` parses `#[k8s(…)]`, `#[serde(…)]` and `#[kube(…)]`, `item` makes one
//! description of them, and `expand` writes code that repeats the description at run time, where types are known.
//! Before that, `check` reads the description with the reader of Go tags, so that mistakes are compile errors with the
//! words of `kindsmith lint`; `checks` writes the code that checks values.

mod attribute;
mod check;
mod checks;
mod declared;
mod description;
mod enumeration;
mod expand;
mod field;
mod item;
mod kube;
mod limits;
mod resource;
mod serde_names;
mod static_type;
mod vocabulary;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct or enum a type of an API: see `kindsmith::Schema`.
#[proc_macro_derive(Schema, attributes(k8s, serde, kube))]
pub fn derive_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::schema(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Makes a struct a kind of an API: see `kindsmith::Resource`.
#[proc_macro_derive(Resource, attributes(k8s, serde, kube))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::resource(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
