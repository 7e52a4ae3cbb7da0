//! The addresses and node ports that services get, as kube-apiserver's flags name them.

use std::net::IpAddr;

use kindsmith_api::Options;

/// Ranges for services.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ServiceArgs {
    /// The ranges of cluster IPs of services, one for each IP family: `10.96.0.0/12`
    #[arg(long, value_name = "CIDR", value_delimiter = ',', value_parser = addresses)]
    service_cluster_ip_range: Vec<String>,
    /// The range of node ports of services: `30000-32767`
    #[arg(long, value_name = "FIRST-LAST", value_parser = ports)]
    service_node_port_range: Option<(u16, u16)>,
}

impl ServiceArgs {
    /// Changes what is given.
    pub(crate) fn set(&self, options: &mut Options) {
        if !self.service_cluster_ip_range.is_empty() {
            options.services.ranges.clone_from(&self.service_cluster_ip_range);
        }
        if let Some(ports) = self.service_node_port_range {
            options.services.node_ports = ports;
        }
    }

    /// The flags with their values.
    pub(crate) fn shown(&self) -> [(&'static str, String); 2] {
        let ports = self.service_node_port_range;
        let ports = ports.map(|(first, last)| format!("{first}-{last}"));
        [
            (
                "service-cluster-ip-range",
                self.service_cluster_ip_range.join(","),
            ),
            ("service-node-port-range", ports.unwrap_or_default()),
        ]
    }
}

/// Reads a range of addresses: `10.96.0.0/12`.
pub(crate) fn addresses(text: &str) -> Result<String, String> {
    let wrong = || "not a range such as 10.0.0.0/24".to_owned();
    let (base, bits) = text.split_once('/').ok_or_else(wrong)?;
    let most = match base.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return Err(wrong()),
    };
    match bits.parse::<u8>() {
        Ok(bits) if bits <= most => Ok(text.to_owned()),
        _ => Err(wrong()),
    }
}

/// Reads a range of ports: `first-last`, or `first+more`.
pub(crate) fn ports(text: &str) -> Result<(u16, u16), String> {
    let number = |text: &str| text.trim().parse::<u16>().ok();
    let read = || {
        let (first, last) = match text.split_once('+') {
            Some((first, more)) => {
                let first = number(first)?;
                (first, first.checked_add(number(more)?)?)
            }
            None => {
                let (first, last) = text.split_once('-')?;
                (number(first)?, number(last)?)
            }
        };
        (first <= last).then_some((first, last))
    };
    read().ok_or_else(|| "not a range such as 30000-32767".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ports() {
        for (text, expected) in [
            ("30000-32767", Some((30000, 32767))),
            ("30000+10", Some((30000, 30010))),
            ("2-1", None),
            ("1", None),
            ("1-70000", None),
        ] {
            assert_eq!(ports(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn ranges_of_addresses() {
        for (text, expected) in [
            ("10.0.0.0/24", true),
            ("fd00::/108", true),
            ("10.0.0.0/33", false),
            ("x", false),
        ] {
            assert_eq!(addresses(text).is_ok(), expected, "{text}");
        }
    }
}
