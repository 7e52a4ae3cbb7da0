//! `GET` of many objects (`ListResource` in apiserver's pkg/endpoints/handlers/get.go).
//!
//! Objects go from the store to the response one by one: copied if that is what decoding would give, and otherwise only one of
//! them is decoded at any time.

mod items;

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::Scope;
use kindsmith_object::store_key;
use kindsmith_request::Status;
use kindsmith_store::{Bytes, Entry, Error, Keep, List, Page};

use super::{Call, component_status};
use crate::read::continue_token::Token;
use crate::read::list_options::{ListOptions, Match, expired, parse_version, too_large};
use crate::read::skim::Skim;
use crate::read::together::{self, Together};
use crate::response::negotiate::{self, Accepted, Encoding, MetaVersion, Shape, negotiate};
use crate::response::partial::partial;
use crate::response::render::{self, ListMeta};
use crate::response::status_response;
use crate::response::table::{Columns, Include, RowForm};
use crate::stored::{CorruptObjects, Freshness};
use crate::verbatim::{Part, Verbatim};
use crate::{Response, Time, Unreadable, stored, webhook};
use items::{Items, Origin, PartialItems, PlainItems, ProtobufItems, RowItems};

/// The largest page to read at once when a selector may drop most entries.
const MOST: usize = 10_000;

/// How much of a whole list is read at once: nobody can write meanwhile.
const SHARE: usize = 1_000;

/// Responds with a list.
///
/// # Errors
///
/// If the parameters are invalid or the requested form is not available.
pub(crate) fn list(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = negotiate(call.request, call.query, render::endpoint(call.served))?;
    let options = ListOptions::decode(call)?;
    match accepted.shape {
        Shape::Table(version) => table(call, &options, accepted, version),
        Shape::Partial(_) => {
            each(call, &options, &mut |_, _| {})?;
            let ty = if call.served.resource.is_custom() {
                "*unstructured.UnstructuredList".to_owned()
            } else {
                render::go_type(call.served, &call.served.list_kind)
            };
            Err(negotiate::not_acceptable_because(format!(
                "you requested PartialObjectMetadata, but the requested object is a list ({ty})"
            )))
        }
        Shape::PartialList(version) => partial_list(call, &options, accepted, version),
        Shape::Plain | Shape::Discovery if accepted.encoding == Encoding::Protobuf => {
            protobuf_list(call, &options, accepted)
        }
        Shape::Plain | Shape::Discovery => plain_list(call, &options, accepted),
    }
}

fn table(
    call: &Call<'_>,
    options: &ListOptions,
    accepted: Accepted,
    version: MetaVersion,
) -> Result<Response, Status> {
    let include = Include::decode(call.query);
    let form = RowForm {
        include: include.clone().unwrap_or(Include::None),
        version,
        order: stored::order(call.served),
        now: call.environment.now(),
    };
    let columns = Columns::new(call.served);
    let mut items = RowItems::new(&columns, form);
    let metadata = walk(call, options, &mut items)?;
    let rows = items.finish()?;
    include?;
    let text = render::table_text(&columns, version, &metadata, rows);
    Ok(render::json_pieces(accepted, text))
}

fn partial_list(
    call: &Call<'_>,
    options: &ListOptions,
    accepted: Accepted,
    version: MetaVersion,
) -> Result<Response, Status> {
    if accepted.encoding == Encoding::Protobuf {
        return partial_protobuf(call, options, version);
    }
    let mut items = PartialItems::new(call.served, version);
    let metadata = walk(call, options, &mut items)?;
    let mut head = format!(
        "{{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"{}\",\"metadata\":",
        version.api_version()
    );
    metadata.append_typed(&mut head);
    let mut out = items.text;
    // Go's typed list is nil if nothing was appended.
    if out.is_empty() {
        out.extend(b",\"items\":null}");
    } else {
        head.push_str(",\"items\":[");
        out.extend(b"]}");
    }
    out.prepend(head.into_bytes());
    Ok(render::json_pieces(accepted, out))
}

