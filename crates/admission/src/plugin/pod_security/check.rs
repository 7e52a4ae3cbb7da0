//! What pods do that a level does not allow.

use std::collections::BTreeSet;

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

/// How strict the rules are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    Baseline,
    Restricted,
}

/// A pod that is checked.
struct Pod<'v> {
    metadata: Value<'v>,
    spec: Value<'v>,
    /// The version of the rules: 1.`minor`.
    minor: u32,
}

/// What is wrong, and the details.
type Violation = (String, String);
type Check = fn(&Pod<'_>) -> Option<Violation>;

/// A rule, since a version of the rules.
struct Rule {
    name: &'static str,
    since: u32,
    check: Check,
    /// The rule of the baseline that it takes the place of.
    replaces: &'static str,
}

const fn rule(name: &'static str, since: u32, check: Check) -> Rule {
    Rule {
        name,
        since,
        check,
        replaces: "",
    }
}

impl Rule {
    const fn instead_of(self, replaces: &'static str) -> Rule {
        Rule { replaces, ..self }
    }
}

/// The rules by the names that the reference sorts them by.
const BASELINE: [Rule; 13] = [
    rule("appArmorProfile", 0, armor),
    rule("capabilities_baseline", 0, added_capabilities),
    rule("hostNamespaces", 0, host_namespaces),
    rule("hostPathVolumes", 0, host_paths),
    rule("hostPorts", 0, host_ports),
    rule("hostProbesAndHostLifecycle", 34, hosts),
    rule("privileged", 0, privileged),
    rule("procMount", 0, baseline_proc_mount),
    rule("seLinuxOptions", 0, selinux),
    rule("seccompAnnotations", 0, seccomp_annotations),
    rule("seccompProfile_baseline", 19, baseline_seccomp).instead_of("seccompAnnotations"),
    rule("sysctls", 0, sysctls),
    rule("windowsHostProcess", 0, host_processes),
];
const RESTRICTED: [Rule; 7] = [
    rule("allowPrivilegeEscalation", 8, escalation),
    rule("capabilities_restricted", 22, capabilities).instead_of("capabilities_baseline"),
    rule("procMount_restricted", 35, proc_mount).instead_of("procMount"),
    rule("restrictedVolumes", 0, volume_types).instead_of("hostPathVolumes"),
    rule("runAsNonRoot", 0, non_root),
    rule("runAsUser", 23, root_user),
    rule("seccompProfile_restricted", 19, seccomp).instead_of("seccompProfile_baseline"),
];

/// All violations of a pod, as messages list them, by the rules of version 1.`minor`.
pub(super) fn violations(
    metadata: Value<'_>,
    spec: Value<'_>,
    strictness: Strictness,
    minor: u32,
) -> Vec<String> {
    let pod = Pod {
        metadata,
        spec,
        minor,
    };
    let restricted: &[Rule] = match strictness {
        Strictness::Baseline => &[],
        Strictness::Restricted => &RESTRICTED,
    };
    let all = || {
        let rules = BASELINE.iter().chain(restricted);
        rules.filter(|rule| rule.since <= minor)
    };
    let counts = |rule: &&Rule| all().all(|other| other.replaces != rule.name);
    let found = all().filter(counts).filter_map(|rule| (rule.check)(&pod));
    found
        .map(|(reason, detail)| format!("{reason} ({detail})"))
        .collect()
}

/// Since which version of the rules the system of a pod counts, and whether it has users of its own.
const WINDOWS_SPARED: u32 = 25;
const OWN_USERS_COUNT: u32 = 35;

impl<'v> Pod<'v> {
    fn containers(&self) -> impl Iterator<Item = Value<'v>> {
        let lists = ["initContainers", "containers", "ephemeralContainers"];
        let spec = self.spec;
        lists.into_iter().flat_map(move |list| spec.list(list)).copied()
    }

    /// The names of containers for which something holds.
    fn where_container(&self, is_bad: impl Fn(Value<'v>) -> bool) -> Vec<&'v str> {
        let bad = self.containers().filter(|container| is_bad(*container));
        bad.map(|container| container.text("name")).collect()
    }

    /// Pods for Windows are spared what only Linux has.
    fn is_windows(&self) -> bool {
        self.minor >= WINDOWS_SPARED && self.spec.text(&["os", "name"]) == "windows"
    }

    /// With its own user namespace, a pod's users have no rights outside of it.
    fn has_own_users(&self) -> bool {
        self.minor >= OWN_USERS_COUNT && self.spec.get("hostUsers") == Some(Value::Bool(false))
    }

    /// Whether a list has a value, in this version of the rules.
    fn allows(&self, list: &[(&str, u32)], value: &str) -> bool {
        let mut list = list.iter();
        list.any(|(allowed, since)| *allowed == value && *since <= self.minor)
    }

    /// The pod and its containers that have a member of their context for which something holds.
    fn setters(&self, key: &str, is_bad: impl Fn(Value<'v>) -> bool) -> Vec<String> {
        let mut setters = Vec::new();
        if context(self.spec, key).is_some_and(&is_bad) {
            setters.push("pod".to_owned());
        }
        let containers = self.where_container(|container| context(container, key).is_some_and(&is_bad));
        if !containers.is_empty() {
            setters.push(named("container", &containers));
        }
        setters
    }

    /// The values of a member of all contexts.
    fn values(&self, key: &str) -> Vec<Value<'v>> {
        let whole = context(self.spec, key);
        let own = self.containers().filter_map(|container| context(container, key));
        whole.into_iter().chain(own).collect()
    }
}

fn context<'v>(holder: Value<'v>, key: &str) -> Option<Value<'v>> {
    let found = holder.lookup(&["securityContext", key]);
    found.filter(|value| !value.is_null())
}

