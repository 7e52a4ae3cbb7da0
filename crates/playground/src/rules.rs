//! The CEL rules of the object's kind: type, estimated cost, and the value of each on the object.

use kindsmith::cel::{Subject as Node, compile};
use kindsmith_cel::cost::limit::STATIC_PER_EXPRESSION;
use kindsmith_cel::eval::Scratch;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::validation_rule::Purpose;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::GroupVersion;
use kindsmith_schema::{JsonSchema, ValidationRule};

use crate::api::Api;
use crate::document::Document;
use crate::response::{Evaluation, Place, Rule};
use crate::review::Subject;

/// All rules, in the order of the schema; `None` if the object's kind has no CRD.
pub(crate) fn rules(api: &Api, subject: &Subject<'_>) -> Option<Vec<Rule>> {
    let arena = Arena::new();
    let (api_version, kind) = subject.object.identity();
    let found = api.kinds.crds().of_object(api_version, kind)?;
    let schema = found.schema().ok()?;
    let definitions = api.definitions(&arena);
    let place = Typed::find(definitions.typed(), api_version, kind);
    let mut all = Vec::new();
    walk(&schema, &mut Vec::new(), &mut |steps, node| {
        if node.validations.is_empty() {
            return;
        }
        let pointer = pointer(steps);
        let Ok(node_of_rules) = Node::new(&schema, &pointer) else {
            return;
        };
        let new = node_of_rules.effective(&arena, subject.object.value);
        let old = subject
            .old
            .as_ref()
            .map(|old| node_of_rules.effective(&arena, old.value));
        for (index, rule) in node.validations.iter().enumerate() {
            let mut shown = one(&node_of_rules, rule, new, old);
            shown.at = dotted(steps);
            shown.place = place.as_ref().and_then(|typed| typed.rule(steps, index));
            all.push(shown);
        }
    });
    Some(all)
}

fn one(node: &Node, rule: &ValidationRule, new: Value<'_>, old: Option<Value<'_>>) -> Rule {
    let optional_old = rule.optional_old_self == Some(true);
    let mut shown = Rule {
        at: String::new(),
        expression: rule.rule.to_string(),
        ty: String::new(),
        error: None,
        estimate: None,
        times: node.cardinality_used,
        share: 0.0,
        evaluations: Vec::new(),
        is_transition: false,
        place: None,
    };
    let compiled = match compile(&rule.rule, &node.declarations, optional_old) {
        Ok(compiled) => compiled,
        Err(failure) => {
            shown.error = Some(failure.detail(Purpose::Rule));
            return shown;
        }
    };
    shown.ty = compiled.ty.to_string().replace("selfTypeN", "self");
    shown.is_transition = compiled.uses_old_self && !optional_old;
    let total = compiled.cost.max.saturating_mul(node.cardinality_used);
    shown.estimate = (compiled.cost.max != u64::MAX).then_some(total);
    shown.share = total as f64 / STATIC_PER_EXPRESSION as f64;
    for occurrence in node.occurrences(new, old) {
        // A rule about changes has nothing to say about a value that is new.
        if shown.is_transition && occurrence.old.is_none() {
            continue;
        }
        let evaluation = node.run(
            &compiled.program,
            Some(&occurrence.new),
            occurrence.old.as_ref(),
            optional_old,
            |value, scratch, cost| Evaluation {
                at: occurrence.path.to_string(),
                value: text(value, scratch),
                cost,
            },
        );
        shown.evaluations.push(evaluation);
    }
    shown
}

/// Rules give booleans; anything else is an error of the evaluation.
fn text(value: Cel<'_>, _: &Scratch) -> String {
    match value {
        Cel::Bool(truth) => truth.to_string(),
        Cel::Error(message) => format!("error: {message}"),
        other => other.type_name().to_owned(),
    }
}

/// A step down a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Down {
    Property(String),
    Items,
    Values,
}

fn walk<'s>(schema: &'s JsonSchema, steps: &mut Vec<Down>, visit: &mut dyn FnMut(&[Down], &'s JsonSchema)) {
    visit(steps, schema);
    let mut below = |step: Down, child: &'s JsonSchema, steps: &mut Vec<Down>| {
        steps.push(step);
        walk(child, steps, visit);
        steps.pop();
    };
    for (name, child) in &schema.properties {
        below(Down::Property(name.to_string()), child, steps);
    }
    if let Some(item) = schema.item() {
        below(Down::Items, item, steps);
    }
    if let Some(values) = schema.additional() {
        below(Down::Values, values, steps);
    }
}

fn pointer(steps: &[Down]) -> String {
    let step = |step: &Down| match step {
        Down::Property(name) => format!("/properties/{}", name.replace('~', "~0").replace('/', "~1")),
        Down::Items => "/items".to_owned(),
        Down::Values => "/additionalProperties".to_owned(),
    };
    steps.iter().map(step).collect()
}

fn dotted(steps: &[Down]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Down::Property(name) if text.is_empty() => text.push_str(name),
            Down::Property(name) => text.push_str(&format!(".{name}")),
            Down::Items | Down::Values => text.push_str("[*]"),
        }
    }
    text
}

/// The version of a CRD as typed.
struct Typed<'d> {
    document: &'d Document<'d>,
    version: usize,
}

impl<'d> Typed<'d> {
    fn find(documents: &'d [Document<'d>], api_version: &str, kind: &str) -> Option<Self> {
        let asked = GroupVersion::parse(api_version).ok()?;
        let document = documents.iter().find(|document| {
            document.value.text(&["spec", "group"]) == asked.group
                && document.value.text(&["spec", "names", "kind"]) == kind
        })?;
        let mut versions = document.value.list(&["spec", "versions"]).iter();
        let version = versions.position(|version| version.text("name") == asked.version)?;
        Some(Self { document, version })
    }

    fn rule(&self, steps: &[Down], index: usize) -> Option<Place> {
        let field = |name: &str| Step::Field(name.into());
        let mut path = PathBuf::from_iter([field("spec"), field("versions"), Step::Index(self.version)]);
        path.extend([field("schema"), field("openAPIV3Schema")]);
        for step in steps {
            match step {
                Down::Property(name) => path.extend([field("properties"), field(name)]),
                Down::Items => path.push(field("items")),
                Down::Values => path.push(field("additionalProperties")),
            }
        }
        path.extend([
            field("x-kubernetes-validations"),
            Step::Index(index),
            field("rule"),
        ]);
        Some(self.document.place(&path))
    }
}
