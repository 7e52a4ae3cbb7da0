//! Options of Windows containers.

use std::sync::OnceLock;

use kindsmith_gostd::regexp::Regexp;
use kindsmith_object::meta::NameRule;

use super::privileged::by_policy;
use super::spec::{Spec, each_container};
use crate::field::{Errors, Field};
use crate::field_check::{invalid_text, name_problems};

/// Checks the Windows options of a security context.
pub(super) fn check_options(options: &Field<'_, '_>, errors: &mut Errors) {
    const KIBIBYTES: usize = 64;
    let name = options.child("gmsaCredentialSpecName");
    if name.is_set() {
        // It is behind a pointer.
        for problem in name_problems(NameRule::Subdomain, name.text()) {
            name.invalid_word(problem, errors);
        }
    }
    let credentials = options.child("gmsaCredentialSpec");
    if credentials.is_set() && credentials.is_blank() {
        credentials.invalid("gmsaCredentialSpec cannot be an empty string", errors);
    } else if credentials.text().len() > KIBIBYTES << 10 {
        let detail = format!("gmsaCredentialSpec size must be under {KIBIBYTES} KiB");
        credentials.invalid(detail, errors);
    }
    let user = options.child("runAsUserName");
    if user.is_set() {
        for problem in user_problems(user.text()) {
            user.invalid_word(format!("runAsUserName{problem}"), errors);
        }
    }
}

/// The errors of a user name, which may have a domain.
fn user_problems(name: &str) -> Vec<&'static str> {
    if name.is_empty() {
        return vec![" cannot be an empty string"];
    }
    if name.bytes().any(|byte| byte.is_ascii_control()) {
        return vec![" cannot contain control characters"];
    }
    let parts: Vec<&str> = name.split('\\').collect();
    let (domain, user) = match &*parts {
        [user] => (None, *user),
        [domain, user] => (Some(*domain), *user),
        _ => return vec![" cannot contain more than one backslash"],
    };
    let is_only_dots = !user.is_empty() && user.chars().all(|letter| matches!(letter, '.' | ' '));
    let rules = [
        (
            domain.is_some_and(|domain| domain.len() >= 256),
            "'s Domain length must be under 256 characters",
        ),
        (
            domain.is_some_and(|domain| !is_domain(domain)),
            "'s Domain doesn't match the NetBios nor the DNS format",
        ),
        (user.is_empty(), "'s User cannot be empty"),
        (
            user.len() > 104,
            "'s User length must not be longer than 104 characters",
        ),
        (is_only_dots, "'s User cannot contain only periods or spaces"),
        (
            user.contains([
                '"', '/', '\\', ':', ';', '|', '=', ',', '+', '*', '?', '<', '>', '@', '[', ']',
            ]),
            r#"'s User cannot contain the following characters: "/\:;|=,+*?<>@[]"#,
        ),
    ];
    let broken = rules.into_iter().filter(|(is_broken, _)| *is_broken);
    broken.map(|(_, problem)| problem).collect()
}

/// Whether this is a NetBIOS name or a DNS name.
fn is_domain(domain: &str) -> bool {
    const DNS: &str = r"^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";
    const NETBIOS: &str = r#"^[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}$"#;
    static FORMS: OnceLock<[Option<Regexp>; 2]> = OnceLock::new();
    let forms = FORMS.get_or_init(|| [NETBIOS, DNS].map(|form| Regexp::new(form).ok()));
    forms.iter().flatten().any(|form| form.is_match(domain))
}

/// Either all containers are host processes or none is.
pub(super) fn check_host_processes(spec: &Spec<'_, '_>, errors: &mut Errors) {
    fn own(context: &Field<'_, '_>) -> Option<bool> {
        let options = context.child("windowsOptions");
        let process = options.child("hostProcess");
        process.is_set().then(|| process.truth())
    }
    let whole = own(&spec.child("securityContext"));
    let (mut number, mut on_host) = (0, 0);
    each_container(&spec.field, |container| {
        number += 1;
        let context = container.child("securityContext");
        let options = context.child("windowsOptions");
        if let (Some(whole), Some(single)) = (whole, own(&context))
            && whole != single
        {
            let detail =
                format!("pod hostProcess value must be identical if both are specified, was {whole}");
            options.child("hostProcess").invalid(detail, errors);
        }
        on_host += i32::from(own(&context).or(whole).unwrap_or_default());
    });
    if on_host == 0 {
        return;
    }
    if on_host != number {
        let detail =
            "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        errors.push(invalid_text(&spec.field.path, "", detail));
    }
    let network = spec.child("hostNetwork");
    if !network.truth() {
        let detail = "hostNetwork must be true if pod contains any hostProcess containers";
        let bad = kindsmith_object::BadValue::Bool(false);
        errors.push(crate::field_check::invalid(&network.path, bad, detail));
    }
    let detail = "hostProcess containers are disallowed by cluster policy";
    errors.push(by_policy(&spec.field, detail));
}