fn partial_protobuf(
    call: &Call<'_>,
    options: &ListOptions,
    version: MetaVersion,
) -> Result<Response, Status> {
    let append = |out: &mut Vec<u8>, arena: &Arena, object: Value<'_>| {
        let message = negotiate::meta_message("PartialObjectMetadata", partial(arena, object, version));
        out.extend_from_slice(&message);
        true
    };
    let mut items = ProtobufItems::new(Part::Metadata, None, append);
    let metadata = walk(call, options, &mut items)?;
    let (api_version, kind) = (version.api_version(), "PartialObjectMetadataList");
    Ok(render::protobuf_list(
        api_version,
        kind,
        &metadata,
        items.messages,
    ))
}

fn plain_list(call: &Call<'_>, options: &ListOptions, accepted: Accepted) -> Result<Response, Status> {
    let served = call.served;
    let is_custom = served.resource.is_custom();
    let mut items = PlainItems::new(served);
    let metadata = walk(call, options, &mut items)?;
    let (mut out, api_version) = (items.text, render::api_version(served));
    let (mut head, mut tail) = (String::new(), String::new());
    if is_custom {
        head = format!("{{\"apiVersion\":\"{api_version}\",\"items\":[");
        tail = format!("],\"kind\":\"{}\",\"metadata\":", served.list_kind);
        metadata.append_untyped(&mut tail);
        tail.push('}');
    } else {
        let kind = &served.list_kind;
        head.push_str(&format!(
            "{{\"kind\":\"{kind}\",\"apiVersion\":\"{api_version}\",\"metadata\":"
        ));
        metadata.append_typed(&mut head);
        head.push_str(",\"items\":[");
        tail.push_str("]}");
    }
    out.extend(tail.as_bytes());
    out.prepend(head.into_bytes());
    Ok(render::json_pieces(accepted, out))
}

fn protobuf_list(call: &Call<'_>, options: &ListOptions, accepted: Accepted) -> Result<Response, Status> {
    let served = call.served;
    let append = |out: &mut Vec<u8>, _: &Arena, object: Value<'_>| {
        served.resource.append_protobuf(out, &served.version, object)
    };
    let mark = Verbatim::of(served).map(|verbatim| verbatim.mark());
    let mut items = ProtobufItems::new(Part::Whole, mark, append);
    let metadata = walk(call, options, &mut items)?;
    if !items.is_complete {
        return plain_list(call, options, accepted);
    }
    let messages = items.messages;
    let api_version = render::api_version(served);
    Ok(render::protobuf_list(
        &api_version,
        &served.list_kind,
        &metadata,
        messages,
    ))
}

/// Visits the objects of a list in order and returns the list's metadata.
///
/// # Errors
///
/// If the list cannot be read.
pub(crate) fn each(
    call: &Call<'_>,
    options: &ListOptions,
    visit: &mut impl for<'a> FnMut(&'a Arena, Value<'a>),
) -> Result<ListMeta, Status> {
    walk(call, options, visit)
}

