//! Everything that validation-gen rejects about tags, one small declaration per row, with the core of its
//! message.

use crate::linted;
use kindsmith_source::{Diagnostic, Severity};
use kindsmith_testkit::GoPackages;

/// Types for the rows.
const TYPES: &str = r#"
type Part struct {
	Name string  `json:"name"`
	Size int32   `json:"size"`
	On   bool    `json:"on"`
	Any  float64 `json:"any"`
	Deep *Part   `json:"deep"`
}
type Name string
type Level int32
type Names []string
// +k8s:listType=map
// +k8s:listMapKey=name
type Parts []Part
"#;

/// The findings in a package of these files; doc.go is the first.
fn findings(doc: &str, more: &[(&str, &str)]) -> Vec<Diagnostic> {
    let packages = GoPackages::default().module("example.com", "m");
    let packages = packages.file("m/p/doc.go", format!("{doc}\npackage p\n"));
    let add = |packages: GoPackages, (name, text): &(&str, &str)| packages.file(&format!("m/{name}"), *text);
    linted::findings(&more.iter().fold(packages, add), "m/...")
}

const ASKS: &str = "// +k8s:validation-gen=*\n// +k8s:validation-gen-nolint";

/// Checks that there is exactly this error; the text is upstream's after the name of the tag.
fn check(what: &str, found: &[Diagnostic], expected: &str) -> Option<String> {
    let errors: Vec<&str> = found
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.message.as_str())
        .collect();
    let is_it = |message: &&str| **message == *expected || message.ends_with(&format!("\": {expected}"));
    let right = if expected.is_empty() {
        errors.is_empty()
    } else {
        errors.iter().any(is_it)
    };
    (!right).then(|| format!("{what}\n  wanted: {expected}\n  found:  {errors:?}\n"))
}

fn check_all(rows: impl Iterator<Item = Option<String>>) {
    let wrong: String = rows.flatten().collect();
    assert!(wrong.is_empty(), "not as upstream:\n{wrong}");
}

/// A field `Value` of this type with these tags, separated by `|`, beside `Other string` and `Inner Part`.
fn field(ty: &str, tags: &str) -> Vec<Diagnostic> {
    let comments: String = tags.split('|').map(|tag| format!("\t// +{tag}\n")).collect();
    let source = format!(
        "package p\n\ntype Thing struct {{\n\tOther string `json:\"other\"`\n\n\tInner Part `json:\"inner\"`\n\n{comments}\tValue {ty} `json:\"value\"`\n}}\n{TYPES}"
    );
    findings(ASKS, &[("p/types.go", &source)])
}