/// `container "a"` or `containers "a", "b"`.
fn named(word: &str, names: &[&str]) -> String {
    format!("{} {}", plural(word, names.len()), quoted(names))
}

fn plural(word: &str, number: usize) -> String {
    match number {
        1 => word.to_owned(),
        _ => format!("{word}s"),
    }
}

fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("\"{}\"", name.as_ref()))
        .collect();
    names.join(", ")
}

fn uses(number: usize) -> &'static str {
    if number == 1 { "uses" } else { "use" }
}

fn sorted<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let set: BTreeSet<&str> = values.collect();
    set.into_iter().collect()
}

fn violation(reason: impl Into<String>, detail: String) -> Option<Violation> {
    Some((reason.into(), detail))
}

fn armor(pod: &Pod<'_>) -> Option<Violation> {
    const PREFIX: &str = "container.apparmor.security.beta.kubernetes.io/";
    let is_bad = |profile: Value<'_>| !matches!(profile.text("type"), "RuntimeDefault" | "Localhost");
    let mut setters = pod.setters("appArmorProfile", is_bad);
    let bad = pod
        .values("appArmorProfile")
        .into_iter()
        .filter(|profile| is_bad(*profile));
    let bad: Vec<Value<'_>> = bad.collect();
    let types = sorted(bad.iter().map(|profile| profile.text("type")));
    let mut values: Vec<String> = types.into_iter().map(str::to_owned).collect();
    let mut annotations = Vec::new();
    for (key, value) in pod.metadata.object("annotations") {
        let value = value.as_str().unwrap_or_default();
        let is_fine = matches!(value, "" | "runtime/default") || value.starts_with("localhost/");
        if key.starts_with(PREFIX) && !is_fine {
            annotations.push(format!("{key}={}", quote(value)));
        }
    }
    if !annotations.is_empty() {
        annotations.sort();
        setters.push(plural("annotation", annotations.len()));
        values.extend(annotations);
    }
    if setters.is_empty() {
        return None;
    }
    let reason = plural("forbidden AppArmor profile", values.len());
    let who = setters.join(" and ");
    violation(
        reason,
        format!("{who} must not set AppArmor profile type to {}", quoted(&values)),
    )
}

fn added(container: Value<'_>) -> impl Iterator<Item = &str> {
    let added = container.list(&["securityContext", "capabilities", "add"]);
    added.iter().map(|added| added.as_str().unwrap_or_default())
}

fn added_detail(pod: &Pod<'_>, is_bad: impl Fn(&str) -> bool) -> Option<String> {
    let names = pod.where_container(|container| added(container).any(&is_bad));
    let all = pod.containers().flat_map(added);
    let bad = sorted(all.filter(|name| is_bad(name)));
    (!names.is_empty()).then(|| {
        format!(
            "{} must not include {} in securityContext.capabilities.add",
            named("container", &names),
            quoted(&bad)
        )
    })
}

