//! What a request is about, from method, path and query alone (`RequestInfoFactory` in apiserver's
//! pkg/endpoints/request/requestinfo.go).

use crate::read::selector::FieldSelector;
use crate::request::query::Query;
use crate::request::url;

/// What a request is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestInfo {
    /// Whether it is about a resource rather than some other path.
    pub is_resource: bool,
    /// The path, decoded.
    pub path: String,
    /// The verb of the API: `list`; for other paths the method in lower case.
    pub verb: String,
    /// `api` or `apis`.
    pub prefix: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The namespace; empty for cluster-scoped resources and for all namespaces.
    pub namespace: String,
    /// The resource: `configmaps`.
    pub resource: String,
    /// The subresource: `status`.
    pub subresource: String,
    /// The name of the object; empty if there is none. For lists and watches it is the one name that the field selector
    /// requires.
    pub name: String,
    /// All parts of the path after the namespace: resource, name, subresource and the rest.
    pub parts: Vec<String>,
    /// Whether the path goes through `namespaces`, even with an empty name.
    pub is_in_namespace: bool,
    /// Whether the path has the deprecated prefix `watch`.
    pub is_old_watch: bool,
}

impl RequestInfo {
    /// Parses a request. The path is still percent-encoded.
    #[must_use]
    pub fn new(method: &str, path: &str, query: &str) -> Self {
        let query = Query::parse(query);
        let path = url::decode_path(path);
        let parts: Vec<&str> = match path.trim_matches('/') {
            "" => Vec::new(),
            path => path.split('/').collect(),
        };
        let mut info = RequestInfo {
            verb: method.to_ascii_lowercase(),
            ..RequestInfo::default()
        };
        info.read(method, &parts, &query);
        info.path = path;
        info
    }

    /// The name in the path; empty if there is none.
    #[must_use]
    pub(crate) fn path_name(&self) -> &str {
        self.parts.get(1).map_or("", String::as_str)
    }

    fn read(&mut self, method: &str, parts: &[&str], query: &Query) {
        let (prefix, parts) = match parts {
            [prefix @ ("api" | "apis"), rest @ ..] if rest.len() >= 2 => (*prefix, rest),
            _ => return,
        };
        self.prefix = prefix.to_owned();
        let parts = match (prefix, parts) {
            ("api", parts) => parts,
            (_, [group, rest @ ..]) if rest.len() >= 2 => {
                self.group = (*group).to_owned();
                rest
            }
            _ => return,
        };
        let [version, parts @ ..] = parts else { return };
        self.is_resource = true;
        self.version = (*version).to_owned();
        self.verb = verb(method).to_owned();
        let parts = match parts {
            ["watch", rest @ ..] if !rest.is_empty() => {
                self.verb = "watch".to_owned();
                self.is_old_watch = true;
                rest
            }
            parts => parts,
        };
        let parts = match parts {
            ["namespaces", namespace, rest @ ..] => {
                self.namespace = (*namespace).to_owned();
                match rest {
                    [] | ["status" | "finalize", ..] => parts,
                    rest => {
                        self.is_in_namespace = true;
                        rest
                    }
                }
            }
            parts => parts,
        };
        self.parts = parts.iter().map(|part| (*part).to_owned()).collect();
        let part = |index: usize| parts.get(index).copied().unwrap_or_default().to_owned();
        (self.resource, self.name) = (part(0), part(1));
        if !self.is_old_watch {
            self.subresource = part(2);
        }
        self.tell_collections(query);
    }

    /// Without a name, `get` becomes `list` or `watch`, and `delete` becomes `deletecollection`.
    fn tell_collections(&mut self, query: &Query) {
        if !self.name.is_empty() {
            return;
        }
        match self.verb.as_str() {
            "get" => {
                let is_watch = query.flag("watch");
                self.verb = if is_watch { "watch" } else { "list" }.to_owned();
            }
            "delete" => self.verb = "deletecollection".to_owned(),
            _ => return,
        }
        let name = match self.verb.as_str() {
            "list" | "watch" => query.get("fieldSelector").and_then(selected_name),
            _ => None,
        };
        self.name = name.unwrap_or_default();
    }
}

fn verb(method: &str) -> &'static str {
    match method {
        "POST" => "create",
        "GET" | "HEAD" => "get",
        "PUT" => "update",
        "PATCH" => "patch",
        "DELETE" => "delete",
        _ => "",
    }
}

/// The one name that a field selector requires.
fn selected_name(selector: &str) -> Option<String> {
    let selector = FieldSelector::parse(selector).ok()?;
    let term = selector.exact("metadata.name")?;
    let is_segment = !matches!(term, "" | "." | "..") && !term.contains(['/', '%']);
    is_segment.then(|| term.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &str, target: &str, expected: &str) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let info = RequestInfo::new(method, path, query);
        let told = if info.is_resource {
            format!(
                "{} {}/{} ns={} {} name={} sub={}",
                info.verb,
                info.group,
                info.version,
                info.namespace,
                info.resource,
                info.name,
                info.subresource
            )
        } else {
            format!("{} {}", info.verb, info.path)
        };
        assert_eq!(told, expected, "{method} {target}");
    }

    #[test]
    fn paths_of_resources() {
        check("GET", "/api/v1/pods", "list /v1 ns= pods name= sub=");
        check(
            "GET",
            "/api/v1/namespaces/a/pods/b/log",
            "get /v1 ns=a pods name=b sub=log",
        );
        check(
            "GET",
            "/api/v1/namespaces/a",
            "get /v1 ns=a namespaces name=a sub=",
        );
        check(
            "PUT",
            "/api/v1/namespaces/a/finalize",
            "update /v1 ns=a namespaces name=a sub=finalize",
        );
        check(
            "DELETE",
            "/apis/g/v1/things",
            "deletecollection g/v1 ns= things name= sub=",
        );
        check(
            "GET",
            "/apis/g/v1/things?watch=1",
            "watch g/v1 ns= things name= sub=",
        );
        check(
            "GET",
            "/apis/g/v1/things?watch=False",
            "list g/v1 ns= things name= sub=",
        );
        check(
            "GET",
            "/apis/g/v1/watch/namespaces/a/things/b",
            "watch g/v1 ns=a things name=b sub=",
        );
        check(
            "GET",
            "/apis/g/v1/things?fieldSelector=metadata.name%3Dx",
            "list g/v1 ns= things name=x sub=",
        );
        check(
            "GET",
            "/apis/g/v1/things?fieldSelector=metadata.name%3Da%5C%2Cb",
            "list g/v1 ns= things name=a,b sub=",
        );
        check(
            "GET",
            "/apis/g/v1/things?fieldSelector=metadata.name%3Da,b",
            "list g/v1 ns= things name= sub=",
        );
        check("FROB", "/apis/g/v1/things/x/", " g/v1 ns= things name=x sub=");
    }

    #[test]
    fn other_paths() {
        check("GET", "/", "get /");
        check("POST", "/apis/g/v1", "post /apis/g/v1");
        check("GET", "/api/v1/", "get /api/v1/");
        check("GET", "/healthz", "get /healthz");
    }

    #[test]
    fn escapes_are_decoded_first() {
        check(
            "GET",
            "/api/v1/namespaces/a/config%6daps/b%2Fc",
            "get /v1 ns=a configmaps name=b sub=c",
        );
    }
}
