//! Leader election: of several controllers, the holder of the Lease works.

use std::time::Duration;

use kindsmith_gostd::time::{Layout, Time};
use serde_json::json;

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};

/// How long a lease lasts without being renewed.
pub const LASTS: Duration = Duration::from_secs(15);
/// How often to renew or try to acquire it.
pub const EVERY: Duration = Duration::from_secs(5);

/// What to do about a lease.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Create(Json),
    Take(Json),
    Wait,
}

/// Tries once to acquire or renew the lease. `seconds` is the time since 1970.
///
/// # Errors
/// If the cluster does not respond; it is then unknown who holds the lease.
pub async fn hold<C: Cluster>(
    cluster: &C,
    what: &ObjectRef,
    me: &str,
    seconds: i64,
) -> Result<bool, ClusterError> {
    let there = cluster.get(what).await?;
    let result = match step(there.as_ref(), what, me, seconds) {
        Step::Wait => return Ok(false),
        Step::Create(lease) => cluster.create(what, &lease).await,
        Step::Take(patch) => cluster.patch(what, false, &patch).await,
    };
    match result {
        Ok(_) => Ok(true),
        // Another controller acquired it first.
        Err(ClusterError::Conflict(_) | ClusterError::Gone) => Ok(false),
        Err(error) => Err(error),
    }
}

fn step(there: Option<&Json>, what: &ObjectRef, me: &str, seconds: i64) -> Step {
    let now = Time::from_unix(seconds, 0).map(|time| time.utc().format(Layout::Rfc3339));
    // Times of a Lease have microseconds.
    let now = now.unwrap_or_default().replace('Z', ".000000Z");
    let spec = |transitions: i64, acquired: &str| {
        json!({
            "holderIdentity": me, "leaseDurationSeconds": LASTS.as_secs(), "leaseTransitions": transitions,
            "acquireTime": acquired, "renewTime": now,
        })
    };
    let Some(lease) = there else {
        return Step::Create(json!({
            "apiVersion": what.api_version, "kind": what.kind,
            "metadata": { "name": what.name, "namespace": what.namespace }, "spec": spec(0, &now),
        }));
    };
    let held = &lease["spec"];
    let holder = held["holderIdentity"].as_str().unwrap_or_default();
    let transitions = held["leaseTransitions"].as_i64().unwrap_or_default();
    let renewed = held["renewTime"]
        .as_str()
        .and_then(|text| Time::parse(Layout::Rfc3339, text).ok());
    let lasts = held["leaseDurationSeconds"].as_i64().unwrap_or(0);
    let free = holder.is_empty() || renewed.is_none_or(|time| time.unix_seconds() + lasts < seconds);
    let spec = match holder == me {
        true => spec(transitions, held["acquireTime"].as_str().unwrap_or(&now)),
        false if free => spec(transitions + 1, &now),
        false => return Step::Wait,
    };
    let version = &lease["metadata"]["resourceVersion"];
    Step::Take(json!({ "metadata": { "resourceVersion": version }, "spec": spec }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what() -> ObjectRef {
        ObjectRef {
            api_version: "coordination.k8s.io/v1".to_owned(),
            kind: "Lease".to_owned(),
            plural: "leases".to_owned(),
            namespace: "park".to_owned(),
            name: "controller".to_owned(),
        }
    }

    #[test]
    fn a_lease_is_taken_when_it_is_free_and_kept_while_it_is_renewed() {
        let Step::Create(created) = step(None, &what(), "a", 100) else {
            panic!("nobody has it");
        };
        assert_eq!(created["spec"]["renewTime"], "1970-01-01T00:01:40.000000Z");
        assert_eq!(step(Some(&created), &what(), "b", 115), Step::Wait);
        let Step::Take(renewed) = step(Some(&created), &what(), "a", 110) else {
            panic!("it is mine");
        };
        assert_eq!(
            (
                &renewed["spec"]["leaseTransitions"],
                &renewed["spec"]["acquireTime"]
            ),
            (&json!(0), &created["spec"]["acquireTime"])
        );
        let Step::Take(taken) = step(Some(&created), &what(), "b", 116) else {
            panic!("it was not renewed");
        };
        assert_eq!(
            (
                &taken["spec"]["holderIdentity"],
                &taken["spec"]["leaseTransitions"]
            ),
            (&json!("b"), &json!(1))
        );
    }
}
