//! One call for many cases: everything as text.

use kindsmith_json::{Arena, Value, to_string, yaml};
use kindsmith_merge::effective::{
    Attribute, Attributes, Declared, Desired, FieldPath, Listing, Method, Strategy, Within, effective, split,
    writes,
};
use kindsmith_schema::{Json, JsonSchema};

/// The annotation of the design.
const DESIGN: &str = "cnrm.cloud.google.com/default-to-gcp-fields";

pub(crate) const SCHEMA: &str = r"
type: object
properties:
  spec:
    type: object
    properties:
      name: {type: string}
      region: {type: string}
      size: {type: integer}
      zone: {type: string, nullable: true}
      level: {type: integer, default: 3}
      lit: {type: boolean}
      ratio: {type: number}
      color: {type: string, enum: [red, blue, green]}
      data: {type: string, format: byte}
      port: {x-kubernetes-int-or-string: true}
      password: {type: string}
      since: {type: string, format: date-time}
      every: {type: string, format: duration}
      memory: {x-kubernetes-int-or-string: true}
      network: {type: string}
      fixed: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}
      founded:
        type: object
        x-kubernetes-validations: [{rule: self == oldSelf}]
        properties:
          by: {type: string}
          code: {type: string}
          opened: {type: object, properties: {day: {type: integer}, night: {type: object, properties: {hour: {type: integer}}}}}
          marks: {type: object, additionalProperties: {type: string}}
          stones:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [id]
            items: {type: object, required: [id], properties: {id: {type: integer}, kind: {type: string}}}
      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      args: {type: array, items: {type: string}}
      rules:
        type: array
        items: {type: object, properties: {match: {type: string}, action: {type: string}, labels: {type: object, additionalProperties: {type: string}}}}
      labels: {type: object, additionalProperties: {type: string}}
      whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
      pools: {type: object, additionalProperties: {type: object, properties: {size: {type: integer}, zones: {type: array, items: {type: string}}}}}
      groups: {type: object, additionalProperties: {type: array, items: {type: string}}}
      total: {type: integer, format: int64}
      counts: {type: array, items: {type: integer}}
      switches: {type: array, items: {type: boolean}}
      ports: {type: array, x-kubernetes-list-type: set, items: {type: integer}}
      matrix: {type: array, items: {type: array, items: {type: string}}}
      limits: {type: object, additionalProperties: {type: integer}}
      shares: {type: object, additionalProperties: {type: number}}
      toggles: {type: object, additionalProperties: {type: boolean}}
      box: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: string}, b: {type: string}}}
      zones:
        type: object
        additionalProperties:
          type: object
          properties:
            steps:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
      routes:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [host, port]
        items:
          type: object
          required: [host, port]
          properties:
            host: {type: string}
            port: {type: integer}
            to: {type: string}
            marks: {type: object, additionalProperties: {type: string}}
            limits: {type: object, properties: {rate: {type: integer}}}
            hops:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [id]
              items: {type: object, required: [id], properties: {id: {type: integer}, note: {type: string}}}
      backup:
        type: object
        properties:
          enabled: {type: boolean}
          start: {type: string}
          keep: {type: object, properties: {count: {type: integer}, unit: {type: string}, window: {type: object, properties: {from: {type: object, properties: {hour: {type: integer}}}}}}}
          times: {type: array, items: {type: string}}
          places: {type: array, x-kubernetes-list-type: set, items: {type: string}}
          marks: {type: object, additionalProperties: {type: string}}
          jobs:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [id]
            items: {type: object, required: [id], properties: {id: {type: integer}, steps: {type: array, items: {type: string}}}}
      policy:
        type: object
        required: [mode]
        properties: {mode: {type: string}, days: {type: integer}, key: {type: string}}
      flags:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}, note: {type: string}}}
      target:
        type: object
        oneOf: [{required: [url]}, {required: [host]}]
        properties: {url: {type: string}, host: {type: string}, note: {type: string}}
      anything: {type: object, x-kubernetes-preserve-unknown-fields: true}
";

pub(crate) fn schema(text: &str) -> JsonSchema {
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).expect("the schema is YAML");
    kindsmith_openapi::schema::read(value)
        .expect("the schema reads")
        .0
}

pub(crate) fn attributes() -> Attributes {
    let mut attributes = Attributes::of_schema(&schema(SCHEMA));
    for (path, attribute) in [
        ("spec.name", Attribute::Identity),
        ("spec.region", Attribute::Immutable),
        ("spec.size", Attribute::GrowsOnly),
        ("spec.password", Attribute::WriteOnly),
        ("spec.memory", Attribute::Quantity),
        ("spec.network", Attribute::Reference),
        ("spec.policy.key", Attribute::WriteOnly),
        ("spec.founded.code", Attribute::WriteOnly),
        ("spec.backup.enabled", Attribute::ZeroIsAbsent),
        ("spec.backup.start", Attribute::IgnoreCase),
    ] {
        attributes.add(path, attribute).expect("the path reads");
    }
    attributes.add_project("42", "park");
    attributes
}

/// A case: YAML flow text for the spec and the live spec, empty for none.
#[derive(Default, Clone, Copy)]
pub(crate) struct Case<'i> {
    pub(crate) spec: &'i str,
    pub(crate) live: &'i str,
    /// The design's annotation.
    pub(crate) paths: &'i str,
    /// Other metadata of the object.
    pub(crate) metadata: &'i str,
    /// Paths that were applied before.
    pub(crate) applied: &'i str,
    pub(crate) resend: &'i str,
    /// Defaults of the kind: path and JSON.
    pub(crate) default: Option<(&'i str, &'i str)>,
    /// The object that the spec must set for the default to count.
    pub(crate) within: &'i str,
    /// Two values of a field that are the same, as a JSON list.
    pub(crate) same: Option<(&'i str, &'i str)>,
    /// A list with the hash that was sent last.
    pub(crate) sent: Option<(&'i str, &'i str)>,
    /// Paths whose live value counts whatever the spec says.
    pub(crate) unmanaged: &'i str,
    pub(crate) ignores_unspecified: bool,
}

