//! Addresses and ports for services (pkg/registry/core/service/storage/alloc.go). What is free is asked of the pools.

use std::net::IpAddr;

use kindsmith_gostd::cidr;
use kindsmith_json::{ArrayEdit, Path, Value};
use kindsmith_object::BadValue;
use kindsmith_request::{Pool, Pools};

use super::addresses::{Addresses, family_of, parse, wrong_policy};
use super::update;
use crate::field::Errors;
use crate::field_check::{invalid, invalid_text, items, number, text, truth};
use crate::{DecodedObject, Preparation, Refusal};

const SPEC: Path<'static> = Path::root("spec");
const ALLOCATED: &str = "provided port is already allocated";

/// Fills in what a service needs: families, addresses, ports.
pub(super) fn allocate<'a>(
    preparation: &Preparation<'_, 'a>,
    service: &mut DecodedObject<'a>,
) -> Result<(), Refusal> {
    let arena = preparation.arena;
    if let Some(old) = preparation.old {
        update::keep_allocated(arena, service, old);
    }
    let old = preparation.old.map(|old| Addresses::of(old, preparation.release));
    let mut addresses = Addresses::of(service, preparation.release);
    join(&mut addresses, old.as_ref());
    let grant = Grant {
        preparation,
        pools: preparation.pools,
    };
    let is_settled = old.as_ref().is_some_and(|old| is_settled(&addresses, old));
    if !is_settled {
        grant.settle_families(&mut addresses, old.as_ref())?;
        grant.give_addresses(&mut addresses, old.as_ref())?;
    }
    addresses.write(arena, service);
    grant.give_ports(service)?;
    grant.give_health_port(service)
}

/// Makes one of the address and the list of addresses.
fn join<'a>(new: &mut Addresses<'a>, old: Option<&Addresses<'a>>) {
    let Some(old) = old else {
        if !new.ip.is_empty() && new.ips.is_empty() {
            new.ips = vec![new.ip];
        }
        return;
    };
    if new.ips.is_empty() && old.ip == new.ip {
        new.ips.clone_from(&old.ips);
    }
    if old.ip != new.ip && old.ips == new.ips {
        new.ips = match new.ip {
            "" => Vec::new(),
            ip => vec![ip],
        };
    }
}

/// A service that prefers two families and changes neither addresses nor families needs nothing.
fn is_settled(new: &Addresses<'_>, old: &Addresses<'_>) -> bool {
    let prefers = |policy: Option<&str>| policy == Some("PreferDualStack");
    prefers(new.policy)
        && (prefers(old.policy) || old.policy.is_none())
        && new.kind == old.kind
        && matches!(new.kind, "ClusterIP" | "NodePort" | "LoadBalancer")
        && new.has_same_ips(old)
        && new.families == old.families
}

struct Grant<'p, 'a> {
    preparation: &'p Preparation<'p, 'a>,
    pools: &'p dyn Pools,
}

