//! Requests that could take more work or memory than their size allows.

use std::fmt::Write as _;

pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const GADGETS: &str = "/apis/example.com/v1/namespaces/default/gadgets";
pub(crate) const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const SECRETS: &str = "/api/v1/namespaces/default/secrets";

pub(crate) const JSON: &str = "application/json";
const YAML: &str = "application/yaml";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const PATCHES: &str = "application/json-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// A request.
pub(crate) struct Step {
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) media: &'static str,
    pub(crate) body: Vec<u8>,
}

fn step(
    method: &'static str,
    target: impl Into<String>,
    media: &'static str,
    body: impl Into<Vec<u8>>,
) -> Step {
    Step {
        method,
        target: target.into(),
        media,
        body: body.into(),
    }
}

/// A field of a message with a length.
fn field(number: u64, content: &[u8]) -> Vec<u8> {
    fn varint(mut number: u64, out: &mut Vec<u8>) {
        while number > 0x7f {
            out.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
            number >>= 7;
        }
        out.push(u8::try_from(number).expect("seven bits"));
    }
    let mut out = Vec::new();
    varint(number << 3 | 2, &mut out);
    varint(content.len() as u64, &mut out);
    out.extend_from_slice(content);
    out
}

/// The metadata of an object named `a`.
fn named() -> Vec<u8> {
    field(1, &field(1, b"a"))
}

/// Creates an object, sent as protobuf.
fn message(target: &str, kind: &str, object: &[u8]) -> Step {
    let ty = field(1, &[field(1, b"v1"), field(2, kind.as_bytes())].concat());
    let body = [b"k8s\0".to_vec(), ty, field(2, object)].concat();
    step("POST", target, "application/vnd.kubernetes.protobuf", body)
}

/// `n` members, made from their numbers.
pub(crate) fn members(n: usize, member: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..n {
        let comma = if number == 0 { "" } else { "," };
        write!(text, "{comma}{}", member(number)).expect("strings take text");
    }
    text
}

fn gadget(spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{{"name":"a"}},"spec":{{{spec}}}}}"#
    )
}

pub(crate) fn map(data: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a"}},{data}}}"#)
}

