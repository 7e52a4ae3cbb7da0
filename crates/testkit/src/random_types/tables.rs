//! What random types are made of: kinds of fields with tags to draw from, blocks of fields that belong together, and the
//! types they have.

/// A kind of field: its Go type, tags that come first, tags to draw from, and defaults.
pub(super) struct Field {
    pub(super) ty: &'static str,
    pub(super) always: &'static [&'static str],
    pub(super) some: &'static [&'static str],
    /// Tags that only the KEPs have.
    pub(super) kep: &'static [&'static str],
    pub(super) defaults: &'static [&'static str],
}

/// Fields that belong together.
pub(super) struct Block {
    pub(super) text: &'static str,
    /// Tags of the type.
    pub(super) head: &'static str,
    /// JSON names and Go types.
    pub(super) fields: &'static [(&'static str, &'static str)],
    /// Whether only the KEPs have its tags.
    pub(super) is_kep: bool,
}

pub(super) const PRESENCE: &[&str] = &[
    "",
    "",
    "+k8s:optional",
    "+k8s:optional",
    "+k8s:required",
    "+k8s:forbidden",
];

const NOTHING: Field = Field {
    ty: "",
    always: &[],
    some: &[],
    kep: &[],
    defaults: &[],
};

pub(super) const FIELDS: &[Field] = &[
    Field {
        ty: "string",
        some: &[
            "+k8s:maxLength=2",
            "+k8s:minLength=2",
            "+k8s:maxBytes=2",
            "+k8s:neq=\"ab\"",
            "+k8s:immutable",
            "+k8s:update=NoSet",
            "+k8s:update=NoUnset",
            "+k8s:update=NoModify",
            "+k8s:format=k8s-short-name",
            "+k8s:ifEnabled(On)=+k8s:maxLength=1",
            "+k8s:ifDisabled(Off)=+k8s:required",
        ],
        kep: &["+k8s:format=dns-label", "+k8s:update=NoSet,NoClear"],
        defaults: &["+default=\"ab\"", "+default=\"a\""],
        ..NOTHING
    },
    Field {
        ty: "*string",
        some: &[
            "+k8s:maxLength=2",
            "+k8s:minLength=1",
            "+k8s:immutable",
            "+k8s:update=NoModify",
        ],
        kep: &["+k8s:update=NoModify,NoClear"],
        defaults: &["+default=\"b\""],
        ..NOTHING
    },
    Field {
        ty: "int32",
        some: &[
            "+k8s:minimum=1",
            "+k8s:maximum=2",
            "+k8s:neq=2",
            "+k8s:immutable",
            "+k8s:monotonic",
            "+k8s:ifEnabled(Off)=+k8s:maximum=0",
        ],
        kep: &["+k8s:exclusiveMinimum=1", "+k8s:exclusiveMaximum=2"],
        defaults: &["+default=2"],
        ..NOTHING
    },
    Field {
        ty: "*int64",
        some: &[
            "+k8s:minimum=-1",
            "+k8s:maximum=2",
            "+k8s:immutable",
            "+k8s:update=NoUnset",
        ],
        kep: &["+k8s:exclusiveMaximum=3"],
        defaults: &["+default=1", "+default=0"],
        ..NOTHING
    },
    Field {
        ty: "*bool",
        some: &["+k8s:immutable", "+k8s:update=NoSet"],
        defaults: &["+default=true"],
        ..NOTHING
    },
    Field {
        ty: "Mode",
        some: &["+k8s:immutable", "+k8s:neq=\"a\""],
        defaults: &["+default=\"b\""],
        ..NOTHING
    },
    Field {
        ty: "Word",
        some: &["+k8s:immutable", "+k8s:minLength=2"],
        defaults: &["+default=\"b\""],
        ..NOTHING
    },
    Field {
        ty: "[]string",
        always: &[
            "+k8s:listType=set",
            "+k8s:maxItems=4",
            "+k8s:eachVal=+k8s:maxBytes=9",
        ],
        some: &[
            "+k8s:minItems=1",
            "+k8s:eachVal=+k8s:maxLength=1",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
        kep: &["+k8s:update=NoAddItem,NoRemoveItem"],
        defaults: &["+default=[\"a\",\"b\"]"],
    },
    Field {
        ty: "[]int32",
        always: &["+k8s:listType=atomic", "+k8s:maxItems=2"],
        some: &[
            "+k8s:unique=set",
            "+k8s:eachVal=+k8s:minimum=1",
            "+k8s:eachVal=+k8s:neq=2",
            "+k8s:immutable",
        ],
        defaults: &["+default=[1]"],
        ..NOTHING
    },
    Field {
        ty: "[]Item",
        always: &["+k8s:listType=map", "+k8s:listMapKey=k", "+k8s:maxItems=3"],
        some: &[
            "+k8s:item(k: \"a\")=+k8s:immutable",
            "+k8s:item(k: \"a\")=+k8s:subfield(v)=+k8s:maxLength=1",
            "+k8s:eachVal=+k8s:update=NoModify",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
        kep: &[
            "+k8s:item(k: \"a\")=+k8s:update=NoModify,NoRemoveItem",
            "+k8s:item(k: \"b\")=+k8s:update=NoSet",
            "+k8s:item(k: \"c\")=+k8s:forbidden",
        ],
        defaults: &["+default=[{\"k\":\"a\"}]"],
    },
    Field {
        ty: "[]Inner",
        always: &["+k8s:listType=atomic", "+k8s:maxItems=3"],
        some: &["+k8s:eachVal=+k8s:subfield(i)=+k8s:maximum=1", "+k8s:immutable"],
        ..NOTHING
    },
    Field {
        ty: "map[string]string",
        always: &["+k8s:maxProperties=2", "+k8s:eachVal=+k8s:maxBytes=9"],
        some: &[
            "+k8s:eachKey=+k8s:maxLength=1",
            "+k8s:eachVal=+k8s:neq=\"b\"",
            "+k8s:eachVal=+k8s:update=NoModify",
            "+k8s:eachVal=+k8s:update=NoUnset",
            "+k8s:eachVal=+k8s:immutable",
            "+k8s:immutable",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoRemoveItem",
        ],
        defaults: &["+default={\"a\":\"b\"}"],
        ..NOTHING
    },
    Field {
        ty: "map[string]Inner",
        always: &["+k8s:maxProperties=2"],
        some: &[
            "+k8s:eachVal=+k8s:subfield(i)=+k8s:maximum=1",
            "+k8s:update=NoAddItem",
        ],
        ..NOTHING
    },
    Field {
        ty: "Inner",
        some: &["+k8s:immutable", "+k8s:subfield(i)=+k8s:maximum=1"],
        ..NOTHING
    },
    Field {
        ty: "*Inner",
        some: &[
            "+k8s:immutable",
            "+k8s:update=NoUnset",
            "+k8s:subfield(s)=+k8s:required",
        ],
        defaults: &["+default={\"i\":1}", "+default={}"],
        ..NOTHING
    },
    Field {
        ty: "Filled",
        some: &["+k8s:immutable", "+k8s:subfield(n)=+k8s:maximum=2"],
        ..NOTHING
    },
    Field {
        ty: "*Filled",
        always: &["+k8s:optional"],
        some: &["+k8s:immutable", "+k8s:subfield(n)=+k8s:minimum=1"],
        defaults: &["+default={}", "+default={\"w\":\"b\"}"],
        ..NOTHING
    },
    Field {
        ty: "[]Filled",
        always: &["+k8s:listType=atomic", "+k8s:maxItems=3"],
        some: &["+k8s:eachVal=+k8s:subfield(w)=+k8s:maxLength=1"],
        defaults: &["+default=[{}]"],
        ..NOTHING
    },
    Field {
        ty: "map[string]Filled",
        always: &["+k8s:maxProperties=2"],
        some: &["+k8s:immutable"],
        ..NOTHING
    },
];

/// Fields of types that contain themselves, which no CRD can have.
pub(super) const RECURSIVE: &[Field] = &[
    Field {
        ty: "Tree",
        some: &["+k8s:immutable", "+k8s:subfield(w)=+k8s:maxLength=1"],
        ..NOTHING
    },
    Field {
        ty: "*Tree",
        always: &["+k8s:optional"],
        some: &["+k8s:immutable", "+k8s:update=NoModify"],
        defaults: &["+default={}", "+default={\"n\":{\"w\":\"b\"}}"],
        ..NOTHING
    },
    Field {
        ty: "[]Tree",
        always: &["+k8s:listType=atomic", "+k8s:maxItems=3"],
        some: &["+k8s:eachVal=+k8s:subfield(w)=+k8s:maxLength=1"],
        defaults: &["+default=[{}]"],
        ..NOTHING
    },
    Field {
        ty: "map[string]Tree",
        always: &["+k8s:maxProperties=2"],
        some: &["+k8s:immutable"],
        ..NOTHING
    },
];

pub(super) const BLOCKS: &[Block] = &[
    Block {
        head: "",
        text: "\t// +k8s:unionMember\n\t// +k8s:optional\n\tM *string `json:\"m,omitempty\"`\n\
               \t// +k8s:unionMember\n\t// +k8s:optional\n\tN *int64 `json:\"n,omitempty\"`\n",
        fields: &[("m", "*string"), ("n", "*int64")],
        is_kep: false,
    },
    Block {
        head: "",
        text: "\t// +k8s:unionDiscriminator\n\tM Mode `json:\"m,omitempty\"`\n\
               \t// +k8s:unionMember(memberName: \"a\")\n\t// +k8s:optional\n\tN *string `json:\"n,omitempty\"`\n\
               \t// +k8s:unionMember(memberName: \"b\")\n\t// +k8s:optional\n\tO *string `json:\"o,omitempty\"`\n",
        fields: &[("m", "Mode"), ("n", "*string"), ("o", "*string")],
        is_kep: false,
    },
    Block {
        head: "",
        text: "\t// +k8s:zeroOrOneOfMember\n\t// +k8s:optional\n\tM *string `json:\"m,omitempty\"`\n\
               \t// +k8s:zeroOrOneOfMember\n\t// +k8s:optional\n\tN []string `json:\"n,omitempty\"`\n",
        fields: &[("m", "*string"), ("n", "[]string")],
        is_kep: false,
    },
    Block {
        head: "",
        text: "\t// +k8s:dependentRequired(\"n\")\n\tM string `json:\"m,omitempty\"`\n\
               \t// +k8s:optional\n\t// +k8s:dependentForbidden(\"o\")\n\tN string `json:\"n,omitempty\"`\n\
               \t// +k8s:optional\n\tO *bool `json:\"o,omitempty\"`\n",
        fields: &[("m", "string"), ("n", "string"), ("o", "*bool")],
        is_kep: false,
    },
    Block {
        head: "",
        text: "\t// +k8s:modeDiscriminator\n\tM string `json:\"m,omitempty\"`\n\
               \t// +k8s:ifMode(\"a\")=+k8s:required\n\t// +k8s:ifMode(\"b\")=+k8s:optional\n\
               \t// +k8s:ifMode(\"b\")=+k8s:minLength=2\n\tN string `json:\"n,omitempty\"`\n\
               \t// +k8s:ifMode(\"a\")=+k8s:maximum=2\n\t// +k8s:ifMode(\"ab\")=+k8s:immutable\n\tO *int64 `json:\"o,omitempty\"`\n",
        fields: &[("m", "string"), ("n", "string"), ("o", "*int64")],
        is_kep: false,
    },
    Block {
        head: "",
        text: "\t// +k8s:minimum(constraint: n)\n\tM int32 `json:\"m,omitempty\"`\n\
               \t// +k8s:optional\n\tN *int64 `json:\"n,omitempty\"`\n",
        fields: &[("m", "int32"), ("n", "*int64")],
        is_kep: true,
    },
    Block {
        head: "// +k8s:maximum(target: m, constraint: o)\n",
        text: "\tM int32 `json:\"m,omitempty\"`\n\t// +k8s:optional\n\tO *int64 `json:\"o,omitempty\"`\n",
        fields: &[("m", "int32"), ("o", "*int64")],
        is_kep: true,
    },
    Block {
        head: "// +k8s:union(union: one)\n",
        text: "\t// +k8s:optional\n\t// +k8s:memberOf(group: one)\n\tM *string `json:\"m,omitempty\"`\n\
               \t// +k8s:optional\n\t// +k8s:maxItems=3\n\t// +k8s:listType=map\n\t// +k8s:listMapKey=k\n\
               \t// +k8s:listMapItem(k: \"a\")=+k8s:memberOf(group: one)\n\tN []Item `json:\"n,omitempty\"`\n",
        fields: &[("m", "*string"), ("n", "[]Item")],
        is_kep: true,
    },
];

pub(super) const OTHERS: &str = "
type Item struct {
	// +k8s:maxBytes=9
	K string `json:\"k\"`
	// +k8s:optional
	// +k8s:maxBytes=9
	V string `json:\"v,omitempty\"`
}

type Inner struct {
	// +k8s:optional
	// +k8s:immutable
	// +k8s:maxBytes=9
	S *string `json:\"s,omitempty\"`
	I int32 `json:\"i,omitempty\"`
}

type Filled struct {
	// +default=\"a\"
	// +k8s:maxBytes=9
	W string `json:\"w,omitempty\"`
	// +k8s:optional
	// +default=2
	N *int32 `json:\"n,omitempty\"`
}

type Tree struct {
	// +default=\"a\"
	// +k8s:maxLength=2
	W string `json:\"w,omitempty\"`
	// +k8s:optional
	N *Tree `json:\"n,omitempty\"`
	// +k8s:optional
	// +k8s:listType=atomic
	L []Branch `json:\"l,omitempty\"`
	// +k8s:optional
	M map[string]Branch `json:\"m,omitempty\"`
}

type Branch struct {
	// +k8s:optional
	// +default=2
	// +k8s:maximum=2
	I *int32 `json:\"i,omitempty\"`
	// +k8s:optional
	T *Tree `json:\"t,omitempty\"`
}

// +k8s:maxLength=2
type Word string

// +k8s:enum
type Mode string

const (
	ModeA Mode = \"a\"
	ModeB Mode = \"b\"
	// +k8s:ifDisabled(On)=+k8s:enumExclude
	ModeC Mode = \"ab\"
)
";