impl<'a> Grant<'_, 'a> {
    /// The range of a family, if there is one.
    fn range(&self, family: &str) -> Option<&str> {
        let ranges = self.pools.address_ranges().iter().copied();
        ranges.into_iter().find(|range| {
            let (network, _) = range.split_once('/').unwrap_or((range, ""));
            family_of(network) == family
        })
    }

    fn default_family(&self) -> &'static str {
        match self.pools.address_ranges().first() {
            Some(range) => family_of(range.split('/').next().unwrap_or_default()),
            None => "IPv4",
        }
    }

    fn settle_families(&self, new: &mut Addresses<'a>, old: Option<&Addresses<'a>>) -> Result<(), Refusal> {
        if new.is_external() {
            return Ok(());
        }
        if new.policy.is_none() {
            let before = old.and_then(|old| old.policy);
            new.policy = before.or(Some(if new.is_open() {
                "RequireDualStack"
            } else {
                "SingleStack"
            }));
        }
        let mut errors = Errors::new();
        new.check(old, &mut errors);
        refuse(errors)?;
        refuse(self.match_policy(new, old))?;
        if new.is_open() {
            self.open_families(new);
            return Ok(());
        }
        refuse(self.check_configured(new))?;
        if new.families.is_empty() {
            new.families = vec![self.default_family()];
        }
        let wants_both = new.policy != Some("SingleStack") && self.pools.address_ranges().len() > 1;
        if wants_both && let [family] = &*new.families {
            new.families.push(other(family));
        }
        Ok(())
    }

    /// Brings addresses and families in line with the policy.
    fn match_policy(&self, new: &mut Addresses<'a>, old: Option<&Addresses<'a>>) -> Errors {
        let mut errors = Errors::new();
        let is_single = new.policy == Some("SingleStack");
        if let Some(old) = old {
            let is_same = (new.has_same_ips(old), new.families == old.families);
            if is_single && is_same.0 {
                new.ips.truncate(1);
            }
            if is_single && is_same.1 {
                new.families.truncate(1);
            }
            if !is_single && new.ips.len() == 1 && old.ips.len() == 2 {
                let detail = "must be 'SingleStack' to release the secondary cluster IP";
                errors.push(wrong_policy(new.policy, detail));
            }
            if !is_single && new.families.len() == 1 && old.families.len() == 2 {
                let detail = "must be 'SingleStack' to release the secondary IP family";
                errors.push(wrong_policy(new.policy, detail));
            }
        }
        for (count, what) in [
            (new.ips.len(), "cluster IPs"),
            (new.families.len(), "IP families"),
        ] {
            if is_single && count == 2 {
                let detail = format!(
                    "must be 'RequireDualStack' or 'PreferDualStack' when multiple {what} are specified"
                );
                errors.push(wrong_policy(new.policy, &detail));
            }
        }
        for index in 0..new.ips.len() {
            let family = family_of(new.ips[index]);
            if new.ips[index] == "None" {
                break;
            }
            if index < new.families.len() {
                continue;
            }
            if self.range(family).is_some() {
                new.families.push(family);
            } else {
                let path = SPEC.child("clusterIPs");
                let detail = format!("{family} is not configured on this cluster");
                errors.push(invalid(&path.index(index), new.ips_shown(), detail));
            }
        }
        errors
    }

    /// Services without a selector may have families that the cluster has not.
    fn open_families(&self, new: &mut Addresses<'a>) {
        if new.families.is_empty() {
            new.families = vec![self.default_family()];
        }
        if new.policy != Some("SingleStack")
            && let [family] = &*new.families
        {
            new.families.push(other(family));
        }
    }

    fn check_configured(&self, new: &Addresses<'a>) -> Errors {
        let mut errors = Errors::new();
        if new.policy == Some("RequireDualStack") && self.pools.address_ranges().len() < 2 {
            let detail = "this cluster is not configured for dual-stack services";
            errors.push(wrong_policy(new.policy, detail));
        }
        let path = SPEC.child("ipFamilies");
        for (index, family) in new.families.iter().enumerate() {
            if self.range(family).is_none() {
                let detail = "not configured on this cluster";
                errors.push(invalid_text(&path.index(index), family, detail));
            }
        }
        errors
    }

    fn give_addresses(&self, new: &mut Addresses<'a>, old: Option<&Addresses<'a>>) -> Result<(), Refusal> {
        if new.is_external() || new.is_headless() {
            return Ok(());
        }
        let old = old.filter(|old| !old.is_external());
        if old.is_some_and(Addresses::is_headless) {
            return Ok(());
        }
        // An update gets an address for a second family only.
        let first = match old {
            None => 0,
            Some(old) if old.families.len() == 1 && new.families.len() == 2 => 1,
            Some(_) => return Ok(()),
        };
        for index in first..new.families.len() {
            if index < new.ips.len() {
                self.take(new.ips[index], new)?;
                continue;
            }
            let address = self.free_address(new.families[index], new)?;
            new.ips.push(self.preparation.arena.alloc_str(&address));
        }
        new.ip = new.ips.first().copied().unwrap_or_default();
        Ok(())
    }

    /// Checks that an address is free.
    fn take(&self, address: &str, new: &Addresses<'a>) -> Result<(), Refusal> {
        let Some(parsed) = parse(address) else {
            return Err(Refusal::Internal(format!(
                "failed to parse service IP {address:?}"
            )));
        };
        if !self.pools.has_fixed_ranges() {
            return Ok(());
        }
        let range = self.range(family_of(address)).unwrap_or_default();
        let problem = match (Span::of(range), self.preparation.is_dry_run) {
            (Some(span), _) if span.contains(parsed) => {
                let is_free = || self.pools.take(Pool::Address, &parsed.to_string());
                if self.preparation.is_dry_run || is_free() {
                    return Ok(());
                }
                "provided IP is already allocated".to_owned()
            }
            (_, true) => format!(
                "the provided IP ({parsed}) is not in the valid range. The range of valid IPs is {range}"
            ),
            (_, false) => "the provided network does not match the current range".to_owned(),
        };
        let detail = format!("failed to allocate IP {address}: {problem}");
        let error = invalid(&SPEC.child("clusterIPs"), new.ips_shown(), detail);
        Err(Refusal::Invalid(vec![error]))
    }

    /// An address that nobody has. Where the search starts follows from the uid.
    fn free_address(&self, family: &str, new: &Addresses<'a>) -> Result<String, Refusal> {
        let name = new.kind;
        let range = self.range(family);
        if self.preparation.is_dry_run {
            // The reference hands out the network's own address.
            let network = range.and_then(|range| range.split('/').next());
            return Ok(network.unwrap_or_default().to_owned());
        }
        let span = range.and_then(Span::of);
        let found = span.and_then(|span| {
            let mut addresses = span.from(seed(self.preparation.uid));
            addresses.find(|address| self.pools.take(Pool::Address, address))
        });
        found.ok_or_else(|| {
            Refusal::Internal(format!(
                "failed to allocate a serviceIP for Service {name:?}: range is full"
            ))
        })
    }

    /// Ports on nodes, for types that have them.
    fn give_ports(&self, service: &mut DecodedObject<'a>) -> Result<(), Refusal> {
        let kind = text(service.get(&["spec", "type"]));
        if !matches!(kind, "NodePort" | "LoadBalancer") {
            return Ok(());
        }
        let gives = kind == "NodePort" || truth(service.get(&["spec", "allocateLoadBalancerNodePorts"]));
        let ports = items(service.get(&["spec", "ports"]));
        let before = self.preparation.old.map(|old| items(old.get(&["spec", "ports"])));
        let before: Vec<i64> = before.unwrap_or_default().iter().map(node_port).collect();
        let mut edit = ArrayEdit::new(self.preparation.arena, ports);
        // Pairs of port and node port.
        let mut given: Vec<(i64, i64)> = Vec::new();
        for (index, port) in ports.iter().enumerate() {
            let (wanted, number) = (node_port(port), number(port.get("port")));
            if wanted == 0 && !gives {
                continue;
            }
            let shared = given.iter().find(|(known, _)| *known == number);
            let shared = shared.filter(|_| self.preparation.old.is_none());
            let requested = ports
                .iter()
                .filter(|other| self.preparation.old.is_none() && self::number(other.get("port")) == number)
                .map(node_port)
                .find(|&requested| requested != 0);
            let chosen = match (wanted, shared, requested) {
                (0, Some(&(_, shared)), _) => shared,
                (0, None, Some(requested)) => requested,
                (0, None, None) => self.free_port(&given)?,
                (wanted, ..) => wanted,
            };
            let is_new = wanted != 0 || requested.is_some();
            let is_given = given.iter().any(|(_, held)| *held == chosen);
            let is_shared = shared.is_some_and(|(_, shared)| *shared == chosen);
            // A new service can have a node port for one port only.
            let is_twice = self.preparation.old.is_none() && is_given && !is_shared;
            let is_held = before.contains(&chosen) || (is_given && !is_twice);
            if is_new && !is_held {
                let problem = if is_twice {
                    Some(ALLOCATED.to_owned())
                } else {
                    self.port_problem(chosen)
                };
                if let Some(problem) = problem {
                    let path = SPEC.child("ports");
                    let path = path.index(index);
                    let bad = BadValue::Integer(chosen.into());
                    let error = invalid(&path.child("nodePort"), bad, problem);
                    return Err(Refusal::Invalid(vec![error]));
                }
            }
            given.push((number, chosen));
            if wanted != chosen {
                let mut port = *port;
                port.set(self.preparation.arena, &["nodePort"], Value::Int(chosen));
                edit.set(index, port);
            }
        }
        if edit.is_changed() {
            let ports = Value::Array(edit.finish());
            service.set(self.preparation.arena, &["spec", "ports"], ports);
        }
        Ok(())
    }

    /// Why a port is not available. A dry run does not look at the range.
    fn port_problem(&self, port: i64) -> Option<String> {
        let (first, last) = self.pools.port_range();
        let is_inside = (i64::from(first)..=i64::from(last)).contains(&port);
        if !is_inside && !self.preparation.is_dry_run {
            return Some(format!(
                "provided port is not in the valid range. The range of valid ports is {first}-{last}"
            ));
        }
        let value = port.to_string();
        let is_taken = if self.preparation.is_dry_run {
            self.pools.is_taken(Pool::NodePort, &value)
        } else {
            !self.pools.take(Pool::NodePort, &value)
        };
        (is_inside && is_taken).then(|| ALLOCATED.to_owned())
    }

    fn free_port(&self, given: &[(i64, i64)]) -> Result<i64, Refusal> {
        if self.preparation.is_dry_run {
            // The reference hands out ports that no service can have.
            let last = given.iter().map(|(_, held)| *held).max();
            return Ok(last.filter(|&last| last > 0).unwrap_or(32768) + 1);
        }
        let (first, last) = self.pools.port_range();
        let (first, last) = (i64::from(first), i64::from(last));
        let size = (last - first + 1).max(1);
        let start = (seed(self.preparation.uid) % size.unsigned_abs()) as i64;
        (0..size)
            .map(|step| first + (start + step) % size)
            .find(|port| {
                let is_given = given.iter().any(|(_, held)| held == port);
                !is_given && self.pools.take(Pool::NodePort, &port.to_string())
            })
            .ok_or_else(|| Refusal::Internal("failed to allocate a nodePort: range is full".to_owned()))
    }

    /// A port for health checks, for load balancers that want local traffic.
    fn give_health_port(&self, service: &mut DecodedObject<'a>) -> Result<(), Refusal> {
        let needs_now = update::needs_health_check(service);
        let needed = self.preparation.old.is_some_and(update::needs_health_check);
        if !needs_now || needed {
            return Ok(());
        }
        let path = ["spec", "healthCheckNodePort"];
        let wanted = number(service.get(&path));
        let ports = items(service.get(&["spec", "ports"]));
        let given: Vec<(i64, i64)> = ports.iter().map(|port| (0, node_port(port))).collect();
        if wanted == 0 {
            let port = self.free_port(&given)?;
            service.set(self.preparation.arena, &path, Value::Int(port));
            return Ok(());
        }
        let is_given = given.iter().any(|(_, held)| *held == wanted);
        let problem = if is_given {
            Some("provided port is already allocated".to_owned())
        } else {
            self.port_problem(wanted)
        };
        match problem {
            None => Ok(()),
            Some(problem) => Err(Refusal::Internal(format!(
                "failed to allocate requested HealthCheck NodePort {wanted}: {problem}"
            ))),
        }
    }
}

