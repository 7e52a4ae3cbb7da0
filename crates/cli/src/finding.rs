//! Findings that only commands report: in manifests, expressions and generated files. Each is one file with its page beside it, and one line in this list.

kindsmith_source::findings! {
    cel::CEL,
    crd::CRD,
    crd_size::CRD_SIZE,
    decode::DECODE,
    default_rule::DEFAULT_RULE,
    defaulted::DEFAULTED,
    definition::DEFINITION,
    duplicate_field::DUPLICATE_FIELD,
    generator::GENERATOR,
    go_code::GO_CODE,
    invalid::INVALID,
    known_tags_only::KNOWN_TAGS_ONLY,
    manifest_syntax::MANIFEST_SYNTAX,
    no_schema::NO_SCHEMA,
    not_checked::NOT_CHECKED,
    openapi::OPENAPI,
    require_explicit_disablement::REQUIRE_EXPLICIT_DISABLEMENT,
    server_warning::SERVER_WARNING,
    unenforced::UNENFORCED,
    unknown_field::UNKNOWN_FIELD,
}