pub(crate) fn pair(number: usize) -> String {
    format!(r#""k{number}":"v""#)
}

fn null(number: usize) -> String {
    format!(r#""k{number}":null"#)
}

/// A map with `n` entries, and then what is done to it.
fn on_map(n: usize, media: &'static str, body: String) -> Vec<Step> {
    let data = format!(r#""data":{{{}}}"#, members(n, pair));
    vec![
        step("POST", MAPS, JSON, map(&data)),
        step("PATCH", format!("{MAPS}/a?fieldManager=other"), media, body),
    ]
}

/// A custom resource with `n` entries, and then what is done to it.
fn on_gadget(n: usize, media: &'static str, body: String) -> Vec<Step> {
    vec![
        step("POST", GADGETS, JSON, gadget(&members(n, pair))),
        step("PATCH", format!("{GADGETS}/a?fieldManager=other"), media, body),
    ]
}

/// An applied custom resource with `n` entries, applied again with none of them.
fn applied_empty(n: usize) -> Vec<Step> {
    let target = format!("{GADGETS}/a?fieldManager=me");
    vec![
        step("PATCH", target.clone(), APPLY, gadget(&members(n, pair))),
        step("PATCH", target, APPLY, gadget(r#""z":"z""#)),
    ]
}

fn owners(n: usize) -> Vec<Step> {
    let owners = members(n, |number| {
        format!(r#"{{"apiVersion":"v1","kind":"Pod","name":"p{number}","uid":"{number}"}}"#)
    });
    let body = format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a","ownerReferences":[{owners}]}}}}"#
    );
    vec![step("POST", MAPS, JSON, body)]
}

/// What is sent; the last step is measured.
pub(crate) type Case = (&'static str, fn(usize) -> Vec<Step>);

/// A Pod with `n` containers of which nothing is said.
fn pod(n: usize, media: &'static str) -> Vec<Step> {
    let containers = members(n, |_| "{}".to_owned());
    let body = format!(
        r#"{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "a"}}, "spec": {{"containers": [{containers}]}}}}"#
    );
    vec![step("POST", "/api/v1/namespaces/default/pods", media, body)]
}

/// A Deployment, which no plugin refuses before it is validated.
fn deployment(n: usize) -> Vec<Step> {
    let containers = members(n, |_| "{}".to_owned());
    let body = format!(
        r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"a"}},"spec":{{"template":{{"spec":
        {{"containers":[{containers}]}}}}}}}}"#
    );
    vec![step(
        "POST",
        "/apis/apps/v1/namespaces/default/deployments",
        JSON,
        body,
    )]
}

/// A string that aliases repeat. A longer one would make the object grow faster than the body, up to its own limit.
fn aliases(n: usize) -> Vec<Step> {
    let repeated = members(n, |_| "*x".to_owned());
    let text = "y".repeat(100);
    let body =
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\nx: &x {text}\nz: [{repeated}]\n");
    vec![step("POST", MAPS, YAML, body)]
}

/// Items of which nothing is said.
pub(crate) const EMPTY: [Case; 4] = [
    ("empty containers in protobuf", |n| {
        let containers = field(2, b"").repeat(n);
        vec![message(
            "/api/v1/namespaces/default/pods",
            "Pod",
            &[named(), field(2, &containers)].concat(),
        )]
    }),
    ("empty containers", |n| pod(n, JSON)),
    ("empty containers in YAML", |n| pod(n, YAML)),
    ("empty containers of a template", deployment),
];

pub(crate) const CASES: [Case; 21] = [
    ("aliases", aliases),
    ("a strategic patch that orders what is not there", |n| {
        let order = members(n, |number| format!(r#""{number}""#));
        let patch = format!(r#"{{"metadata":{{"$setElementOrder/finalizers":[{order}]}}}}"#);
        on_map(10, STRATEGIC, patch)
    }),
    ("many keys", |n| {
        vec![step(
            "POST",
            MAPS,
            JSON,
            map(&format!(r#""data":{{{}}}"#, members(n, pair))),
        )]
    }),
    ("a key repeated", |n| {
        let data = members(n, |_| r#""k":"v""#.to_owned());
        vec![step("POST", MAPS, JSON, map(&format!(r#""data":{{{data}}}"#)))]
    }),
    ("an object repeated, with another key each time", |n| {
        let data = members(n, |number| format!(r#""data":{{"k{number}":"v"}}"#));
        vec![step("POST", MAPS, JSON, map(&data))]
    }),
    ("many keys, one of them twice", |n| {
        let data = format!(r#""data":{{{},"k0":"w"}}"#, members(n, pair));
        vec![step("POST", MAPS, JSON, map(&data))]
    }),
    ("a secret of strings", |n| {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"a"}},"stringData":{{{}}}}}"#,
            members(n, pair)
        );
        vec![step("POST", SECRETS, JSON, body)]
    }),
    ("unknown fields", |n| {
        vec![step("POST", MAPS, JSON, map(&members(n, pair)))]
    }),
    ("nulls", |n| {
        vec![step(
            "POST",
            MAPS,
            JSON,
            map(&format!(r#""data":{{{}}}"#, members(n, null))),
        )]
    }),
    ("owners", owners),
    ("a custom resource with many keys", |n| {
        vec![step("POST", GADGETS, JSON, gadget(&members(n, pair)))]
    }),
    ("a custom resource with a long list", |n| {
        let list = members(n, |number| format!(r#"{{"name":"{number}"}}"#));
        vec![step(
            "POST",
            GADGETS,
            JSON,
            gadget(&format!(r#""list":[{list}]"#)),
        )]
    }),
    ("a custom resource with repeated keys", |n| {
        vec![step(
            "POST",
            GADGETS,
            JSON,
            gadget(&members(n, |_| r#""k":1"#.to_owned())),
        )]
    }),
    ("a merge patch that removes all", |n| {
        on_map(n, MERGE, format!(r#"{{"data":{{{}}}}}"#, members(n, null)))
    }),
    ("a strategic patch that removes all", |n| {
        on_map(n, STRATEGIC, format!(r#"{{"data":{{{}}}}}"#, members(n, null)))
    }),
    ("a patch of a custom resource that removes all", |n| {
        on_gadget(n, MERGE, format!(r#"{{"spec":{{{}}}}}"#, members(n, null)))
    }),
    ("a JSON patch that removes one by one", |n| {
        let operations = members(n, |number| {
            format!(r#"{{"op":"remove","path":"/spec/k{number}"}}"#)
        });
        on_gadget(n, PATCHES, format!("[{operations}]"))
    }),
    ("apply of many keys", |n| {
        on_gadget(n, APPLY, gadget(&members(n, |k| format!(r#""j{k}":"v""#))))
    }),
    ("apply that lets go of all", applied_empty),
    ("many keys in protobuf", |n| {
        let pair = |number: usize| {
            field(
                2,
                &[field(1, format!("k{number}").as_bytes()), field(2, b"v")].concat(),
            )
        };
        let data: Vec<u8> = (0..n).flat_map(pair).collect();
        vec![message(MAPS, "ConfigMap", &[named(), data].concat())]
    }),
    ("unknown fields in protobuf", |n| {
        vec![message(
            MAPS,
            "ConfigMap",
            &[named(), field(900, b"x").repeat(n)].concat(),
        )]
    }),
];

/// A definition of another kind, with properties and columns.
fn definition(name: usize, properties: &str, columns: &str) -> Step {
    let body = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
        "metadata":{{"name":"wide{name}s.wide.org"}},"spec":{{"group":"wide.org","scope":"Namespaced",
        "names":{{"plural":"wide{name}s","singular":"wide{name}","kind":"Wide{name}"}},"versions":[{{"name":"v1",
        "served":true,"storage":true,"additionalPrinterColumns":[{columns}],"schema":{{"openAPIV3Schema":
        {{"type":"object","properties":{{"spec":{{"type":"object","properties":{{{properties}}}}}}}}}}}}}]}}}}"#
    );
    step("POST", DEFINITIONS, JSON, body)
}

fn property(number: usize) -> String {
    format!(r#""p{number}":{{"type":"string","description":"The property {number}."}}"#)
}

fn wide(name: usize, spec: &str) -> Step {
    let body = format!(
        r#"{{"apiVersion":"wide.org/v1","kind":"Wide0","metadata":{{"name":"a{name}"}},"spec":{{{spec}}}}}"#
    );
    step("POST", WIDES, JSON, body)
}

const WIDES: &str = "/apis/wide.org/v1/namespaces/default/wide0s";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// A list as a table; the last step is measured.
fn table(columns: &str, objects: usize, spec: &str) -> Vec<Step> {
    let mut steps = vec![definition(0, &members(10, property), columns)];
    steps.extend((0..objects).map(|name| wide(name, spec)));
    steps.push(step("GET", WIDES, TABLE, String::new()));
    steps
}

fn column(path: &str, number: usize) -> String {
    format!(r#"{{"name":"c{number}","type":"string","jsonPath":"{path}"}}"#)
}

/// A document about `n` properties of one kind, or about many kinds.
pub(crate) fn document(target: &str, n: usize, kinds: usize) -> Vec<Step> {
    let properties = members(n, property);
    let mut steps: Vec<Step> = (0..kinds).map(|name| definition(name, &properties, "")).collect();
    steps.push(step("GET", target, JSON, String::new()));
    steps
}

pub(crate) const V3: &str = "/openapi/v3/apis/wide.org/v1";
pub(crate) const V2: &str = "/openapi/v2";

/// Cases with a smaller number, because their preparation takes longer.
pub(crate) const READS: [Case; 9] = [
    ("a definition with many properties", |n| {
        vec![definition(0, &members(n, property), "")]
    }),
    ("a definition with many columns", |n| {
        vec![definition(0, "", &members(n, |number| column(".spec", number)))]
    }),
    ("OpenAPI v3 of many properties", |n| document(V3, n, 1)),
    ("OpenAPI v3 of many kinds", |n| document(V3, 20, n / 10)),
    ("OpenAPI v2 of many properties", |n| document(V2, n, 1)),
    ("OpenAPI v2 of many kinds", |n| document(V2, 20, n / 10)),
    ("a table with many columns", |n| {
        table(&members(n, |number| column(".spec.p0", number)), 3, r#""p0":"x""#)
    }),
    ("a table with many rows", |n| {
        table(&column(".spec.p0", 0), n, r#""p0":"x""#)
    }),
    ("a table of columns that search everything", |n| {
        let spec = members(10, |number| format!(r#""p{number}":"{number}""#));
        table(&members(n, |number| column("..p9", number)), 3, &spec)
    }),
];