fn refuse(errors: Errors) -> Result<(), Refusal> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Invalid(errors))
    }
}

fn node_port(port: &Value<'_>) -> i64 {
    number(port.get("nodePort"))
}

fn other(family: &str) -> &'static str {
    match family {
        "IPv4" => "IPv6",
        _ => "IPv4",
    }
}

/// A number that follows from a uid.
fn seed(uid: &str) -> u64 {
    let digits = uid.bytes().filter_map(|byte| char::from(byte).to_digit(16));
    digits.fold(1_u64, |number, digit| {
        number.wrapping_mul(31).wrapping_add(u64::from(digit))
    })
}

/// The addresses of a range that can be handed out: neither the first nor, of IPv4, the last one.
#[derive(Debug, Clone, Copy)]
struct Span {
    first: u128,
    len: u128,
    is_v6: bool,
}

impl Span {
    fn of(range: &str) -> Option<Span> {
        let prefix = cidr::parse_sloppy(range)?.masked();
        let (base, width, is_v6) = match prefix.ip() {
            IpAddr::V4(address) => (u128::from(u32::from(address)), 32, false),
            IpAddr::V6(address) => (u128::from(address), 128, true),
        };
        // Larger ranges than this are cut, as the reference does.
        let bits = (width - u32::from(prefix.bits())).min(64);
        let unused = if is_v6 { 1 } else { 2 };
        let len = (1_u128 << bits).saturating_sub(unused);
        (len > 0).then_some(Span {
            first: base + 1,
            len,
            is_v6,
        })
    }

