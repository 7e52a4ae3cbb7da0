//! What stored roles and bindings allow, and the messages of refusals.

use std::sync::Arc;

use kindsmith_json::{Arena, parse_str};
use kindsmith_object::Release;
use kindsmith_store::{Memory, Store};

use super::*;
use crate::{Request, RequestInfo, Still};

fn user(name: &str, groups: &[&str]) -> User {
    User {
        name: name.into(),
        groups: groups.iter().map(|&group| group.into()).collect(),
        ..User::default()
    }
}

fn access() -> (Arc<Memory>, Access) {
    let store = Arc::new(Memory::default());
    create_roles(&*store, &Still::default(), kindsmith_object::Release::NEWEST).expect("memory");
    let access = Access::new(Arc::clone(&store) as Arc<dyn Store>);
    (store, access)
}

fn put(store: &Memory, key: &str, text: &str) {
    store
        .create(key.as_bytes(), text.as_bytes().to_vec().into())
        .expect("it is new");
}

/// Authorizes a request; returns the reason or the refusal.
fn ask(access: &Access, user: &User, method: &str, path: &str) -> Result<String, String> {
    let info = RequestInfo::new(method, path, "");
    let attributes = Attributes::of(user, &info);
    access.check(&attributes).map_err(|status| status.message)?;
    Ok(access.authorize(&attributes).expect("memory").reason)
}

const ALICE: &str = "alice";

#[test]
fn masters_may_do_anything_and_other_users_little() {
    let (_, access) = access();
    let admin = user("admin", &[MASTERS]);
    assert_eq!(
        ask(&access, &admin, "DELETE", "/api/v1/namespaces/x"),
        Ok(String::new())
    );
    let alice = user(ALICE, &["system:authenticated"]);
    for (method, path, expected) in [
        (
            "GET",
            "/healthz",
            Ok(
                r#"RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated""#,
            ),
        ),
        (
            "GET",
            "/metrics",
            Err(r#"forbidden: User "alice" cannot get path "/metrics""#),
        ),
        (
            "GET",
            "/api/v1/namespaces/default/configmaps/x",
            Err(
                r#"configmaps "x" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "default""#,
            ),
        ),
        (
            "GET",
            "/apis/apps/v1/deployments",
            Err(
                r#"deployments.apps is forbidden: User "alice" cannot list resource "deployments" in API group "apps" at the cluster scope"#,
            ),
        ),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/n/deployments/d/scale",
            Err(
                r#"deployments.apps "d" is forbidden: User "alice" cannot patch resource "deployments/scale" in API group "apps" in the namespace "n""#,
            ),
        ),
    ] {
        let answer = ask(&access, &alice, method, path);
        assert_eq!(
            answer.as_deref().map_err(String::as_str),
            expected,
            "{method} {path}"
        );
    }
    let odd = user("<b>&", &[]);
    assert_eq!(
        ask(&access, &odd, "GET", "/x").unwrap_err(),
        r#"forbidden: User "&lt;b&gt;&amp;" cannot get path "/x""#
    );
}