fn added_capabilities(pod: &Pod<'_>) -> Option<Violation> {
    const DEFAULT: [&str; 13] = [
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    ];
    let detail = added_detail(pod, |name| !DEFAULT.contains(&name))?;
    violation("non-default capabilities", detail)
}

fn capabilities(pod: &Pod<'_>) -> Option<Violation> {
    if pod.is_windows() {
        return None;
    }
    let keeps_some = pod.where_container(|container| {
        let dropped = container.list(&["securityContext", "capabilities", "drop"]);
        !dropped.contains(&Value::Str("ALL"))
    });
    let mut details = Vec::new();
    if !keeps_some.is_empty() {
        let who = named("container", &keeps_some);
        details.push(format!(
            "{who} must set securityContext.capabilities.drop=[\"ALL\"]"
        ));
    }
    details.extend(added_detail(pod, |name| name != "NET_BIND_SERVICE"));
    if details.is_empty() {
        None
    } else {
        violation("unrestricted capabilities", details.join("; "))
    }
}

fn host_namespaces(pod: &Pod<'_>) -> Option<Violation> {
    let keys = ["hostNetwork", "hostPID", "hostIPC"];
    let used = keys
        .into_iter()
        .filter(|key| pod.spec.get(key) == Some(Value::Bool(true)));
    let used: Vec<String> = used.map(|key| format!("{key}=true")).collect();
    if used.is_empty() {
        None
    } else {
        violation("host namespaces", used.join(", "))
    }
}

fn host_paths(pod: &Pod<'_>) -> Option<Violation> {
    let volumes = pod.spec.list("volumes").iter();
    let bad = volumes.filter(|volume| volume.get("hostPath").is_some_and(|source| !source.is_null()));
    let names: Vec<&str> = bad.map(|volume| volume.text("name")).collect();
    if names.is_empty() {
        None
    } else {
        violation("hostPath volumes", named("volume", &names))
    }
}

fn host_ports(pod: &Pod<'_>) -> Option<Violation> {
    let ports = |container: Value<'_>| -> Vec<i64> {
        let ports = container.list("ports").iter();
        let ports = ports.map(|port| port.get("hostPort").and_then(Value::as_i64).unwrap_or_default());
        ports.filter(|port| *port != 0).collect()
    };
    let names = pod.where_container(|container| !ports(container).is_empty());
    if names.is_empty() {
        return None;
    }
    let used: BTreeSet<String> = pod
        .containers()
        .flat_map(ports)
        .map(|port| port.to_string())
        .collect();
    let used: Vec<String> = used.into_iter().collect();
    violation(
        "hostPort",
        format!(
            "{} {} {} {}",
            named("container", &names),
            uses(names.len()),
            plural("hostPort", used.len()),
            used.join(", ")
        ),
    )
}

/// Probes and hooks must not ask other hosts.
fn hosts(pod: &Pod<'_>) -> Option<Violation> {
    const HANDLERS: [&[&str]; 5] = [
        &["livenessProbe"],
        &["readinessProbe"],
        &["startupProbe"],
        &["lifecycle", "postStart"],
        &["lifecycle", "preStop"],
    ];
    fn asked(container: Value<'_>) -> Vec<&str> {
        let handlers = HANDLERS.iter().filter_map(|path| container.lookup(path));
        let hosts = handlers
            .flat_map(|handler| ["httpGet", "tcpSocket"].map(|action| handler.text(&[action, "host"])));
        hosts.filter(|host| !host.is_empty()).collect()
    }
    let names = pod.where_container(|container| !asked(container).is_empty());
    if names.is_empty() {
        return None;
    }
    let names = sorted(names.into_iter());
    let hosts = sorted(pod.containers().flat_map(asked));
    violation(
        "probe or lifecycle host",
        format!(
            "{} {} {} {}",
            named("container", &names),
            uses(names.len()),
            plural("probe or lifecycle host", hosts.len()),
            quoted(&hosts)
        ),
    )
}

fn privileged(pod: &Pod<'_>) -> Option<Violation> {
    let names = pod.where_container(|container| context(container, "privileged") == Some(Value::Bool(true)));
    if names.is_empty() {
        None
    } else {
        violation(
            "privileged",
            format!(
                "{} must not set securityContext.privileged=true",
                named("container", &names)
            ),
        )
    }
}

fn baseline_proc_mount(pod: &Pod<'_>) -> Option<Violation> {
    if pod.has_own_users() {
        None
    } else {
        proc_mount(pod)
    }
}

