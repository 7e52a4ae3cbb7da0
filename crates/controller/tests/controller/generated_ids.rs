//! Resources that the service names: the name is recorded, and a resource whose creation nobody heard of is found again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use kindsmith_controller::fake::OneObject;
use kindsmith_controller::{
    Controller, Convert, Create, Field, Http, HttpError, Ids, Json, Kind, Next, ObjectRef, Request, Response,
    Rest, RestAdapter, Update,
};
use kindsmith_merge::effective::Attribute;
use serde_json::json;

use crate::rig::runtime;

const TICKET: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tickets.park.example.org}
spec:
  group: park.example.org
  names: {kind: Ticket, plural: tickets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              resourceID: {type: string}
              price: {type: integer}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
";

const FIELDS: &[Field] = &[Field {
    spec: &["resourceID"],
    api: &["name"],
    convert: Convert::Nothing,
}];

const REST: Rest = Rest {
    collection: "projects/{project}/tickets",
    create: Create::Post,
    update: Update::Patch,
    ids: Ids::Generated {
        field: "name",
        items: "tickets",
        mark: &["labels", "object-uid"],
    },
    ..Rest::PLAIN
};

/// A service that names tickets by itself, one page of a list at a time.
#[derive(Clone, Default)]
struct Desk(Arc<Mutex<Tickets>>);

#[derive(Default)]
struct Tickets {
    all: BTreeMap<String, Json>,
    created: usize,
    loses_next_creation: bool,
}

impl Http for Desk {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let mut tickets = self.0.lock().expect("nobody panics");
        let (path, page) = request
            .path
            .split_once("?pageToken=")
            .unwrap_or((&request.path, "0"));
        let id = path
            .strip_prefix("/v1/projects/park/tickets")
            .expect("the only collection");
        let id = id.trim_start_matches('/').to_owned();
        let body = request.body.unwrap_or_default();
        let (status, body) = match (request.method, &*id) {
            ("POST", "") => {
                tickets.created += 1;
                let name = format!("projects/park/tickets/t{}", tickets.created);
                let mut ticket = body;
                ticket["name"] = json!(name);
                let id = format!("t{}", tickets.created);
                tickets.all.insert(id, ticket.clone());
                if std::mem::take(&mut tickets.loses_next_creation) {
                    return Err(HttpError("the connection broke".to_owned()));
                }
                (200, ticket)
            }
            ("GET", "") => {
                let page: usize = page.parse().expect("a number");
                let next = if page + 1 < tickets.all.len() {
                    json!((page + 1).to_string())
                } else {
                    json!("")
                };
                let items: Vec<&Json> = tickets.all.values().skip(page).take(1).collect();
                (200, json!({ "tickets": items, "nextPageToken": next }))
            }
            (method, id) => match (method, tickets.all.get_mut(id)) {
                (_, None) => (404, json!({})),
                ("DELETE", Some(_)) => (200, tickets.all.remove(id).unwrap_or_default()),
                ("PATCH", Some(ticket)) => {
                    ticket["price"] = body["price"].clone();
                    (200, ticket.clone())
                }
                (_, Some(ticket)) => (200, ticket.clone()),
            },
        };
        Ok(Response {
            status,
            retry_after: None,
            body,
        })
    }
}

struct Office {
    desk: Desk,
    cluster: OneObject,
    controller: Controller<OneObject, RestAdapter<Desk>>,
    what: ObjectRef,
}

impl Office {
    fn open(spec: &Json) -> Self {
        let kind = Arc::new(
            Kind::new(TICKET, FIELDS, &[("spec.resourceID", Attribute::Identity)], &REST)
                .expect("the tables are right"),
        );
        let desk = Desk::default();
        let cluster = OneObject::new(json!({
            "apiVersion": "park.example.org/v1", "kind": "Ticket",
            "metadata": { "name": "lion", "namespace": "park", "uid": "u-1", "generation": 1 }, "spec": spec,
        }));
        let adapter = RestAdapter {
            http: desk.clone(),
            prefix: "/v1".to_owned(),
            rest: kind.rest,
        };
        Office {
            what: kind.object("park", "lion"),
            controller: Controller::new(cluster.clone(), adapter, kind),
            desk,
            cluster,
        }
    }

    fn settle(&self) -> Next {
        for _ in 0..20 {
            let next = runtime().block_on(self.controller.pass(&self.what, "2026-01-02T03:04:05Z", 0.5));
            if next != Next::Poll {
                return next;
            }
        }
        panic!("it never settles");
    }

    fn external(&self) -> Option<String> {
        let object = self.cluster.lock();
        object.as_ref()?["status"]["externalRef"]
            .as_str()
            .map(str::to_owned)
    }

    /// A user deletes the object.
    fn delete(&self) {
        self.cluster
            .edit(|object| object["metadata"]["deletionTimestamp"] = json!("2026-01-02T03:04:05Z"));
    }

    fn created(&self) -> usize {
        self.desk.0.lock().expect("nobody panics").created
    }
}

#[test]
fn the_name_of_the_service_is_recorded() {
    let office = Office::open(&json!({ "price": 5 }));
    // Others are not touched.
    let other = json!({ "name": "projects/park/tickets/a", "labels": { "object-uid": "u-0" } });
    office
        .desk
        .0
        .lock()
        .expect("nobody panics")
        .all
        .insert("a".to_owned(), other);
    assert!(matches!(office.settle(), Next::After(_)));
    assert_eq!(office.external().as_deref(), Some("projects/park/tickets/t1"));
    assert_eq!(office.created(), 1);
    office.delete();
    assert_eq!(office.settle(), Next::OnChange);
    let left: Vec<String> = office
        .desk
        .0
        .lock()
        .expect("nobody panics")
        .all
        .keys()
        .cloned()
        .collect();
    assert_eq!((office.external(), left), (None, vec!["a".to_owned()]));
}

#[test]
fn a_creation_that_nobody_heard_of_is_not_repeated() {
    let office = Office::open(&json!({ "price": 5 }));
    office.desk.0.lock().expect("nobody panics").loses_next_creation = true;
    assert!(matches!(office.settle(), Next::Retry { .. }));
    assert_eq!(office.external(), None);
    assert!(matches!(office.settle(), Next::After(_)));
    assert_eq!(office.external().as_deref(), Some("projects/park/tickets/t1"));
    assert_eq!(office.created(), 1);
}

#[test]
fn a_creation_that_nobody_heard_of_is_deleted_with_its_object() {
    let office = Office::open(&json!({ "price": 5 }));
    office.desk.0.lock().expect("nobody panics").loses_next_creation = true;
    assert!(matches!(office.settle(), Next::Retry { .. }));
    office.delete();
    assert_eq!(office.settle(), Next::OnChange);
    assert!(office.desk.0.lock().expect("nobody panics").all.is_empty());
}

#[test]
fn an_existing_resource_is_adopted_by_its_id() {
    let office = Office::open(&json!({ "resourceID": "a", "price": 5 }));
    let other = json!({ "name": "projects/park/tickets/a", "price": 5 });
    office
        .desk
        .0
        .lock()
        .expect("nobody panics")
        .all
        .insert("a".to_owned(), other);
    assert!(matches!(office.settle(), Next::After(_)));
    assert_eq!(
        (office.external().as_deref(), office.created()),
        (Some("projects/park/tickets/a"), 0)
    );
}
