//! Asks an API without a server.

use kindsmith_api::{Api, Request, User};

/// Asks as somebody who may do everything.
pub(crate) fn ask(api: &Api, method: &str, path: &str, body: &str) -> (u16, String) {
    ask_as(&["system:masters"], api, method, path, body)
}

/// The status and the text of the answer to a member of some groups; a watch has no text.
pub(crate) fn ask_as(groups: &[&str], api: &Api, method: &str, path: &str, body: &str) -> (u16, String) {
    let user = User {
        name: "ann".to_owned(),
        groups: groups.iter().map(|&group| group.to_owned()).collect(),
        ..User::default()
    };
    let media = match method {
        "PATCH" => "application/merge-patch+json",
        _ => "application/json",
    };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let request = Request {
        method,
        path,
        query,
        headers: &[("content-type", media)],
        body: body.as_bytes(),
        user: &user,
    };
    let response = api.handle(&request, &api.info(&request));
    let (status, bytes) = (response.status, response.content.into_bytes());
    (status, String::from_utf8_lossy(&bytes).into_owned())
}