fn proc_mount(pod: &Pod<'_>) -> Option<Violation> {
    let mount = |container| context(container, "procMount").and_then(Value::as_str);
    let is_bad = |container| mount(container).is_some_and(|mount| mount != "Default");
    let names = pod.where_container(is_bad);
    let mounts = sorted(
        pod.containers()
            .filter_map(mount)
            .filter(|mount| *mount != "Default"),
    );
    if names.is_empty() {
        None
    } else {
        violation(
            "procMount",
            format!(
                "{} must not set securityContext.procMount to {}",
                named("container", &names),
                quoted(&mounts)
            ),
        )
    }
}

fn selinux(pod: &Pod<'_>) -> Option<Violation> {
    const TYPES: [(&str, u32); 5] = [
        ("", 0),
        ("container_t", 0),
        ("container_init_t", 0),
        ("container_kvm_t", 0),
        ("container_engine_t", 31),
    ];
    let is_type_bad = |options: &Value<'_>| !pod.allows(&TYPES, options.text("type"));
    let sets = |options: &Value<'_>, key: &str| !options.text(key).is_empty();
    let setters = pod.setters("seLinuxOptions", |options| {
        is_type_bad(&options) || sets(&options, "user") || sets(&options, "role")
    });
    if setters.is_empty() {
        return None;
    }
    let all = pod.values("seLinuxOptions");
    let types = sorted(
        all.iter()
            .filter(|options| is_type_bad(options))
            .map(|options| options.text("type")),
    );
    let mut data = Vec::new();
    if !types.is_empty() {
        data.push(named("type", &types));
    }
    for key in ["user", "role"] {
        if all.iter().any(|options| sets(options, key)) {
            data.push(format!("{key} may not be set"));
        }
    }
    let who = setters.join(" and ");
    violation(
        "seLinuxOptions",
        format!(
            "{who} set forbidden securityContext.seLinuxOptions: {}",
            data.join("; ")
        ),
    )
}

fn is_seccomp_bad(profile: Value<'_>) -> bool {
    !matches!(profile.text("type"), "Localhost" | "RuntimeDefault")
}

/// Profiles were annotations first.
fn seccomp_annotations(pod: &Pod<'_>) -> Option<Violation> {
    let annotations = pod.metadata.object("annotations");
    let of_containers = pod.containers().map(|container| {
        let name = container.text("name");
        format!("container.seccomp.security.alpha.kubernetes.io/{name}")
    });
    let keys = std::iter::once("seccomp.security.alpha.kubernetes.io/pod".to_owned()).chain(of_containers);
    let bad: BTreeSet<String> = keys
        .filter_map(|key| {
            let value = annotations.get(&key).and_then(Value::as_str)?;
            let is_good =
                matches!(value, "runtime/default" | "docker/default") || value.starts_with("localhost/");
            (!is_good).then(|| format!("{key}={}", quote(value)))
        })
        .collect();
    if bad.is_empty() {
        return None;
    }
    let bad: Vec<String> = bad.into_iter().collect();
    let word = plural("annotation", bad.len());
    violation("seccompProfile", format!("forbidden {word} {}", bad.join(", ")))
}

fn baseline_seccomp(pod: &Pod<'_>) -> Option<Violation> {
    let setters = pod.setters("seccompProfile", is_seccomp_bad);
    if setters.is_empty() {
        return None;
    }
    let all = pod.values("seccompProfile").into_iter();
    let bad: Vec<Value<'_>> = all.filter(|profile| is_seccomp_bad(*profile)).collect();
    let types = sorted(bad.iter().map(|profile| profile.text("type")));
    let who = setters.join(" and ");
    violation(
        "seccompProfile",
        format!(
            "{who} must not set securityContext.seccompProfile.type to {}",
            quoted(&types)
        ),
    )
}

fn seccomp(pod: &Pod<'_>) -> Option<Violation> {
    if pod.is_windows() {
        return None;
    }
    if let Some(found) = baseline_seccomp(pod) {
        return Some(found);
    }
    if context(pod.spec, "seccompProfile").is_some() {
        return None;
    }
    let names = pod.where_container(|container| context(container, "seccompProfile").is_none());
    if names.is_empty() {
        None
    } else {
        violation(
            "seccompProfile",
            format!(
                "pod or {} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"",
                named("container", &names)
            ),
        )
    }
}