/// Type of the field, its tags, and the error.
const FIELDS: &[(&str, &str, &str)] = &[
    // Syntax.
    (
        "string",
        "k8s:maxLength=3 x",
        "failed to parse tags: unexpected character ' ' at position 16: [k8s:maxLength=3 x]",
    ),
    (
        "string",
        "k8s:maxLength=",
        "failed to parse tags: unexpected end of input: [k8s:maxLength=]",
    ),
    (
        "string",
        "k8s:ifEnabled(X",
        "failed to parse tags: unexpected end of input: [k8s:ifEnabled(X]",
    ),
    (
        "string",
        "k8s:maxLength=12ab",
        "failed to parse tags: invalid number \"12ab\" at position 18: [k8s:maxLength=12ab]",
    ),
    (
        "string",
        "k8s:neq=\"a",
        "failed to parse tags: unterminated string at position 10: [k8s:neq=\"a]",
    ),
    (
        "string",
        r#"k8s:neq="\n""#,
        r#"failed to parse tags: unhandled escaped character 'n': [k8s:neq="\n"]"#,
    ),
    (
        "[]Part",
        "k8s:item(name: \"a\", \"b\")=+k8s:immutable",
        "failed to parse tags: can't mix named and positional arguments: [k8s:item(name: \"a\", \"b\")=+k8s:immutable]",
    ),
    (
        "[]Part",
        "k8s:item(\"a\", \"b\")=+k8s:immutable",
        "failed to parse tags: multiple arguments must use 'name: value' syntax: [k8s:item(\"a\", \"b\")=+k8s:immutable]",
    ),
    // Arguments and values.
    (
        "string",
        "k8s:enum",
        "tag \"k8s:enum\" cannot be specified on struct fields",
    ),
    (
        "[]string",
        "k8s:eachVal=+k8s:required",
        "tag \"k8s:required\" cannot be specified on list values",
    ),
    (
        "map[string]string",
        "k8s:eachVal=+k8s:required",
        "tag \"k8s:required\" cannot be specified on map values",
    ),
    (
        "map[string]string",
        "k8s:eachKey=+k8s:immutable",
        "tag \"k8s:immutable\" cannot be specified on map keys",
    ),
    (
        "string",
        "k8s:ifEnabled(3)=+k8s:required",
        "argument \"3\" has wrong type: got int, want string",
    ),
    (
        "string",
        "k8s:unionMember(union: 3)",
        "argument \"union: 3\" has wrong type: got int, want string",
    ),
    (
        "string",
        "k8s:ifEnabled=+k8s:required",
        "missing required positional argument of type string",
    ),
    (
        "string",
        "k8s:maxLength(a: \"b\")=3",
        "unrecognized named argument \"a: \\\"b\\\"\"",
    ),
    (
        "string",
        "k8s:required(\"b\")",
        "unrecognized named argument \"\\\"b\\\"\"",
    ),
    (
        "string",
        "k8s:maxLength",
        "missing required tag value of type int",
    ),
    (
        "string",
        "k8s:maxLength=\"3\"",
        "tag value has wrong type: got string, want int",
    ),
    (
        "string",
        "k8s:required=true",
        "tag value has wrong type: got bool, want ",
    ),
    (
        "[]string",
        "k8s:eachVal=3",
        "tag value has wrong type: got int, want tag",
    ),
    // Sizes.
    (
        "int32",
        "k8s:minLength=3",
        "can only be used on string types (int32)",
    ),
    (
        "Level",
        "k8s:maxBytes=3",
        "can only be used on string types (example.com/p.Level -> int32)",
    ),
    (
        "int32",
        "k8s:format=k8s-uuid",
        "can only be used on string types (int32)",
    ),
    (
        "string",
        "k8s:maxLength=0x3",
        "failed to parse tag payload as int: parsing \"0x3\" as int: strconv.Atoi: parsing \"0x3\": invalid syntax",
    ),
    (
        "string",
        "k8s:maxLength=03",
        "failed to parse tag payload as int: \"03\" is not a valid int value",
    ),
    (
        "[]string",
        "k8s:minItems=-1",
        "must be greater than or equal to zero",
    ),
    (
        "map[string]string",
        "k8s:maxProperties=100001",
        "must be less than or equal to 100000",
    ),
    (
        "map[string]string",
        "k8s:minProperties=100001",
        "must be less than or equal to 100000",
    ),
    (
        "string",
        "k8s:minProperties=1",
        "can only be used on map types (string)",
    ),
    (
        "string",
        "k8s:maxItems=1",
        "can only be used on list types (string)",
    ),
    (
        "*[]string",
        "k8s:maxItems=1",
        "can only be used on list types (*[]string -> *[]string)",
    ),
    // Numbers.
    (
        "float64",
        "k8s:minimum=1",
        "can only be used on integer types (float64)",
    ),
    (
        "int32",
        "k8s:minimum=0x1",
        "failed to parse tag payload: parsing \"0x1\" as int: strconv.ParseInt: parsing \"0x1\": invalid syntax",
    ),
    (
        "uint16",
        "k8s:maximum=70000",
        "failed to parse tag payload: value 70000 does not fit in uint16 (range [0, 65535])",
    ),
    (
        "int32",
        "k8s:maximum=2147483648",
        "failed to parse tag payload: value 2147483648 does not fit in int32 (range [-2147483648, 2147483647])",
    ),
    ("string", "k8s:monotonic", "must be an integer type (got string)"),
    (
        "[]string",
        "k8s:neq=3",
        "can only be used on comparable types (e.g. string, int, bool), but got []string",
    ),
    (
        "string",
        "k8s:neq=3",
        "type mismatch: field is a string, but payload is of type int",
    ),
    (
        "bool",
        "k8s:neq=3",
        "type mismatch: field is a bool, but payload is of type int",
    ),
    (
        "int32",
        "k8s:neq=true",
        "type mismatch: field is an integer, but payload is of type bool",
    ),
    ("float64", "k8s:neq=3", "unsupported type for 'neq' tag: float64"),
    (
        "string",
        "k8s:format=none",
        "unsupported validation format \"none\"",
    ),
    // Presence.
    (
        "Part",
        "k8s:required",
        "non-pointer structs cannot use the \"k8s:required\" tag",
    ),
    (
        "Part",
        "k8s:optional",
        "non-pointer structs cannot use the \"k8s:optional\" tag",
    ),
    (
        "Part",
        "k8s:forbidden",
        "non-pointer structs cannot use the \"k8s:forbidden\" tag",
    ),
    (
        "string",
        "k8s:optional|default=null",
        "failed to parse default value \"null\": unmarshalled to nil",
    ),
    // Elements.
    (
        "string",
        "k8s:eachVal=+k8s:maxLength=3",
        "can only be used on list or map types (Builtin)",
    ),
    (
        "[]string",
        "k8s:eachKey=+k8s:maxLength=3",
        "can only be used on map types (Slice)",
    ),
    (
        "[]string",
        "k8s:eachVal=+k8s:minLength=0",
        "no validation functions found",
    ),
    (
        "map[string]string",
        "k8s:eachKey=+k8s:minLength=0",
        "no validation functions found",
    ),
    // Lists.
    (
        "string",
        "k8s:listType=set",
        "can only be used on list types (Builtin)",
    ),
    (
        "string",
        "k8s:listMapKey=name",
        "can only be used on list types (Builtin)",
    ),
    (
        "string",
        "k8s:unique=set",
        "can only be used on list types (Builtin)",
    ),
    (
        "string",
        "k8s:customUnique",
        "can only be used on list types (Builtin)",
    ),
    ("[]string", "k8s:listType=bag", "unknown list type \"bag\""),
    (
        "[]string",
        "k8s:listType=set|k8s:listType=set",
        "listType cannot be specified more than once",
    ),
    (
        "[]string",
        "k8s:listType=atomic|k8s:unique=bag",
        "unknown unique type \"bag\"",
    ),
    (
        "[]string",
        "k8s:listType=set|k8s:unique=set",
        "unique tag may not be used with listType=set or listType=map",
    ),
    (
        "[]string",
        "k8s:listType=atomic|k8s:unique=set|k8s:unique=set",
        "unique tag cannot be specified more than once",
    ),
    (
        "[]string",
        "k8s:listType=map",
        "only lists of structs can be list-maps",
    ),
    (
        "[]string",
        "k8s:listType=atomic|k8s:unique=map",
        "only lists of structs can be list-maps",
    ),
    (
        "[]string",
        "k8s:listMapKey=name",
        "only lists of structs can be list-maps",
    ),
    (
        "[]Part",
        "k8s:listType=map|k8s:listMapKey=none",
        "no field for JSON name \"none\"",
    ),
    (
        "[]Part",
        "k8s:listType=map|k8s:listMapKey=deep",
        "only primitive types and pointers to primitive types can be list-map keys, not *example.com/p.Part",
    ),
    (
        "[]Part",
        "k8s:listType=atomic|k8s:listMapKey=name",
        "found listMapKey without listType=map or unique=map",
    ),
    (
        "[]Part",
        "k8s:listType=map",
        "found listType=map or unique=map without listMapKey",
    ),
    (
        "[]string",
        "k8s:unique=set",
        "listType must be specified - use listType=atomic, listType=set, or listType=map",
    ),
    (
        "Parts",
        "k8s:listType=map|k8s:listMapKey=name",
        "found list metadata for both a field and its type: example.com/p.Thing.value",
    ),
    // Items.
    (
        "string",
        "k8s:item(name: \"a\")=+k8s:immutable",
        "can only be used on list types",
    ),
    (
        "[]string",
        "k8s:item(name: \"a\")=+k8s:immutable",
        "can only be used on lists of structs",
    ),
    (
        "[]Part",
        "k8s:item(\"a\")=+k8s:immutable",
        "all arguments must be named",
    ),
    (
        "[]Part",
        "k8s:item()=+k8s:immutable",
        "no selection criteria was specified",
    ),
    (
        "[]Part",
        "k8s:item(name: \"a\", name: \"b\")=+k8s:immutable",
        "duplicate argument: \"name\"",
    ),
    (
        "[]Part",
        "k8s:item(size: 0x3)=+k8s:immutable",
        "invalid value for argument \"size\": invalid integer: parsing \"0x3\" as int: strconv.Atoi: parsing \"0x3\": invalid syntax",
    ),
    (
        "[]Part",
        "k8s:item(name: \"a\")=+k8s:immutable",
        "found items with no list metadata - item tags require listType=map or unique=map with listMapKey",
    ),
    (
        "Parts",
        "k8s:item(name: \"a\", size: 3)=+k8s:immutable",
        "number of arguments (2) does not match number of listMapKey fields (1)",
    ),
    (
        "Parts",
        "k8s:item(size: 3)=+k8s:immutable",
        "missing required listMapKey fields: [name]",
    ),
    (
        "Parts",
        "k8s:item(name: 3)=+k8s:immutable",
        "type mismatch, field is string but value is not: 3",
    ),
    // Members.
    (
        "*Part",
        "k8s:subfield(deep)=+k8s:subfield(name)=+k8s:immutable",
        "nested +k8s:subfield tags are unsupported; apply validations directly to the nested type instead",
    ),
    (
        "string",
        "k8s:subfield(name)=+k8s:immutable",
        "can only be used on struct types: Builtin",
    ),
    (
        "*Part",
        "k8s:subfield(none)=+k8s:immutable",
        "no field for json name \"none\"",
    ),
    // Unions and modes.
    (
        "Part",
        "k8s:unionMember",
        "can only be used on nilable and primitive types (Struct)",
    ),
    (
        "Part",
        "k8s:zeroOrOneOfMember",
        "can only be used on nilable and primitive types (Struct)",
    ),
    (
        "int32",
        "k8s:unionDiscriminator",
        "can only be used on string types (int32)",
    ),
    (
        "*string",
        "k8s:modeDiscriminator",
        "can only be used on non-pointer types",
    ),
    (
        "int32",
        "k8s:modeDiscriminator",
        "can only be used on string or bool types (int32)",
    ),
    (
        "string",
        "k8s:modeDiscriminator(modality: \"a-b\")",
        "discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got \"a-b\"",
    ),
    (
        "string",
        "k8s:modeDiscriminator(modality: \"default\")",
        "discriminator group name \"default\" is reserved",
    ),
    ("string", "k8s:modeDiscriminator|k8s:modeDiscriminator", ""),
    ("string", "k8s:ifMode=+k8s:required", "missing required mode"),
    (
        "string",
        "k8s:ifMode(mode: \"a\", modality: \"default\")=+k8s:required",
        "discriminator group name \"default\" is reserved",
    ),
    (
        "string",
        "k8s:ifMode(\"a\")=+k8s:required",
        "missing discriminator",
    ),
    (
        "string",
        "k8s:ifMode(mode: \"a\", modality: \"g\")=+k8s:required",
        "missing discriminator for group \"g\"",
    ),
    // Updates.
    (
        "string",
        "k8s:update=Never",
        "unknown +k8s:update constraint: Never",
    ),
    (
        "string",
        "k8s:update=NoAddItem",
        "+k8s:update=NoAddItem can only be used on list or map fields",
    ),
    (
        "[]string",
        "k8s:update=NoModify",
        "+k8s:update=NoModify is not supported on list or map fields, use +k8s:eachVal=+k8s:update=NoModify for per-item immutability",
    ),
    (
        "Part",
        "k8s:update=NoSet",
        "+k8s:update=NoSet cannot be used on non-pointer struct fields (they cannot be unset)",
    ),
    (
        "[]string",
        "k8s:eachVal=+k8s:update=NoSet",
        "+k8s:update=NoSet does not apply to list values, attach it to the enclosing field",
    ),
    (
        "map[string]string",
        "k8s:eachVal=+k8s:update=NoSet",
        "+k8s:update=NoSet does not apply to map values, attach it to the enclosing field",
    ),
    (
        "map[string]Names",
        "k8s:eachVal=+k8s:update=NoModify",
        "+k8s:update=NoModify cannot be applied to list/map elements that are themselves lists or maps",
    ),
    (
        "[]string",
        "k8s:alpha=+k8s:listType=set|k8s:eachVal=+k8s:update=NoModify",
        "+k8s:eachVal=+k8s:update=NoModify requires the enclosing list to use listType=map or unique=map (got set)",
    ),
    (
        "[]string",
        "k8s:listType=set|k8s:eachVal=+k8s:update=NoModify",
        "",
    ),
    (
        "[]string",
        "k8s:update=NoAddItem",
        "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require list metadata (+k8s:listType with listMapKey, or +k8s:unique) to determine item identity",
    ),
    (
        "[]string",
        "k8s:listType=atomic|k8s:update=NoRemoveItem",
        "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require listType=set, listType=map, unique=set, or unique=map to define item identity",
    ),
    // Siblings.
    (
        "string",
        "k8s:dependentRequired(\"none\")",
        "no sibling field with JSON name \"none\"",
    ),
    (
        "string",
        "k8s:dependentForbidden(\"value\")",
        "trigger and dependent field must be different (both are \"value\")",
    ),
    (
        "string",
        "k8s:dependentRequired(\"inner\")",
        "dependent field \"Inner\" has unsupported type kind Struct",
    ),
    (
        "Part",
        "k8s:dependentRequired(\"other\")",
        "trigger field \"Value\" has unsupported type kind Struct",
    ),
    // Levels and tests.
    (
        "string",
        "k8s:alpha(since: \"1\")=+k8s:required",
        "invalid kubernetes version format, expected <major>.<minor>, got 1",
    ),
    (
        "string",
        "k8s:beta(since: \"v1.38\")=+k8s:required",
        "invalid kubernetes version format, expected <major>.<minor>, got v1.38",
    ),
    ("string", "k8s:validateError=\"no\"", "forced error: \"no\""),
    (
        "string",
        "k8s:validateFalse(flags: \"Odd\")",
        "can't decode tag payload: unknown flag: \"Odd\"",
    ),
    (
        "string",
        "k8s:customValidation",
        "+k8s:customValidation: expected hand-written function example.com/p.ValidateCustom_Thing_Value was not found",
    ),
];

