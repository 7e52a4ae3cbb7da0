//! `LimitRanger`: containers get the defaults of the LimitRanges of their namespace; containers, pods and claims stay within
//! their bounds (plugin/pkg/admission/limitranger/admission.go).

use kindsmith_builtin::amounts::{Amounts, containers, of_pod};
use kindsmith_json::{Object, Value};
use kindsmith_request::{AdmissionOperation, aggregate};

use super::{Refusal, Review, each};

const ANNOTATION: &str = "kubernetes.io/limit-ranger";
/// Up to here, amounts are compared by thousandths.
const MOST_MILLI: i64 = i64::MAX / 1000;

/// What a write is judged as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Pod,
    Claim,
}

/// New pods, resized pods and all writes of claims; what is being deleted stays as it is.
fn subject(review: &Review<'_, '_>) -> Option<Subject> {
    let request = review.request;
    let is_going = request
        .old
        .is_some_and(|old| old.lookup(&["metadata", "deletionTimestamp"]).is_some());
    if is_going || !request.group.is_empty() {
        return None;
    }
    match (request.resource, request.subresource, request.operation) {
        ("pods", "", AdmissionOperation::Create) | ("pods", "resize", AdmissionOperation::Update) => {
            Some(Subject::Pod)
        }
        ("persistentvolumeclaims", "", _) => Some(Subject::Claim),
        _ => None,
    }
}

/// The limits of all LimitRanges of the namespace, one list for each.
fn ranges<'a>(review: &Review<'_, 'a>) -> Vec<&'a [Value<'a>]> {
    let ranges = review.all("", "limitranges");
    ranges
        .iter()
        .map(|range| range.list(&["spec", "limits"]))
        .collect()
}

/// Sets what containers leave out.
pub(crate) fn mutate<'a>(review: &Review<'_, 'a>, pod: Value<'a>) -> Result<Value<'a>, Refusal> {
    let mut pod = pod;
    if subject(review) != Some(Subject::Pod) {
        return Ok(pod);
    }
    for limits in ranges(review) {
        pod = with_defaults(review, pod, limits);
    }
    Ok(pod)
}

fn with_defaults<'a>(review: &Review<'_, 'a>, pod: Value<'a>, limits: &[Value<'a>]) -> Value<'a> {
    let of_containers = limits.iter().filter(|limit| limit.text("type") == "Container");
    let mut defaults = [Object::EMPTY; 2];
    for limit in of_containers {
        for (all, key) in defaults.iter_mut().zip(["defaultRequest", "default"]) {
            let given = limit.get(key).and_then(Value::as_object).unwrap_or_default();
            for (name, amount) in given {
                all.insert(review.arena, name, amount);
            }
        }
    }
    let (mut pod, mut set) = (pod, Vec::new());
    for (list, called) in [("containers", "container"), ("initContainers", "init container")] {
        each(review.arena, &mut pod, &["spec", list], |container| {
            filled(review, container, defaults, called, &mut set)
        });
    }
    if !set.is_empty() {
        let note = format!("LimitRanger plugin set: {}", set.join("; "));
        let path = ["metadata", "annotations", ANNOTATION];
        pod.set(review.arena, &path, Value::Str(review.arena.alloc_str(&note)));
    }
    pod
}

/// A container with defaults for what it leaves out; notes what was set.
fn filled<'a>(
    review: &Review<'_, 'a>,
    container: Value<'a>,
    defaults: [Object<'a>; 2],
    called: &str,
    set: &mut Vec<String>,
) -> Value<'a> {
    let mut container = container;
    for (defaults, (key, word)) in defaults
        .into_iter()
        .zip([("requests", "request"), ("limits", "limit")])
    {
        let own = container
            .lookup(&["resources", key])
            .and_then(Value::as_object)
            .unwrap_or_default();
        let mut names = Vec::new();
        for (name, amount) in defaults.iter().filter(|(name, _)| !own.contains_key(name)) {
            container.set(review.arena, &["resources", key, name], amount);
            names.push(name);
        }
        if !names.is_empty() {
            names.sort_unstable();
            let container = container.text("name");
            set.push(format!("{} {word} for {called} {container}", names.join(", ")));
        }
    }
    container
}

/// Refuses what is out of bounds, by the first LimitRange that says so.
pub(crate) fn validate<'a>(review: &Review<'_, 'a>, object: Value<'a>) -> Result<(), Refusal> {
    let Some(subject) = subject(review) else {
        return Ok(());
    };
    for limits in ranges(review) {
        let problems: Vec<String> = limits
            .iter()
            .flat_map(|limit| problems(*limit, subject, object))
            .collect();
        if !problems.is_empty() {
            return Err(Refusal::Forbidden(aggregate(problems)));
        }
    }
    Ok(())
}