fn walk(call: &Call<'_>, options: &ListOptions, items: &mut dyn Items) -> Result<ListMeta, Status> {
    if !call.served.resource.is_stored() {
        let visit: &mut dyn for<'a> FnMut(&'a Arena, Value<'a>) =
            &mut |arena, object| items.object(arena, object, Origin::Made);
        return Ok(component_status::each(call, options, visit));
    }
    let prefix = call.collection_prefix();
    let plan = Plan::new(call, options)?;
    let mut start = plan
        .token
        .as_ref()
        .map(|token| format!("{prefix}{}", token.start).into_bytes());
    let (mut at, mut arena, mut visit) = (plan.at, Arena::new(), Visit::new(call, options));
    let single = single(call, options);
    let wanted = if single.is_some() { 0 } else { plan.limit };
    // A selector may drop most of what is read, so the pages grow. One call of a webhook converts a page.
    let mut width = match wanted {
        0 if call.served.resource.may_wait() => MOST,
        0 => SHARE,
        wanted if options.selects_all() => wanted,
        wanted => wanted.saturating_mul(2),
    };
    let counts = wanted > 0 && options.selects_all();
    // With a limit, what is passed over decides whether there is more.
    let skim = Skim::new(call.served, options);
    let may_select = |value: &Bytes| skim.may_select(value);
    let keep = (wanted == 0 && !options.selects_all()).then_some(Keep(&may_select));
    loop {
        let list = List {
            prefix: prefix.as_bytes(),
            start: start.as_deref(),
            limit: width,
            at,
            counts,
            keep,
        };
        let page = read_page(call, single.as_deref(), &list);
        let page = page.map_err(|error| plan.failure(error))?;
        at = Some(page.revision);
        let mut rest = page.entries.len() as u64 + page.remaining;
        for part in together::parts(call.served, &page.entries) {
            let converted = Arena::new();
            let mut together = visit.together(&converted, part);
            for (place, entry) in part.iter().enumerate() {
                arena.reset();
                rest -= 1;
                visit.entry(items, &arena, entry, together.take(place))?;
                if wanted > 0 && visit.found >= wanted && rest > 0 {
                    visit.corrupt.check(call.served)?;
                    return Ok(plan.interrupted(&page, &entry.key, &prefix, rest, options));
                }
            }
        }
        match page.next() {
            Some(next) if single.is_none() && !visit.corrupt.is_full() => start = Some(next),
            _ => {
                visit.corrupt.check(call.served)?;
                return Ok(plan.ended(&page));
            }
        }
        width = width.saturating_mul(2).min(MOST);
    }
}

/// The way of stored objects into a list.
struct Visit<'c> {
    call: &'c Call<'c>,
    options: &'c ListOptions,
    skim: Skim,
    freshness: Freshness,
    started: Time,
    /// How many objects the list has.
    found: usize,
    corrupt: CorruptObjects,
}

impl<'c> Visit<'c> {
    fn new(call: &'c Call<'c>, options: &'c ListOptions) -> Self {
        // The reference answers lists at a revision, and their next pages, from its watch cache.
        let is_dated = !options.continue_token.is_empty() || !options.resource_version.is_empty();
        Visit {
            call,
            options,
            skim: Skim::new(call.served, options),
            freshness: if is_dated {
                Freshness::Kept
            } else {
                Freshness::Asked
            },
            started: call.environment.steady(),
            found: 0,
            corrupt: CorruptObjects::default(),
        }
    }

    /// Reads what a webhook converts of a part of the list.
    fn together<'a>(&self, arena: &'a Arena, part: &'a [Entry]) -> Together<'a>
    where
        'c: 'a,
    {
        if self.corrupt.is_full() {
            return Together::default();
        }
        let served = self.call.served;
        let is_copied = |entry: &Entry| self.skim.copied(served, self.options, &entry.value).is_some();
        Together::read(arena, served, part, self.freshness, is_copied)
    }

    /// Takes an object into the list, if it is selected; `read` is the object if it was read before.
    fn entry<'a>(
        &mut self,
        items: &mut dyn Items,
        arena: &'a Arena,
        entry: &'a Entry,
        read: Option<Result<Value<'a>, Unreadable>>,
    ) -> Result<(), Status> {
        let served = self.call.served;
        if self.corrupt.is_full() {
            return Ok(());
        }
        webhook::check_time(self.call, self.started)?;
        if budget::is_done() {
            return Err(status_response::timeout());
        }
        let (mut is_taken, mut known) = (false, None);
        match self.skim.copied(served, self.options, &entry.value) {
            Some((_, false)) => return Ok(()),
            Some((copied, true)) => {
                is_taken = items.copied(entry, copied);
                if !is_taken {
                    let object = copied.object(arena, items.part(), entry.modified);
                    known = object.map(|object| (object, Origin::Copied(copied, entry)));
                }
            }
            None => {}
        }
        if let Some((object, origin)) = known {
            items.object(arena, object, origin);
        } else if !is_taken {
            let object = match read.unwrap_or_else(|| stored::read_as(arena, served, entry, self.freshness)) {
                Ok(object) => object,
                Err(error) => return self.corrupt.note(served.resource.release(), entry, error),
            };
            if !self.options.selects(object) {
                self.skim.learn(served, entry, object);
                return Ok(());
            }
            items.object(arena, object, Origin::Decoded(entry));
        }
        self.found += 1;
        Ok(())
    }
}