#[test]
fn fields() {
    check_all(FIELDS.iter().map(|(ty, tags, expected)| {
        let what = format!("{ty} +{}", tags.replace('|', " +"));
        check(&what, &field(ty, tags), expected)
    }));
}

/// Declarations of a package, and the error.
const SOURCES: &[(&str, &str)] = &[
    (
        "type Thing struct {\n\t// +k8s:optional\n\t// +default=1\n\t// +default=2\n\tValue *int32 `json:\"value\"`\n}",
        "+default tag with multiple values: [\"default\" \"default\"]",
    ),
    (
        "type Thing struct {\n\t// +k8s:unionMember\n\tValue *int32 `json:\"-\"`\n}",
        "field \"Value *int32\" is a union member but has no JSON name",
    ),
    (
        "type Thing struct {\n\tOther string `json:\"-\"`\n\n\t// +k8s:dependentRequired(\"Other\")\n\tValue *int32 `json:\"value\"`\n}",
        "no sibling field with JSON name \"Other\"",
    ),
    (
        "type Thing struct {\n\t// +k8s:modeDiscriminator\n\tMode bool `json:\"mode\"`\n\n\t// +k8s:ifMode(\"on\")=+k8s:required\n\tValue *int32 `json:\"value\"`\n}",
        "invalid discriminator value \"on\": cannot parse \"on\" as bool: \"on\" is not a valid bool value",
    ),
    (
        "type Thing struct {\n\t// +k8s:modeDiscriminator\n\tMode string `json:\"mode\"`\n\n\t// +k8s:ifMode(\"on\")=+k8s:immutable\n\tValue Part `json:\"value\"`\n}",
        "discriminated member fields of struct type must be pointers",
    ),
    (
        "type Thing struct {\n\tValue string `json:\"value\"`\n}\n\nfunc ValidateCustom_Thing() {}",
        "example.com/p.ValidateCustom_Thing: no matching tag (add +k8s:customValidation, or rename if not a custom validation)",
    ),
    (
        "type Thing struct {\n\t// +k8s:customValidation\n\tValue string `json:\"value\"`\n}\n\nfunc ValidateCustom_Thing_Value(ctx context.Context, value *string) field.ErrorList { return nil }",
        "+k8s:customValidation: example.com/p.ValidateCustom_Thing_Value must have signature func(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *string) field.ErrorList",
    ),
    (
        "// +k8s:customValidation\ntype Thing struct {\n\tValue string `json:\"value\"`\n}\n\nfunc ValidateCustom_Thing(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue Thing) field.ErrorList { return nil }",
        "+k8s:customValidation: example.com/p.ValidateCustom_Thing must have signature func(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *Thing) field.ErrorList",
    ),
    (
        "type Thing struct {\n\t// +k8s:customValidation\n\tValue map[string]Part `json:\"value\"`\n}\n\nfunc ValidateCustom_Thing_Value(c context.Context, o operation.Operation, p *field.Path, v, old map[string]Part) field.ErrorList { return nil }",
        "",
    ),
    (
        "// +k8s:enum\ntype Thing int32",
        "can only be used on string types (example.com/p.Thing -> int32)",
    ),
    (
        "type Thing struct {\n\tValue [3]string `json:\"value\"`\n}",
        "fixed-size arrays are not supported",
    ),
    (
        "// +k8s:isSubresource=\"/a\"\n// +k8s:isSubresource=\"/b\"\ntype Thing struct {\n\tValue string `json:\"value\"`\n}",
        "Type \"example.com/p.Thing\" contains more than one usage of \"k8s:isSubresource\"",
    ),
];