    fn contains(&self, address: IpAddr) -> bool {
        let (value, is_v6) = match address {
            IpAddr::V4(address) => (u128::from(u32::from(address)), false),
            IpAddr::V6(address) => (u128::from(address), true),
        };
        is_v6 == self.is_v6 && (self.first..self.first + self.len).contains(&value)
    }

    /// All addresses, from one in the middle on.
    fn from(self, start: u64) -> impl Iterator<Item = String> {
        (0..self.len).map(move |step| {
            let value = self.first + (u128::from(start) + step) % self.len;
            if self.is_v6 {
                IpAddr::V6(value.into()).to_string()
            } else {
                IpAddr::V4(u32::try_from(value).unwrap_or(u32::MAX).into()).to_string()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    fn addresses(range: &str, start: u64) -> Vec<String> {
        Span::of(range)
            .into_iter()
            .flat_map(|span| span.from(start))
            .collect()
    }

    #[test]
    fn the_ends_of_a_range_are_not_handed_out() {
        assert_eq!(addresses("10.0.0.0/30", 0), ["10.0.0.1", "10.0.0.2"]);
        assert_eq!(addresses("10.0.0.0/30", 3), ["10.0.0.2", "10.0.0.1"]);
        assert_eq!(addresses("fd00::/126", 0), ["fd00::1", "fd00::2", "fd00::3"]);
    }

    #[test]
    fn a_range_of_one_address_has_none() {
        assert!(Span::of("10.0.0.1/32").is_none());
        assert!(Span::of("nothing").is_none());
    }
}