/// The key of the only object that can match, if the selector requires a name.
pub(crate) fn single(call: &Call<'_>, options: &ListOptions) -> Option<String> {
    let name = options.name.as_ref()?;
    let is_complete = !call.namespace().is_empty() || call.served.scope == Scope::Cluster;
    let is_plain = !name.is_empty() && !name.contains(['/', '%']);
    (is_complete && is_plain && options.continue_token.is_empty())
        .then(|| format!("{}{name}", call.collection_prefix()))
}

fn read_page(call: &Call<'_>, single: Option<&str>, list: &List<'_>) -> Result<Page, Error> {
    let Some(key) = single else {
        return call.store.list(list);
    };
    // If the key exists, it is the first with itself as prefix.
    let mut page = call.store.list(&List {
        prefix: key.as_bytes(),
        start: None,
        limit: 1,
        ..*list
    })?;
    page.entries.retain(|entry| &*entry.key == key.as_bytes());
    page.remaining = 0;
    Ok(page)
}

/// The revision to read at, and how much.
struct Plan {
    token: Option<Token>,
    at: Option<u64>,
    limit: usize,
}

impl Plan {
    fn new(call: &Call<'_>, options: &ListOptions) -> Result<Self, Status> {
        let version = options.resource_version.as_str();
        let mut limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
        if !options.continue_token.is_empty() {
            let token = Token::decode(&options.continue_token)?;
            if !matches!(version, "" | "0") {
                return Err(Status::bad_request(
                    "specifying resource version is not allowed when using continue",
                ));
            }
            return Ok(Plan {
                at: token.revision,
                token: Some(token),
                limit,
            });
        }
        let revision = parse_version(version)
            .map_err(|error| Status::bad_request(format!("invalid resource version: {error}")))?;
        let is_exact = match options.version_match {
            Match::Exact => true,
            Match::NotOlderThan => false,
            Match::Unset => limit > 0 && revision > 0,
        };
        if version == "0" {
            // Kubernetes serves such a list from its watch cache, which has no pages.
            limit = 0;
        }
        // With etcd, to know the current revision takes a round trip.
        if revision > call.store.seen() {
            let current = call.store.revision().map_err(stored::failure)?;
            if revision > current {
                // Events have no watch cache, which alone says when to come again.
                let is_cached = call.served.key_prefix != store_key::EVENTS;
                return Err(too_large(revision, current, u32::from(is_cached)));
            }
        }
        Ok(Plan {
            token: None,
            at: is_exact.then_some(revision),
            limit,
        })
    }

    fn failure(&self, error: Error) -> Status {
        match (error, &self.token) {
            (Error::Compacted { .. }, Some(token)) => token.expired(),
            (Error::Compacted { .. }, None) => {
                expired("The resourceVersion for the provided list is too old.")
            }
            (Error::Future { at, current }, _) => too_large(at, current, 0),
            (error, _) => stored::failure(error),
        }
    }

    fn interrupted(
        &self,
        page: &Page,
        last: &[u8],
        prefix: &str,
        rest: u64,
        options: &ListOptions,
    ) -> ListMeta {
        let start = String::from_utf8_lossy(last.get(prefix.len()..).unwrap_or_default()).into_owned();
        let token = Token {
            revision: Some(page.revision),
            start: format!("{start}\0"),
        };
        ListMeta {
            resource_version: page.revision.to_string(),
            continue_token: token.encode(),
            remaining: options.selects_all().then_some(rest),
        }
    }

    fn ended(&self, page: &Page) -> ListMeta {
        ListMeta {
            resource_version: page.revision.to_string(),
            ..ListMeta::default()
        }
    }
}
