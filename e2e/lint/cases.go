package main

// A case is one directory of kube-api-linter's test data, with the settings that its own test uses.
type testCase struct {
	linter   string
	dir      string
	settings string
}

const whenRequired = "preference = \"WhenRequired\"\n"

var cases = []testCase{
	{"arrayofstruct", "a", ""},
	{"commentstart", "a", ""},
	{"conditions", "a", "useProtobuf = \"SuggestFix\"\nusePatchStrategy = \"SuggestFix\"\n"},
	{"conditions", "b", "isFirstField = \"Ignore\"\nuseProtobuf = \"SuggestFix\"\nusePatchStrategy = \"SuggestFix\"\n"},
	{"conditions", "c", "useProtobuf = \"Ignore\"\nusePatchStrategy = \"SuggestFix\"\n"},
	{"conditions", "d", "useProtobuf = \"Forbid\"\nusePatchStrategy = \"SuggestFix\"\n"},
	{"conditions", "e", "useProtobuf = \"SuggestFix\"\nusePatchStrategy = \"Ignore\"\n"},
	{"conditions", "f", "useProtobuf = \"SuggestFix\"\nusePatchStrategy = \"Forbid\"\n"},
	{"conflictingmarkers", "a", `
conflicts = [
  { name = "test_conflict", sets = [["marker1", "marker2"], ["marker3", "marker4"]], description = "x" },
  { name = "three_way_conflict", sets = [["marker5", "marker6"], ["marker7", "marker8"], ["marker9", "marker10"]] },
]
`},
	{"conflictingmarkers", "b", `
conflicts = [
  { name = "atomic", sets = [["listType=atomic"], ["k8s:listType=set", "k8s:listType=map"]] },
  { name = "set", sets = [["listType=set"], ["k8s:listType=atomic", "k8s:listType=map"]] },
  { name = "map", sets = [["listType=map"], ["k8s:listType=atomic", "k8s:listType=set"]] },
]
`},
	{"defaultorrequired", "a", ""},
	{"defaults", "a", ""},
	{"defaults", "b", "preferredDefaultMarker = \"kubebuilder:default\"\n"},
	{"defaults", "c", "omitzero = \"Forbid\"\n"},
	{"defaults", "d", "omitempty = \"Warn\"\n"},
	{"defaults", "e", "omitempty = \"Ignore\"\n"},
	{"defaults", "f", "omitzero = \"Warn\"\n"},
	{"dependenttags", "a", `
rules = [
  { identifier = "k8s:unionMember", type = "All", dependsOn = ["k8s:optional"] },
  { identifier = "listType", type = "All", dependsOn = ["k8s:listType"] },
  { identifier = "example:any", type = "Any", dependsOn = ["dep1", "dep2"] },
  { identifier = "listType=map", type = "All", dependsOn = ["listMapKey"] },
]
`},
	{"duplicatemarkers", "a", ""},
	{"forbiddenmarkers", "a", `
markers = [
  { identifier = "custom:forbidden" },
  { identifier = "custom:AttrNoValues", ruleSets = [{ attributes = [{ name = "fruit" }] }] },
  { identifier = "custom:AttrValues", ruleSets = [{ attributes = [{ name = "fruit", values = ["apple", "orange", "banana"] }] }] },
  { identifier = "custom:AttrsNoValues", ruleSets = [{ attributes = [{ name = "fruit" }, { name = "color" }] }] },
  { identifier = "custom:AttrsValues", ruleSets = [{ attributes = [
    { name = "fruit", values = ["apple", "orange", "banana"] },
    { name = "color", values = ["red", "blue", "green"] },
  ] }] },
  { identifier = "custom:MultiRuleSet", ruleSets = [
    { attributes = [{ name = "fruit", values = ["banana"] }] },
    { attributes = [{ name = "fruit", values = ["apple"] }, { name = "color", values = ["blue", "green"] }] },
    { attributes = [{ name = "fruit", values = ["orange"] }, { name = "color", values = ["blue", "green", "red"] }] },
  ] },
]
`},
	{"integers", "a", ""},
	{"jsontags", "a", ""},
	{"jsontags", "b", "jsonTagRegex = \"^[a-z][a-z]*(?:[A-Z][a-z0-9]+)*[a-z0-9]?$\"\n"},
	{"jsontags", "c", ""},
	{"jsontags", "d", "fieldNameMatch = \"Warn\"\n"},
	{"jsontags", "e", "fieldNameMatch = \"Warn\"\n"},
	{"maxlength", "a", ""},
	{"minlength", "a", ""},
	{"namingconventions", "a", `
conventions = [
  { name = "nofruit", violationMatcher = "(?i)fruit", operation = "Drop", message = "no fruit" },
  { name = "preferbehaviour", violationMatcher = "(?i)behavior", operation = "Replacement", replacement = "Behaviour", message = "x" },
  { name = "nounsupported", violationMatcher = "(?i)unsupported", operation = "DropField", message = "x" },
  { name = "notest", violationMatcher = "(?i)test", operation = "Inform", message = "x" },
]
`},
	{"nobools", "a", ""},
	{"nodurations", "a", ""},
	{"nofloats", "a", ""},
	{"nomaps", "a", ""},
	{"nomaps", "b", "policy = \"Enforce\"\n"},
	{"nomaps", "c", ""},
	{"nomaps", "d", "policy = \"Ignore\"\n"},
	{"nonpointerstructs", "a", ""},
	{"nonullable", "a", ""},
	{"nophase", "a", ""},
	{"noreferences", "a", ""},
	{"noreferences", "b", "policy = \"NoReferences\"\n"},
	{"notimestamp", "a", ""},
	{"optionalfields", "a", "preference = \"Always\"\n"},
	{"optionalfields", "b", whenRequired + "omitzero = \"Forbid\"\n"},
	{"optionalfields", "c", whenRequired + "omitempty = \"Ignore\"\nomitzero = \"Forbid\"\n"},
	{"optionalfields", "d", whenRequired},
	{"optionalorrequired", "a", ""},
	{"optionalorrequired", "b", "preferredOptionalMarker = \"kubebuilder:validation:Optional\"\npreferredRequiredMarker = \"kubebuilder:validation:Required\"\n"},
	{"optionalorrequired", "c", ""},
	{"preferredmarkers", "a", `
markers = [
  { preferredIdentifier = "k8s:optional", equivalentIdentifiers = [{ identifier = "kubebuilder:validation:Optional" }, { identifier = "custom:optional" }] },
  { preferredIdentifier = "k8s:required", equivalentIdentifiers = [{ identifier = "kubebuilder:validation:Required" }] },
  { preferredIdentifier = "custom:preferred", equivalentIdentifiers = [{ identifier = "custom:old" }, { identifier = "custom:deprecated" }] },
]
`},
	{"preferredmarkers", "b", `
markers = [{ preferredIdentifier = "k8s:optional", equivalentIdentifiers = [{ identifier = "kubebuilder:validation:Optional" }], message = "x" }]
`},
	{"requiredfields", "a", ""},
	{"requiredfields", "b", "omitempty = \"Ignore\"\n"},
	{"ssatags", "a", ""},
	{"ssatags", "b", "listTypeSetUsage = \"Ignore\"\n"},
	{"statusoptional", "a", ""},
	{"statusoptional", "b", "preferredOptionalMarker = \"kubebuilder:validation:Optional\"\n"},
	{"statusoptional", "c", "preferredOptionalMarker = \"k8s:optional\"\n"},
	{"statussubresource", "a", ""},
	{"uniquemarkers", "a", ""},
	{"uniquemarkers", "b", `
customMarkers = [
  { identifier = "custom:SomeCustomMarker" },
  { identifier = "custom:OtherMarker", attributes = ["attribute"] },
  { identifier = "custom:MultiMarker", attributes = ["fruit", "color", "country"] },
  { identifier = "k8s:maxLength" },
  { identifier = "k8s:uniqueMarkerArguments", attributes = ["fruit"] },
  { identifier = "k8s:uniqueMarkerUnnamedArguments", attributes = [""] },
]
`},
}