impl Case<'_> {
    /// The attributes of all cases, and those of this one.
    fn attributes(&self, arena: &Arena) -> Attributes {
        let mut attributes = attributes();
        if let Some((path, value)) = self.default {
            let mut declared = match value.strip_prefix("from ") {
                Some(from) => Declared {
                    from: FieldPath::parse(from).ok(),
                    ..Json::default().into()
                },
                None => Declared::from(Json::parse(value).expect("the default is JSON")),
            };
            if !self.within.is_empty() {
                declared.within = Within::Object(FieldPath::parse(self.within).expect("the path reads"));
            }
            attributes
                .add(path, Attribute::Default(declared))
                .expect("the path reads");
        }
        if let Some((path, pair)) = self.same {
            let pair = parse(arena, pair).as_array().unwrap_or_default();
            let json = |value: Value<'_>| Json::parse(&to_string(value)).expect("it is JSON");
            attributes
                .add(path, Attribute::Same(json(pair[0]), json(pair[1])))
                .expect("the path reads");
        }
        attributes
    }

    /// The effective spec, followed by all results that are not empty.
    pub(crate) fn result(&self) -> String {
        let arena = Arena::new();
        let spec = parse(&arena, self.spec);
        let mut object = parse(&arena, "{kind: Thing, metadata: {name: one}}");
        if !self.metadata.is_empty() {
            object.set(&arena, &["metadata"], parse(&arena, self.metadata));
        }
        object.set(&arena, &["spec"], spec);
        if !self.paths.is_empty() {
            let paths = Value::Str(arena.alloc_str(self.paths));
            object.set(&arena, &["metadata", "annotations", DESIGN], paths);
        }
        let before = to_string(object);
        let live = (!self.live.is_empty()).then(|| {
            let mut live = parse(&arena, "{}");
            live.set(&arena, &["spec"], parse(&arena, self.live));
            live
        });
        let (schema, attributes) = (schema(SCHEMA), self.attributes(&arena));
        let (listing, bad) = Listing::of_object(object, &schema, &attributes);
        assert_eq!(bad, [], "the paths are good");
        let mut applied = Listing::default();
        for path in split(self.applied) {
            applied.insert(&FieldPath::parse(path).expect("the path reads"));
        }
        let resend: Vec<String> = split(self.resend).into_iter().map(str::to_owned).collect();
        let sent: Vec<(String, String)> = self
            .sent
            .map(|(path, hash)| (path.to_owned(), hash.to_owned()))
            .into_iter()
            .collect();
        let (unmanaged, bad) = Listing::of_paths(split(self.unmanaged), &schema, &attributes);
        assert_eq!(bad, [], "the paths are good");
        let desired = Desired {
            controllers: &["controller"],
            applied: &applied,
            resend: &resend,
            sent: &sent,
            unmanaged: &unmanaged,
            ignores_unspecified: self.ignores_unspecified,
            ..Desired::new(object, &unmanaged)
        };
        let result = effective(&arena, &desired, live, &listing, &schema, &attributes);
        assert_eq!(to_string(object), before, "the object is not touched");
        let mut lines = vec![result.object.get("spec").map(to_string).unwrap_or_default()];
        let mut say = |word: &str, items: Vec<String>| {
            if !items.is_empty() {
                lines.push(format!("{word} {}", items.join(" ")));
            }
        };
        say(
            "kept",
            result
                .kept
                .iter()
                .map(|kept| format!("{}={:?}", kept.path, kept.value))
                .collect(),
        );
        let change = |value: Option<Value<'_>>| value.map_or("-".to_owned(), to_string);
        say(
            "set",
            result
                .set
                .iter()
                .map(|set| format!("{}={}", set.path, change(set.value)))
                .collect(),
        );
        say("released", result.released.clone());
        for (word, notes) in [
            ("ignored", &result.ignored),
            ("refused", &result.refused),
            ("warning", &result.warnings),
        ] {
            for note in notes {
                say(word, vec![format!("{}: {}", note.path, note.reason)]);
            }
        }
        lines.join("\n")
    }
}

pub(crate) fn parse<'a>(arena: &'a Arena, text: &str) -> Value<'a> {
    yaml::parse(arena, arena.alloc_str(text).as_bytes()).expect("the case is YAML")
}

/// The bodies of the requests.
pub(crate) fn bodies(spec: &str, live: &str, method: Method, attributes: &Attributes) -> Vec<String> {
    let arena = Arena::new();
    let (mut object, mut current) = (parse(&arena, "{}"), parse(&arena, "{etag: x1}"));
    object.set(&arena, &["spec"], parse(&arena, spec));
    current.set(&arena, &["spec"], parse(&arena, live));
    let schema = schema(SCHEMA);
    let nothing = Listing::default();
    let desired = Desired::new(object, &nothing);
    let result = effective(
        &arena,
        &desired,
        Some(current),
        &Listing::default(),
        &schema,
        attributes,
    );
    let strategy = Strategy {
        method,
        token: Some(&["etag"]),
    };
    let writes = writes(&arena, &result, current, attributes, &strategy);
    writes.iter().map(|write| to_string(write.body)).collect()
}