#[test]
fn bindings_take_effect_when_written() {
    let (store, access) = access();
    let alice = user(ALICE, &["system:authenticated"]);
    let path = "/api/v1/namespaces/n/configmaps/a";
    assert!(ask(&access, &alice, "GET", path).is_err());
    put(
        &store,
        "/registry/roles/n/reader",
        r#"{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["configmaps"],"resourceNames":["a"]}]}"#,
    );
    put(
        &store,
        "/registry/rolebindings/n/readers",
        r#"{"roleRef":{"kind":"Role","name":"reader"},"subjects":[{"kind":"User","name":"alice"}]}"#,
    );
    assert_eq!(
        ask(&access, &alice, "GET", path).as_deref(),
        Ok(r#"RBAC: allowed by RoleBinding "readers/n" of Role "reader" to User "alice""#)
    );
    assert!(ask(&access, &alice, "GET", "/api/v1/namespaces/n/configmaps/b").is_err());
    assert!(ask(&access, &alice, "GET", "/api/v1/namespaces/m/configmaps/a").is_err());
    let entry = store
        .get(b"/registry/roles/n/reader", None)
        .expect("memory")
        .expect("it is there");
    store
        .delete(b"/registry/roles/n/reader", entry.modified)
        .expect("it is that one");
    assert_eq!(
        ask(&access, &alice, "GET", path).unwrap_err(),
        r#"configmaps "a" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "n": RBAC: role.rbac.authorization.k8s.io "reader" not found"#
    );
}

#[test]
fn service_accounts_are_subjects() {
    let (store, access) = access();
    put(
        &store,
        "/registry/rolebindings/n/b",
        r#"{"roleRef":{"kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"ServiceAccount","name":"robot"}]}"#,
    );
    let robot = user("system:serviceaccount:n:robot", &[]);
    assert_eq!(
        ask(&access, &robot, "GET", "/api/v1/namespaces/n/secrets").as_deref(),
        Ok(
            r#"RBAC: allowed by RoleBinding "b/n" of ClusterRole "cluster-admin" to ServiceAccount "robot/n""#
        )
    );
    assert!(ask(&access, &robot, "GET", "/api/v1/secrets").is_err());
}

/// Checks a write of a role or binding by a user who may read config maps in `n`.
fn grant(path: &str, object: &str) -> Result<(), String> {
    let (store, access) = access();
    put(
        &store,
        "/registry/roles/n/own",
        r#"{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["configmaps"]}]}"#,
    );
    put(
        &store,
        "/registry/rolebindings/n/own",
        r#"{"roleRef":{"kind":"Role","name":"own"},"subjects":[{"kind":"User","name":"bob"}]}"#,
    );
    let bob = user("bob", &["system:authenticated"]);
    let info = RequestInfo::new("POST", path, "");
    let arena = Arena::new();
    let object = parse_str(&arena, object).expect("JSON");
    access
        .check_grant(&bob, &info, object)
        .map_err(|status| status.message)
}

#[test]
fn users_cannot_grant_rights_they_lack() {
    let roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/n/roles";
    let bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/n/rolebindings";
    let held = r#"{"metadata":{"name":"a"},"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["get"]}]}"#;
    assert_eq!(grant(roles, held), Ok(()));
    let more = r#"{"metadata":{"name":"b"},"rules":[{"apiGroups":[""],"resources":["configmaps","secrets"],"verbs":["get","list"]},
        {"apiGroups":["apps"],"resources":["deployments"],"resourceNames":["x"],"verbs":["*"]}]}"#;
    assert_eq!(
        grant(roles, more).unwrap_err(),
        "roles.rbac.authorization.k8s.io \"b\" is forbidden: user \"bob\" (groups=[\"system:authenticated\"]) is attempting \
         to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], Resources:[\"configmaps\"], Verbs:[\"list\"]}\n\
         {APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\"]}\n\
         {APIGroups:[\"apps\"], Resources:[\"deployments\"], ResourceNames:[\"x\"], Verbs:[\"*\"]}"
    );
    let binding = |role: &str| {
        format!(
            r#"{{"metadata":{{"name":"c"}},"roleRef":{{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"{role}"}}}}"#
        )
    };
    assert_eq!(grant(bindings, &binding("own")), Ok(()));
    assert_eq!(
        grant(bindings, &binding("none")).unwrap_err(),
        r#"rolebindings.rbac.authorization.k8s.io "none" not found"#
    );
}

fn request<'r>(user: &'r User, headers: &'r [(&'r str, &'r str)]) -> Request<'r> {
    Request {
        method: "GET",
        path: "/",
        query: "",
        headers,
        body: b"",
        user,
    }
}

#[test]
fn headers_name_the_impersonated_user() {
    let admin = user("admin", &[MASTERS]);
    let refusal = |headers| {
        wanted(&request(&admin, headers), Release::NEWEST)
            .unwrap_err()
            .message
    };
    assert_eq!(
        refusal(&[("impersonate-group", "staff")]),
        r#"requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"staff"}, Extra:map[string][]string(nil)} without impersonating a user name"#
    );
    assert_eq!(
        refusal(&[("impersonate-extra-scopes", "view")]),
        r#"requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"scopes":[]string{"view"}}} without impersonating a user name"#
    );
    assert_eq!(
        wanted(&request(&admin, &[("impersonate-user", "")]), Release::NEWEST),
        Ok(None)
    );
    let both = [("impersonate-user", "alice"), ("impersonate-extra-a%2fb", "1")];
    let found = wanted(&request(&admin, &both), Release::NEWEST)
        .expect("a name")
        .expect("somebody");
    assert_eq!(found.extra, [("a/b".to_owned(), vec!["1".to_owned()])]);
}

#[test]
fn impersonation_needs_permission() {
    let (_, access) = access();
    let info = RequestInfo::new("GET", "/api/v1/namespaces/n/configmaps/a", "");
    let act = |who: &User, whom: &User| {
        let attributes = Attributes::of(who, &info);
        access
            .impersonate(&attributes, whom, Release::NEWEST)
            .map(|user| user.groups.join(","))
            .map_err(|status| status.message)
    };
    let admin = user("admin", &[MASTERS]);
    for (name, groups, expected) in [
        ("alice", &[] as &[&str], "system:authenticated"),
        ("alice", &["system:unauthenticated"], "system:unauthenticated"),
        ("system:anonymous", &[], "system:unauthenticated"),
        (
            "system:serviceaccount:n:s",
            &[],
            "system:serviceaccounts,system:serviceaccounts:n,system:authenticated",
        ),
        ("system:serviceaccount:n:s", &["g"], "g,system:authenticated"),
    ] {
        assert_eq!(
            act(&admin, &user(name, groups)).as_deref(),
            Ok(expected),
            "{name} {groups:?}"
        );
    }
    let alice = user("alice", &["system:authenticated"]);
    assert_eq!(
        act(&alice, &user("bob", &[])).unwrap_err(),
        r#"configmaps "a" is forbidden: User "alice" cannot impersonate-on:user-info:get resource "configmaps" in API group "" in the namespace "n""#
    );
}