#[test]
fn declarations() {
    check_all(SOURCES.iter().map(|(source, expected)| {
        let text = format!(
            "package p\n\nimport (\n\t\"context\"\n\n\t\"k8s.io/apimachinery/pkg/api/operation\"\n\t\"k8s.io/apimachinery/pkg/util/validation/field\"\n)\n\n{source}\n{TYPES}"
        );
        check(source, &findings(ASKS, &[("p/types.go", &text)]), expected)
    }));
}

/// Package tags, and the error.
const PACKAGES: &[(&str, &str)] = &[
    (
        "// +k8s:validation-gen",
        "example.com/p: found package tag \"k8s:validation-gen\" with no value",
    ),
    (
        "// +k8s:validation-gen=TypeMeta",
        "example.com/p: unknown value for package tag \"k8s:validation-gen\": \"TypeMeta\"",
    ),
    (
        "// +k8s:validation-gen=TypesWithField=",
        "example.com/p: found package tag \"k8s:validation-gen=TypesWithField=\" with empty value",
    ),
    (
        "// +k8s:validation-gen=TypesWithSuffix=",
        "example.com/p: found package tag \"k8s:validation-gen=TypesWithSuffix=\" with empty value",
    ),
    (
        "// +k8s:validation-gen=*\n// +k8s:validation-gen=false",
        "+k8s:validation-gen: cannot mix \"false\" with other values; got [* false]",
    ),
    (
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-input=../q",
        "+k8s:validation-gen-input: relative path \"../q\" is not supported; use the full package import path",
    ),
    (
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-scheme-registry=nil\n// +k8s:validation-gen-scheme-registry=nil",
        "Package \"example.com/p\" contains more than one usage of \"k8s:validation-gen-scheme-registry\"",
    ),
    (
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-test-fixture=x",
        "Package \"example.com/p\": k8s:validation-gen-test-fixture must be one of '[validateFalse]', but got: x",
    ),
];

