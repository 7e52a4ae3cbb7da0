//! Findings of the Go reader. Each is one file with its page beside it, and one line in this list.

kindsmith_source::findings! {
    endless_embedding::ENDLESS_EMBEDDING,
    go_import::GO_IMPORT,
    go_package::GO_PACKAGE,
    go_syntax::GO_SYNTAX,
    openapi_generic::OPENAPI_GENERIC,
    trailing_tag::TRAILING_TAG,
    undefined_type::UNDEFINED_TYPE,
}