fn sysctls(pod: &Pod<'_>) -> Option<Violation> {
    const SAFE: [(&str, u32); 14] = [
        ("kernel.shm_rmid_forced", 0),
        ("net.ipv4.ip_local_port_range", 0),
        ("net.ipv4.tcp_syncookies", 0),
        ("net.ipv4.ping_group_range", 0),
        ("net.ipv4.ip_unprivileged_port_start", 0),
        ("net.ipv4.ip_local_reserved_ports", 27),
        ("net.ipv4.tcp_keepalive_time", 29),
        ("net.ipv4.tcp_fin_timeout", 29),
        ("net.ipv4.tcp_keepalive_intvl", 29),
        ("net.ipv4.tcp_keepalive_probes", 29),
        ("net.ipv4.tcp_rmem", 32),
        ("net.ipv4.tcp_wmem", 32),
        ("net.ipv4.tcp_slow_start_after_idle", 37),
        ("net.ipv4.tcp_notsent_lowat", 37),
    ];
    let all = pod.spec.list(&["securityContext", "sysctls"]).iter();
    let names = all.map(|sysctl| sysctl.text("name"));
    let bad: Vec<&str> = names.filter(|name| !pod.allows(&SAFE, name)).collect();
    if bad.is_empty() {
        None
    } else {
        violation("forbidden sysctls", bad.join(", "))
    }
}

fn host_processes(pod: &Pod<'_>) -> Option<Violation> {
    let setters = pod.setters("windowsOptions", |options| {
        options.get("hostProcess") == Some(Value::Bool(true))
    });
    if setters.is_empty() {
        None
    } else {
        violation(
            "hostProcess",
            format!(
                "{} must not set securityContext.windowsOptions.hostProcess=true",
                setters.join(" and ")
            ),
        )
    }
}

fn escalation(pod: &Pod<'_>) -> Option<Violation> {
    if pod.is_windows() {
        return None;
    }
    let is_bad = |container| context(container, "allowPrivilegeEscalation") != Some(Value::Bool(false));
    let names = pod.where_container(is_bad);
    if names.is_empty() {
        None
    } else {
        violation(
            "allowPrivilegeEscalation != false",
            format!(
                "{} must set securityContext.allowPrivilegeEscalation=false",
                named("container", &names)
            ),
        )
    }
}

fn volume_types(pod: &Pod<'_>) -> Option<Violation> {
    const ALLOWED: [&str; 9] = [
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ];
    let kind = |volume: &Value<'_>| kindsmith_builtin::volume_source_key(*volume).unwrap_or("unknown");
    let volumes = pod.spec.list("volumes").iter();
    let bad: Vec<&Value<'_>> = volumes
        .filter(|volume| !ALLOWED.contains(&kind(volume)))
        .collect();
    let names: Vec<&str> = bad.iter().map(|volume| volume.text("name")).collect();
    let kinds = sorted(bad.iter().map(|volume| kind(volume)));
    if names.is_empty() {
        None
    } else {
        violation(
            "restricted volume types",
            format!(
                "{} {} {} {}",
                named("volume", &names),
                uses(names.len()),
                plural("restricted volume type", kinds.len()),
                quoted(&kinds)
            ),
        )
    }
}

fn non_root(pod: &Pod<'_>) -> Option<Violation> {
    const REASON: &str = "runAsNonRoot != true";
    if pod.has_own_users() {
        return None;
    }
    let setters = pod.setters("runAsNonRoot", |value| value == Value::Bool(false));
    if !setters.is_empty() {
        let who = setters.join(" and ");
        return violation(
            REASON,
            format!("{who} must not set securityContext.runAsNonRoot=false"),
        );
    }
    if context(pod.spec, "runAsNonRoot").is_some() {
        return None;
    }
    let names = pod.where_container(|container| context(container, "runAsNonRoot").is_none());
    if names.is_empty() {
        None
    } else {
        violation(
            REASON,
            format!(
                "pod or {} must set securityContext.runAsNonRoot=true",
                named("container", &names)
            ),
        )
    }
}

fn root_user(pod: &Pod<'_>) -> Option<Violation> {
    if pod.has_own_users() {
        return None;
    }
    let setters = pod.setters("runAsUser", |value| value.as_i64() == Some(0));
    if setters.is_empty() {
        None
    } else {
        violation(
            "runAsUser=0",
            format!("{} must not set runAsUser=0", setters.join(" and ")),
        )
    }
}
