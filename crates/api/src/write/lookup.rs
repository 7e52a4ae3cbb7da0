//! The server as admission plugins see it.

use kindsmith_admission::Caller;
use kindsmith_admission::access::Authorizer;
use kindsmith_admission::plugin::{Failed, KindResource, Server};
use kindsmith_builtin::find_own_resource;
use kindsmith_json::{Arena, Value};
use kindsmith_object::StorePrefix;
use kindsmith_request::Status;
use kindsmith_store::{Entry, List};

use crate::context::Call;
use crate::webhook::user_access::{UserAccess, namespace, phase};
use crate::{Answer, Loopback, stored};

/// The server and the request of a call.
pub(crate) struct View<'c, 'a> {
    call: &'c Call<'c>,
    arena: &'a Arena,
    access: UserAccess<'c>,
    suffix: &'a str,
}

impl<'c, 'a> View<'c, 'a> {
    /// A view for a request that may need a random suffix.
    pub(crate) fn new(call: &'c Call<'c>, arena: &'a Arena, suffix: &'a str) -> Self {
        View {
            call,
            arena,
            access: UserAccess(call),
            suffix,
        }
    }

    fn read(&self, entry: &Entry) -> Option<Value<'a>> {
        let object = stored::copy(self.arena, entry).ok()?;
        Some(stored::with_revision(self.arena, object, entry.modified))
    }
}

/// Where the objects of a resource are stored.
fn prefix(group: &str, resource: &str) -> Option<StorePrefix> {
    Some(find_own_resource(group, resource)?.key_prefix())
}

fn done(answer: &Answer) -> Result<(), Failed> {
    if answer.is_done() {
        return Ok(());
    }
    let message = answer.message();
    Err(Failed { message })
}

impl<'a> Server<'a> for View<'_, 'a> {
    fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        let key = prefix(group, resource)?.key(namespace, name);
        let entry = stored::seen(self.call.store, key.as_bytes()).ok()??;
        self.read(&entry)
    }

    fn all(&self, group: &str, resource: &str, namespace: &str) -> Vec<Value<'a>> {
        let Some(prefix) = prefix(group, resource) else {
            return Vec::new();
        };
        let page = self
            .call
            .store
            .list_seen(&List::of(prefix.within(namespace).as_bytes()));
        let entries = page.map(|page| page.entries).unwrap_or_default();
        let objects = entries.iter();
        objects.filter_map(|entry| self.read(entry)).collect()
    }

    fn phase(&self, namespace: &str) -> Result<&'a str, Status> {
        phase(self.call, self.arena, namespace)
    }

    fn namespace(&self, name: &str) -> Result<Value<'a>, Status> {
        namespace(self.call, self.arena, name)
    }

    fn resource(&self, api_version: &str, kind: &str) -> Option<KindResource> {
        let catalog = self.call.core.catalog();
        let mut served = catalog.served.iter();
        let found = served.find(|served| served.api_version() == api_version && *served.kind == *kind)?;
        Some(KindResource {
            group: found.group.to_string(),
            resource: found.plural.to_string(),
            scope: found.scope,
        })
    }

    fn user(&self) -> &str {
        &self.call.request.user.name
    }

    fn groups(&self) -> &[String] {
        &self.call.request.user.groups
    }

    fn authorizer(&self) -> &dyn Authorizer {
        &self.access
    }

    fn create(&self, path: &str, object: Value<'_>) -> Result<(), Failed> {
        let body = kindsmith_json::to_string(object);
        let answer = Loopback::own(self.call.above).post(path, &body);
        match answer.status {
            409 => Ok(()),
            _ => done(&answer),
        }
    }

    fn replace(&self, path: &str, object: Value<'_>) -> Result<(), Failed> {
        done(&Loopback::own(self.call.above).put(path, object))
    }

    fn now(&self) -> i64 {
        self.call.environment.now().seconds
    }

    fn steady(&self) -> i128 {
        self.call.environment.steady().nanoseconds_since_1970()
    }

    fn caller(&self) -> Option<&dyn Caller> {
        self.call.core.webhooks.caller.as_deref()
    }

    fn suffix(&self) -> &'a str {
        self.suffix
    }
}