#[test]
fn packages() {
    check_all(
        PACKAGES
            .iter()
            .map(|(doc, expected)| check(doc, &findings(doc, &[]), expected)),
    );
}

#[test]
fn a_function_beside_the_types() {
    let types = "package q\n\ntype Thing struct {\n\t// +k8s:customValidation\n\tValue string `json:\"value\"`\n}\n\nfunc ValidateCustom_Thing_Value() {}\n";
    let doc = "// +k8s:validation-gen=*\npackage q\n";
    let found = findings(
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-input=example.com/q",
        &[("q/types.go", types), ("q/doc.go", doc)],
    );
    check_all(
        [
            "example.com/q.ValidateCustom_Thing_Value: move to the generated package example.com/p",
            "+k8s:customValidation: expected hand-written function example.com/p.ValidateCustom_Thing_Value was not found",
        ]
        .iter()
        .map(|expected| check("q", &found, expected)),
    );
}

#[test]
fn a_function_beside_the_generated_code() {
    let types =
        "package q\n\ntype Thing struct {\n\t// +k8s:customValidation\n\tValue string `json:\"value\"`\n}\n";
    let function = "package p\n\nfunc ValidateCustom_Thing_Value(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue *string) field.ErrorList { return nil }\n";
    let doc =
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-nolint\n// +k8s:validation-gen-input=example.com/q";
    let found = findings(doc, &[("q/types.go", types), ("p/custom.go", function)]);
    assert!(
        found.iter().all(|finding| finding.severity != Severity::Error),
        "{found:#?}"
    );
}

#[test]
fn without_validation_gen_errors_are_warnings() {
    let types =
        "package q\n\ntype Thing struct {\n\t// +k8s:maxLength=3\n\tValue int32 `json:\"value\"`\n}\n";
    let found = findings("", &[("q/types.go", types)]);
    let messages: Vec<_> = found
        .iter()
        .map(|finding| (finding.severity, finding.message.as_str()))
        .collect();
    let text = "tag \"k8s:maxLength\": can only be used on string types (int32)";
    assert_eq!(messages, [(Severity::Warning, text)]);
}
