//! The service `default/kubernetes` with its endpoints (pkg/controlplane/controller/kubernetesservice and
//! pkg/controlplane/reconcilers). Endpoints follow the address of the server that started last.

use std::net::SocketAddr;

use kindsmith_object::store_key;
use kindsmith_store::{Error, Store};

use super::{Existing, put};
use crate::Environment;
use crate::environment::{self, Random};
use crate::options::Host;

/// The service, as `namespace/name`.
pub(crate) const NAME: &str = "default/kubernetes";

/// Creates the service with endpoints at this server and an address of the first range; nothing for a server without an
/// address.
pub(super) fn create(
    store: &dyn Store,
    environment: &dyn Environment,
    (host, ranges): (&Host, &[String]),
    endpoints: Existing,
) -> Result<(), Error> {
    let Some(endpoint) = host.endpoint else {
        return Ok(());
    };
    let made = Made {
        environment,
        endpoint,
    };
    if let Some(address) = ranges.first().and_then(|range| first_address(range)) {
        let key = format!("{}{NAME}", store_key::SERVICES);
        put(store, &key, Existing::Keep, || made.service(&address))?;
    }
    let key = format!("{}{NAME}", store_key::ENDPOINTS);
    put(store, &key, endpoints, || made.endpoints())?;
    let key = format!("{}{NAME}", store_key::ENDPOINT_SLICES);
    put(store, &key, endpoints, || made.slice())
}

/// The first address of a range that services can have.
fn first_address(range: &str) -> Option<String> {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    let (base, bits) = range.split_once('/')?;
    let bits: u32 = bits.parse().ok()?;
    let first = match base.parse().ok()? {
        IpAddr::V4(base) => {
            let mask = u32::MAX.checked_shl(32_u32.checked_sub(bits)?).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits((base.to_bits() & mask) + 1))
        }
        IpAddr::V6(base) => {
            let mask = u128::MAX.checked_shl(128_u32.checked_sub(bits)?).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits((base.to_bits() & mask) + 1))
        }
    };
    Some(first.to_string())
}

/// The fields that kube-apiserver manages in each of the objects.
const SERVICE_FIELDS: &str = r#"{"f:metadata":{"f:labels":{".":{},"f:component":{},"f:provider":{}}},"f:spec":{"f:clusterIP":{},
"f:internalTrafficPolicy":{},"f:ipFamilyPolicy":{},"f:ports":{".":{},"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{},"f:name":{},
"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:sessionAffinity":{},"f:type":{}}}"#;
const ENDPOINTS_FIELDS: &str =
    r#"{"f:metadata":{"f:labels":{".":{},"f:endpointslice.kubernetes.io/skip-mirror":{}}},"f:subsets":{}}"#;
const SLICE_FIELDS: &str = r#"{"f:addressType":{},"f:endpoints":{},"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/service-name":{}}},
"f:ports":{}}"#;

struct Made<'e> {
    environment: &'e dyn Environment,
    endpoint: SocketAddr,
}

impl Made<'_> {
    fn metadata(&self, generation: &str, labels: &str, (api_version, fields): (&str, &str)) -> String {
        let (uid, now) = (Random(self.environment).uid(), environment::now(self.environment));
        format!(
            r#""metadata":{{"name":"kubernetes","namespace":"default","uid":"{uid}",{generation}"creationTimestamp":"{now}",
            "labels":{{{labels}}},
            "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"{api_version}","time":"{now}",
            "fieldsType":"FieldsV1","fieldsV1":{fields}}}]}}"#
        )
    }

    fn family(&self, address: &str) -> &'static str {
        if address.contains(':') { "IPv6" } else { "IPv4" }
    }

    fn service(&self, address: &str) -> String {
        let labels = r#""component":"apiserver","provider":"kubernetes""#;
        let metadata = self.metadata("", labels, ("v1", SERVICE_FIELDS));
        let (family, port) = (self.family(address), self.endpoint.port());
        format!(
            r#"{{"kind":"Service","apiVersion":"v1",{metadata},"spec":{{"ports":[{{"name":"https","protocol":"TCP",
            "port":443,"targetPort":{port}}}],"clusterIP":"{address}","clusterIPs":["{address}"],"type":"ClusterIP",
            "sessionAffinity":"None","ipFamilies":["{family}"],"ipFamilyPolicy":"SingleStack",
            "internalTrafficPolicy":"Cluster"}},"status":{{"loadBalancer":{{}}}}}}"#
        )
    }

    fn endpoints(&self) -> String {
        let labels = r#""endpointslice.kubernetes.io/skip-mirror":"true""#;
        let metadata = self.metadata("", labels, ("v1", ENDPOINTS_FIELDS));
        let (address, port) = (self.endpoint.ip(), self.endpoint.port());
        format!(
            r#"{{"kind":"Endpoints","apiVersion":"v1",{metadata},"subsets":[{{"addresses":[{{"ip":"{address}"}}],
            "ports":[{{"name":"https","port":{port},"protocol":"TCP"}}]}}]}}"#
        )
    }

    fn slice(&self) -> String {
        let metadata = self.metadata(
            r#""generation":1,"#,
            r#""kubernetes.io/service-name":"kubernetes""#,
            ("discovery.k8s.io/v1", SLICE_FIELDS),
        );
        let (address, port) = (self.endpoint.ip().to_string(), self.endpoint.port());
        let family = self.family(&address);
        format!(
            r#"{{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1",{metadata},"addressType":"{family}",
            "endpoints":[{{"addresses":["{address}"],"conditions":{{"ready":true}}}}],
            "ports":[{{"name":"https","protocol":"TCP","port":{port}}}]}}"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::first_address;

    #[test]
    fn the_service_has_the_first_address_of_the_range() {
        for (range, expected) in [
            ("10.0.0.0/24", Some("10.0.0.1")),
            ("10.96.7.0/12", Some("10.96.0.1")),
            ("fd00::/108", Some("fd00::1")),
            ("10.0.0.0/40", None),
            ("x", None),
        ] {
            assert_eq!(first_address(range).as_deref(), expected, "{range}");
        }
    }
}