/// The object that a limit is for.
struct Holder {
    requests: Amounts,
    limits: Amounts,
}

impl Holder {
    fn of(holder: Value<'_>) -> Holder {
        Holder {
            requests: Amounts::of(holder.lookup(&["resources", "requests"])),
            limits: Amounts::of(holder.lookup(&["resources", "limits"])),
        }
    }
}

fn problems(limit: Value<'_>, subject: Subject, object: Value<'_>) -> Vec<String> {
    let kind = limit.text("type");
    let holders: Vec<Holder> = match (subject, kind) {
        (Subject::Pod, "Container") => containers(object).map(Holder::of).collect(),
        (Subject::Pod, "Pod") => {
            let whole = |part| of_pod(object, part, |name| matches!(name, "cpu" | "memory"));
            vec![Holder {
                requests: whole("requests"),
                limits: whole("limits"),
            }]
        }
        (Subject::Claim, "PersistentVolumeClaim") => vec![Holder {
            requests: Amounts::of(object.lookup(&["spec", "resources", "requests"])),
            limits: Amounts::default(),
        }],
        _ => return Vec::new(),
    };
    let mut problems = Vec::new();
    for holder in &holders {
        for (key, check) in CHECKS {
            let bounds = Amounts::of(limit.get(key));
            let found = bounds.0.iter().filter_map(|(name, bound)| {
                check(&Bound {
                    kind,
                    name,
                    bound,
                    holder,
                    is_claim: subject == Subject::Claim,
                })
            });
            problems.extend(found);
        }
    }
    problems
}

/// One bound of a limit, and who is bounded by it.
struct Bound<'b> {
    kind: &'b str,
    name: &'b str,
    bound: &'b kindsmith_formats::quantity::Quantity,
    holder: &'b Holder,
    is_claim: bool,
}

type Check = fn(&Bound<'_>) -> Option<String>;

const CHECKS: [(&str, Check); 3] = [
    ("min", too_little),
    ("max", too_much),
    ("maxLimitRequestRatio", too_far_apart),
];

impl Bound<'_> {
    /// Request, limit and bound as comparable numbers; what is absent is 0.
    fn numbers(&self) -> [i64; 3] {
        let amounts = [
            self.holder.requests.get(self.name),
            self.holder.limits.get(self.name),
            Some(self.bound),
        ];
        let whole = amounts.map(|amount| amount.map_or(0, |amount| amount.value()));
        if whole.iter().all(|number| *number <= MOST_MILLI) {
            amounts.map(|amount| amount.map_or(0, |amount| amount.milli_value()))
        } else {
            whole
        }
    }

    fn usage(&self, word: &str) -> String {
        format!("{word} {} usage per {} is {}", self.name, self.kind, self.bound)
    }
}

fn too_little(bound: &Bound<'_>) -> Option<String> {
    let [request, limit, least] = bound.numbers();
    let usage = bound.usage("minimum");
    let Some(requested) = bound.holder.requests.get(bound.name) else {
        return Some(format!("{usage}.  No request is specified"));
    };
    if request < least {
        return Some(format!("{usage}, but request is {requested}"));
    }
    let limited = bound.holder.limits.get(bound.name)?;
    (limit < least).then(|| format!("{usage}, but limit is {limited}"))
}

fn too_much(bound: &Bound<'_>) -> Option<String> {
    let [request, limit, most] = bound.numbers();
    let usage = bound.usage("maximum");
    let requested = bound.holder.requests.get(bound.name);
    if bound.is_claim && requested.is_none() {
        return Some(format!("{usage}.  No request is specified"));
    }
    if !bound.is_claim {
        let Some(limited) = bound.holder.limits.get(bound.name) else {
            return Some(format!("{usage}.  No limit is specified"));
        };
        if limit > most {
            return Some(format!("{usage}, but limit is {limited}"));
        }
    }
    let requested = requested?;
    (request > most).then(|| format!("{usage}, but request is {requested}"))
}

#[expect(clippy::cast_precision_loss, reason = "Kubernetes divides floats, too")]
fn too_far_apart(bound: &Bound<'_>) -> Option<String> {
    let [request, limit, _] = bound.numbers();
    let ratio = format!(
        "{} max limit to request ratio per {} is {}",
        bound.name, bound.kind, bound.bound
    );
    if request == 0 {
        return Some(format!("{ratio}, but no request is specified or request is 0"));
    }
    if limit == 0 {
        return Some(format!("{ratio}, but no limit is specified or limit is 0"));
    }
    let given = limit as f64 / request as f64;
    let is_too_far = match bound.bound.value() {
        whole if whole > MOST_MILLI => given > whole as f64,
        _ => given * 1000.0 > bound.bound.milli_value() as f64,
    };
    is_too_far.then(|| format!("{ratio}, but provided ratio is {given:.6}"))
}
