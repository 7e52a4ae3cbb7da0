//! Leader election: of several controllers, the holder of the Lease works.

use std::time::Duration;

use kindsmith_gostd::time::{Layout, Time};
use serde_json::json;

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};

/// How long a lease lasts without being renewed.
pub const LASTS: Duration = Duration::from_secs(15);
/// How long the holder goes on without having renewed it: less than it lasts, so that there are never two.
pub const SURE: Duration = Duration::from_secs(10);
/// How often to renew or try to acquire it.
pub const EVERY: Duration = Duration::from_secs(2);

/// What to do about a lease.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Create(Json),
    Take(Json),
    Wait,
}

/// One of several controllers that want the same lease.
#[derive(Debug)]
pub struct Candidate {
    what: ObjectRef,
    me: String,
    /// The last state of the lease, and when it was first seen. Its own times come from another machine's clock, so a lease is free
    /// only if nobody changed it for its whole duration.
    seen: Option<(Json, Duration)>,
}

impl Candidate {
    /// A candidate for a lease. `me` must differ from that of every other controller.
    #[must_use]
    pub fn new(namespace: &str, name: &str, me: &str) -> Self {
        let what = ObjectRef {
            api_version: "coordination.k8s.io/v1".to_owned(),
            kind: "Lease".to_owned(),
            plural: "leases".to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        };
        Candidate {
            what,
            me: me.to_owned(),
            seen: None,
        }
    }

    /// Tries once to acquire or renew the lease. `now` is the time since 1970, `running` a time that never jumps.
    ///
    /// # Errors
    /// If the cluster does not respond; it is then unknown who holds the lease.
    pub async fn hold<C: Cluster>(
        &mut self,
        cluster: &C,
        now: Duration,
        running: Duration,
    ) -> Result<bool, ClusterError> {
        let there = cluster.get(&self.what).await?;
        let result = match self.step(there.as_ref(), now, running) {
            Step::Wait => return Ok(false),
            Step::Create(lease) => cluster.create(&self.what, &lease).await,
            Step::Take(patch) => cluster.patch(&self.what, false, &patch).await,
        };
        match result {
            Ok(_) => Ok(true),
            // Another controller acquired it first.
            Err(ClusterError::Conflict(_) | ClusterError::Gone) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Gives the lease up, so that another controller need not wait until it expires.
    ///
    /// # Errors
    /// If the cluster does not respond, or somebody else has changed the lease.
    pub async fn give_up<C: Cluster>(&self, cluster: &C) -> Result<(), ClusterError> {
        let Some(lease) = cluster.get(&self.what).await? else {
            return Ok(());
        };
        if lease["spec"]["holderIdentity"] != self.me {
            return Ok(());
        }
        let version = &lease["metadata"]["resourceVersion"];
        let patch = json!({ "metadata": { "resourceVersion": version }, "spec": { "holderIdentity": "" } });
        cluster.patch(&self.what, false, &patch).await.map(drop)
    }

    fn step(&mut self, there: Option<&Json>, now: Duration, running: Duration) -> Step {
        let time = Time::from_unix(i64::try_from(now.as_secs()).unwrap_or_default(), 0);
        let time = time.map(|time| time.utc().format(Layout::Rfc3339));
        // Times of a Lease have microseconds.
        let time = time
            .unwrap_or_default()
            .replace('Z', &format!(".{:06}Z", now.subsec_micros()));
        let spec = |transitions: i64, acquired: &str| {
            json!({
                "holderIdentity": self.me, "leaseDurationSeconds": LASTS.as_secs(), "leaseTransitions": transitions,
                "acquireTime": acquired, "renewTime": time,
            })
        };
        let Some(lease) = there else {
            return Step::Create(json!({
                "apiVersion": self.what.api_version, "kind": self.what.kind,
                "metadata": { "name": self.what.name, "namespace": self.what.namespace }, "spec": spec(0, &time),
            }));
        };
        let held = &lease["spec"];
        let since = match &self.seen {
            Some((seen, since)) if seen == held => *since,
            _ => {
                self.seen = Some((held.clone(), running));
                running
            }
        };
        let holder = held["holderIdentity"].as_str().unwrap_or_default();
        let transitions = held["leaseTransitions"].as_i64().unwrap_or_default();
        let lasts = Duration::from_secs(held["leaseDurationSeconds"].as_u64().unwrap_or_default());
        let spec = match holder == self.me {
            true => spec(transitions, held["acquireTime"].as_str().unwrap_or(&time)),
            false if holder.is_empty() || running.saturating_sub(since) > lasts => {
                spec(transitions + 1, &time)
            }
            false => return Step::Wait,
        };
        let version = &lease["metadata"]["resourceVersion"];
        Step::Take(json!({ "metadata": { "resourceVersion": version }, "spec": spec }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_lease_is_taken_when_it_is_free_and_kept_while_it_is_renewed() {
        let candidate = |me: &str| Candidate::new("park", "controller", me);
        let (mut first, mut second) = (candidate("a"), candidate("b"));
        let Step::Create(created) = first.step(None, at(100), at(0)) else {
            panic!("nobody has it");
        };
        assert_eq!(created["spec"]["renewTime"], "1970-01-01T00:01:40.000000Z");
        // The other one's clock is an hour ahead: that does not matter.
        assert_eq!(second.step(Some(&created), at(3700), at(50)), Step::Wait);
        assert_eq!(second.step(Some(&created), at(3715), at(65)), Step::Wait);
        let Step::Take(renewed) = first.step(Some(&created), at(110), at(10)) else {
            panic!("it is mine");
        };
        assert_eq!(
            (
                &renewed["spec"]["leaseTransitions"],
                &renewed["spec"]["acquireTime"]
            ),
            (&json!(0), &created["spec"]["acquireTime"])
        );
        assert_eq!(second.step(Some(&renewed), at(3716), at(66)), Step::Wait);
        let Step::Take(taken) = second.step(Some(&renewed), at(3732), at(82)) else {
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

    #[test]
    fn a_lease_without_a_holder_is_free_at_once() {
        let free =
            json!({ "spec": { "holderIdentity": "", "leaseDurationSeconds": 15, "leaseTransitions": 4 } });
        let Step::Take(taken) = Candidate::new("park", "controller", "a").step(Some(&free), at(100), at(0))
        else {
            panic!("it is free");
        };
        assert_eq!(taken["spec"]["leaseTransitions"], 5);
    }
}
