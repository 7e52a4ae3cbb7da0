//! Types that use each tag, alone and together. As in real APIs, zero values are left out.

/// Go sources; the root is always `T`.
pub(crate) const FIXTURES: &[(&str, &str)] = &[
    (
        "limits",
        r#"
type T struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:minLength=2
	// +k8s:maxBytes=4
	Note *string `json:"note,omitempty"`
	// +k8s:minimum=1
	// +k8s:neq=7
	Size int32 `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:maximum=2
	Rank *int64 `json:"rank,omitempty"`
	// +k8s:forbidden
	Legacy string `json:"legacy,omitempty"`
	// +k8s:optional
	// +k8s:minItems=2
	// +k8s:maxItems=2
	// +k8s:eachVal=+k8s:format=k8s-short-name
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:minProperties=1
	// +k8s:maxProperties=2
	// +k8s:eachKey=+k8s:maxLength=1
	// +k8s:eachVal=+k8s:neq="abc"
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	Kind Kind `json:"kind,omitempty"`
	// +k8s:maxItems=2
	Bytes []byte `json:"bytes,omitempty"`
}

// +k8s:enum
type Kind string

const (
	KindA Kind = "a"
	KindB Kind = "ab"
	// +k8s:enumExclude
	KindC Kind = "abc"
)
"#,
    ),
    (
        "change",
        r#"
type T struct {
	// +k8s:immutable
	Id string `json:"id,omitempty"`
	// +k8s:immutable
	// +k8s:optional
	Ref *int32 `json:"ref,omitempty"`
	// +k8s:immutable
	Tags []string `json:"tags,omitempty"`
	// +k8s:update=NoSet
	Survey string `json:"survey,omitempty"`
	// +k8s:update=NoUnset
	// +k8s:update=NoModify
	Deed *string `json:"deed,omitempty"`
	// +k8s:update=NoModify
	Box Box `json:"box"`
	// +k8s:monotonic
	Count int64 `json:"count,omitempty"`
	// +k8s:optional
	// +k8s:monotonic
	Peak *int32 `json:"peak,omitempty"`
	Seal Seal `json:"seal,omitempty"`
	// +k8s:optional
	SealRef *Seal `json:"sealRef,omitempty"`
	// +k8s:optional
	Deep *Deep `json:"deep,omitempty"`
}

type Box struct {
	Side int32 `json:"side,omitempty"`
	Lid *string `json:"lid,omitempty"`
}

// +k8s:immutable
type Seal string

type Deep struct {
	// +k8s:update=NoSet
	Set *string `json:"set,omitempty"`
	// +k8s:immutable
	Fixed int32 `json:"fixed,omitempty"`
	// +k8s:update=NoAddItem
	Keys map[string]string `json:"keys,omitempty"`
}
"#,
    ),
    (
        "elements",
        r#"
type T struct {
	// +k8s:listType=set
	// +k8s:update=NoAddItem
	Herbs []string `json:"herbs,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:update=NoRemoveItem
	// +k8s:eachVal=+k8s:update=NoModify
	Crops []Crop `json:"crops,omitempty"`
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:update=NoAddItem
	Paths []Crop `json:"paths,omitempty"`
	// +k8s:listType=atomic
	// +k8s:unique=set
	Stones []int32 `json:"stones,omitempty"`
	// +k8s:eachVal=+k8s:immutable
	Plain []string `json:"plain,omitempty"`
	// +k8s:eachVal=+k8s:immutable
	Values map[string]string `json:"values,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Fixed []Fixed `json:"fixed,omitempty"`
	// +k8s:listType=atomic
	Atomic []Fixed `json:"atomic,omitempty"`
	// +k8s:listType=atomic
	Outer []Outer `json:"outer,omitempty"`
}

type Crop struct {
	Name string `json:"name"`
	Count int32 `json:"count,omitempty"`
}

type Fixed struct {
	Name string `json:"name"`
	// +k8s:immutable
	Size int32 `json:"size,omitempty"`
}

type Outer struct {
	// +k8s:listType=set
	Set []Fixed `json:"set,omitempty"`
}
"#,
    ),
    (
        "groups",
        r#"
type T struct {
	// +k8s:unionMember
	// +k8s:optional
	A *string `json:"a,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	B *int32 `json:"b,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	C string `json:"c,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	D []string `json:"d,omitempty"`
	Pay Pay `json:"pay"`
	// +k8s:dependentRequired("f")
	E string `json:"e,omitempty"`
	// +k8s:optional
	// +k8s:dependentForbidden("g")
	F string `json:"f,omitempty"`
	// +k8s:optional
	G bool `json:"g,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "a")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "b")=+k8s:zeroOrOneOfMember
	Tasks []Task `json:"tasks,omitempty"`
}

type Pay struct {
	// +k8s:unionDiscriminator
	Kind string `json:"kind,omitempty"`
	// +k8s:unionMember(memberName: "a")
	// +k8s:optional
	Card *string `json:"card,omitempty"`
	// +k8s:unionMember(memberName: "b")
	// +k8s:optional
	Cash *string `json:"cash,omitempty"`
}

type Task struct {
	Type string `json:"type"`
}
"#,
    ),
    (
        "items",
        r#"
type T struct {
	// +k8s:listType=map
	// +k8s:listMapKey=role
	// +k8s:item(role: "a")=+k8s:subfield(actor)=+k8s:required
	// +k8s:item(role: "a")=+k8s:subfield(lines)=+k8s:minimum=2
	// +k8s:item(role: "b")=+k8s:immutable
	// +k8s:item(role: "ab")=+k8s:update=NoModify
	// +k8s:item(role: "abc")=+k8s:subfield(lines)=+k8s:update=NoModify
	// +k8s:item(role: "abc")=+k8s:subfield(tags)=+k8s:eachVal=+k8s:maxLength=2
	Cast []Part `json:"cast,omitempty"`
	// +k8s:subfield(parts)=+k8s:listType=map
	// +k8s:subfield(parts)=+k8s:listMapKey=role
	// +k8s:subfield(parts)=+k8s:item(role: "a")=+k8s:immutable
	// +k8s:subfield(parts)=+k8s:maxItems=2
	// +k8s:subfield(names)=+k8s:eachKey=+k8s:minLength=2
	Annex Annex `json:"annex"`
}

type Part struct {
	Role string `json:"role"`
	Actor string `json:"actor,omitempty"`
	Lines int32 `json:"lines,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

type Annex struct {
	Parts []Part `json:"parts,omitempty"`
	Names map[string]string `json:"names,omitempty"`
}
"#,
    ),
    (
        "modes",
        r#"
type T struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`
	// +k8s:ifMode("a")=+k8s:required
	// +k8s:ifMode("b")=+k8s:optional
	// +k8s:ifMode("b")=+k8s:minLength=2
	Text string `json:"text,omitempty"`
	// +k8s:ifMode("a")=+k8s:maximum=2
	// +k8s:ifMode("ab")=+k8s:immutable
	Number *int32 `json:"number,omitempty"`
	// +k8s:modeDiscriminator(modality: "G")
	On bool `json:"on,omitempty"`
	// +k8s:ifMode(modality: "G", mode: "true")=+k8s:minItems=2
	List []string `json:"list,omitempty"`
}
"#,
    ),
    (
        "embedded",
        r#"
type T struct {
	// +k8s:subfield(shift)=+k8s:minimum=1
	// +k8s:immutable
	Keeper `json:",inline"`
	// +k8s:optional
	*Health `json:",inline"`
	// +k8s:maxLength=2
	Door string `json:"door,omitempty"`
}

type Keeper struct {
	Shift int32 `json:"shift,omitempty"`
	Badge *string `json:"badge,omitempty"`
}

type Health struct {
	// +k8s:minimum=1
	Weight int32 `json:"weight,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=1
	Shots []string `json:"shots,omitempty"`
}
"#,
    ),
    (
        "options",
        r#"
type T struct {
	// +k8s:ifEnabled(On)=+k8s:required
	// +k8s:ifEnabled(Off)=+k8s:maxLength=1
	Name string `json:"name,omitempty"`
	// +k8s:eachVal=+k8s:ifEnabled(On)=+k8s:minLength=2
	// +k8s:ifDisabled(Off)=+k8s:maxItems=2
	List []string `json:"list,omitempty"`
	// +k8s:ifDisabled(Off)=+k8s:update=NoModify
	// +k8s:ifEnabled(Off)=+k8s:update=NoUnset
	Deed string `json:"deed,omitempty"`
	// +k8s:optional
	Sign Sign `json:"sign,omitempty"`
	// +k8s:alpha=+k8s:maxLength=1
	// +k8s:beta=+k8s:maxLength=2
	Level string `json:"level,omitempty"`
}

// +k8s:enum
type Sign string

const (
	SignA Sign = "a"
	// +k8s:ifEnabled(On)=+k8s:enumExclude
	SignB Sign = "b"
	// +k8s:ifDisabled(On)=+k8s:enumExclude
	SignC Sign = "ab"
)
"#,
    ),
    (
        "bounds by members",
        r#"
type T struct {
	// +k8s:minimum(constraint: "low")
	High int32 `json:"high,omitempty"`
	// +k8s:optional
	Low *int32 `json:"low,omitempty"`
	// +k8s:maximum(constraint: "box.top")
	Level *int64 `json:"level,omitempty"`
	// +k8s:eachVal=+k8s:maximum(constraint: "box.top")
	Levels []int64 `json:"levels,omitempty"`
	Box Box `json:"box"`
}

type Box struct {
	Top int64 `json:"top,omitempty"`
}
"#,
    ),
    (
        "named types",
        r#"
type T struct {
	// +k8s:optional
	Names Names `json:"names,omitempty"`
	// +k8s:optional
	// +k8s:update=NoRemoveItem
	Parts Parts `json:"parts,omitempty"`
	// +k8s:optional
	Prices Prices `json:"prices,omitempty"`
	// +k8s:optional
	Frozen Frozen `json:"frozen,omitempty"`
	// +k8s:optional
	Seals map[Key]Seal `json:"seals,omitempty"`
	// +k8s:listType=atomic
	Codes []Seal `json:"codes,omitempty"`
	Count Count `json:"count,omitempty"`
}

// +k8s:listType=set
// +k8s:maxItems=2
// +k8s:eachVal=+k8s:minLength=2
type Names []string

// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "a")=+k8s:immutable
// +k8s:item(name: "b")=+k8s:subfield(size)=+k8s:maximum=2
type Parts []Part

type Part struct {
	Name string `json:"name"`
	// +k8s:optional
	Size int32 `json:"size,omitempty"`
}

// +k8s:eachKey=+k8s:maxLength=1
// +k8s:eachVal=+k8s:neq=7
type Prices map[string]int32

// +k8s:immutable
type Frozen []string

// +k8s:neq="ab"
type Key string

// +k8s:immutable
// +k8s:maxLength=2
type Seal string

// +k8s:monotonic
type Count int64
"#,
    ),
    (
        "nested",
        r#"
type T struct {
	// +k8s:optional
	ByName map[string]Outer `json:"byName,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=a
	// +k8s:listMapKey=b
	// +k8s:item(a: "a", b: 1)=+k8s:subfield(inner)=+k8s:required
	Keyed []Outer `json:"keyed,omitempty"`
	// +k8s:optional
	Ref *Outer `json:"ref,omitempty"`
	// +k8s:listType=set
	Set []Inner `json:"set,omitempty"`
}

type Outer struct {
	A string `json:"a"`
	B int32 `json:"b"`
	// +k8s:optional
	Inner *Inner `json:"inner,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(size)=+k8s:update=NoModify
	Inners []Inner `json:"inners,omitempty"`
}

type Inner struct {
	Name string `json:"name"`
	// +k8s:maximum=3
	Size int32 `json:"size,omitempty"`
	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	Note *string `json:"note,omitempty"`
}
"#,
    ),
    (
        "members of members",
        r#"
type T struct {
	// +k8s:subfield(a)=+k8s:unionMember
	// +k8s:subfield(b)=+k8s:unionMember
	// +k8s:subfield(c)=+k8s:immutable
	// +k8s:subfield(d)=+k8s:monotonic
	// +k8s:subfield(list)=+k8s:eachVal=+k8s:immutable
	// +k8s:subfield(list)=+k8s:maxItems=2
	Box Box `json:"box"`
	// +k8s:optional
	// +k8s:subfield(c)=+k8s:required
	// +k8s:subfield(d)=+k8s:forbidden
	// +k8s:subfield(list)=+k8s:minItems=2
	Ref *Box `json:"ref,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=c
	// +k8s:eachVal=+k8s:subfield(d)=+k8s:maximum=3
	// +k8s:eachVal=+k8s:subfield(list)=+k8s:eachVal=+k8s:maxLength=2
	Boxes []Box `json:"boxes,omitempty"`
}

type Box struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C string `json:"c,omitempty"`
	D int32 `json:"d,omitempty"`
	List []string `json:"list,omitempty"`
}
"#,
    ),
    (
        "formats",
        r#"
type T struct {
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Short string `json:"short,omitempty"`
	// +k8s:optional
	// +k8s:format=k8s-label-key
	Key *string `json:"key,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-short-name
	Shorts map[string]string `json:"shorts,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-long-name
	Longs map[string]string `json:"longs,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:format=k8s-extended-resource-name
	Resources []string `json:"resources,omitempty"`
}
"#,
    ),
    (
        "virtual groups",
        r#"
// +k8s:union(union: target)
type T struct {
	Left *Side `json:"left,omitempty"`
	// +k8s:memberOf(group: target)
	Plain string `json:"plain,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=3
	// +k8s:listType=map
	// +k8s:listMapKey=k
	// +k8s:listMapItem(k: "a")=+k8s:memberOf(group: target)
	Items []Item `json:"items,omitempty"`
}

type Side struct {
	// +k8s:optional
	// +k8s:memberOf(group: target)
	Name *string `json:"name,omitempty"`
}

type Item struct {
	K string `json:"k"`
}
"#,
    ),
    (
        "protected items",
        r#"
type T struct {
	// +k8s:optional
	// +k8s:maxItems=3
	// +k8s:listType=map
	// +k8s:listMapKey=k
	// +k8s:item(k: "a")=+k8s:update=NoModify,NoRemoveItem
	// +k8s:item(k: "b")=+k8s:update=NoSet
	// +k8s:item(k: "ab")=+k8s:update=NoClear
	Items []Item `json:"items,omitempty"`
}

type Item struct {
	K string `json:"k"`
	// +k8s:optional
	V string `json:"v,omitempty"`
}
"#,
    ),
    (
        "proposed formats",
        r#"
type T struct {
	// +k8s:optional
	// +k8s:format=dns-label
	Label string `json:"label,omitempty"`
	// +k8s:optional
	// +k8s:format=ip
	Address *string `json:"address,omitempty"`
	// +k8s:optional
	// +k8s:format=k8s-ip
	Other string `json:"other,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:format=ip
	Addresses []string `json:"addresses,omitempty"`
}
"#,
    ),
    (
        "bounds below",
        r#"
type T struct {
	Base `json:",inline"`
	Top int32 `json:"top,omitempty"`
	// +k8s:minimum(constraint: floor)
	Value int32 `json:"value,omitempty"`
	// +k8s:optional
	// +k8s:subfield(size)=+k8s:maximum(constraint: top)
	Part *Part `json:"part,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=3
	// +k8s:listType=map
	// +k8s:listMapKey=k
	// +k8s:item(k: "a")=+k8s:subfield(size)=+k8s:maximum(constraint: top)
	Items []Part `json:"items,omitempty"`
}

type Base struct {
	Floor int32 `json:"floor,omitempty"`
}

type Part struct {
	K string `json:"k"`
	Size int32 `json:"size,omitempty"`
}
"#,
    ),
    (
        "bounds of targets",
        r#"
// +k8s:minimum(target: value, constraint: low)
// +k8s:maximum(target: part.size, constraint: top)
type T struct {
	Low int32 `json:"low,omitempty"`
	Value int32 `json:"value,omitempty"`
	// +k8s:optional
	Top *int64 `json:"top,omitempty"`
	// +k8s:optional
	Part *Part `json:"part,omitempty"`
}

type Part struct {
	Size int32 `json:"size,omitempty"`
}
"#,
    ),
];
