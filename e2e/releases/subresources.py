"""Writes built-in objects and their subresources in random order as several managers on two servers, and prints the answers that differ.

    TOKEN=secret subresources.py REFERENCE OURS [TEXT]      COUNT=60 SEED=1

Each object of conformance/builtin/tables.json is updated, patched and applied COUNT times, at its own path or at a subresource that can be
read: random changes of what the first server answered there. Half of the changes are stored. Evictions, bindings and tokens are posted.
Managed fields are compared. TEXT limits it to paths that contain it.
"""

import copy
import json
import os
import random
import re

import mutate
import patches
import verbs

POSTED = {
    "eviction": ("policy/v1", "Eviction", ({}, {"deleteOptions": {"dryRun": ["All"]}}, {"deleteOptions": {"preconditions": {"uid": "x"}}}, {"deleteOptions": {"gracePeriodSeconds": -1}}, {"deleteOptions": 5}, {"x": 1})),
    "binding": ("v1", "Binding", ({"target": {"name": "node-1"}}, {"target": {}}, {"target": {"kind": "Pod", "name": "x"}}, {"target": {"kind": "Node", "name": "n"}}, {"target": {"name": "n", "uid": "u"}}, {})),
    "token": ("authentication.k8s.io/v1", "TokenRequest", ({"spec": {}}, {"spec": {"audiences": ["a"], "expirationSeconds": 5}}, {"spec": {"audiences": ["a", ""], "expirationSeconds": 700}}, {"spec": {"boundObjectRef": {"kind": "Pod", "name": "x"}}}, {"spec": {"boundObjectRef": {"kind": "Nope", "apiVersion": "v1", "name": "x"}}}, {"spec": {"expirationSeconds": 1 << 33}}, {})),
}  # fmt: skip
METADATA = ({"name": "other"}, {}, {"namespace": "other"}, {"uid": "11111111-2222-3333-4444-555555555555"}, {"resourceVersion": "1"}, {"annotations": {"a": "b"}}, {"generateName": "x"})


def changed(dice, published, schema, found):
    """A random change of what was read: media type, body, and parameters. `None` stands for an update."""
    kind = dice.random()
    if kind < 0.12:
        return verbs.JSON, patches.steps(dice, found), ""
    given = mutate.mutate(dice, published, schema, found)[0] if dice.random() < 0.75 else copy.deepcopy(found)
    if kind < 0.4:
        return None, given, ""
    metadata = given.get("metadata")
    if isinstance(metadata, dict):
        for key in ("name", "namespace", "managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"):
            if dice.random() < 0.97:
                metadata.pop(key, None)
    if kind < 0.75:
        given = {key: value for key, value in given.items() if key not in ("apiVersion", "kind") or dice.random() < 0.05}
    given = patches.part(dice, given, 0.7)
    if kind < 0.6:
        if dice.random() < 0.4:
            patches.directive(dice, given)
        return verbs.STRATEGIC, given, ""
    if kind < 0.75:
        return verbs.MERGE, given, ""
    metadata = {"name": found["metadata"].get("name"), **(given.get("metadata") if isinstance(given.get("metadata"), dict) else {})}
    given = {"apiVersion": found["apiVersion"], "kind": found["kind"], **given, "metadata": metadata}
    return verbs.APPLY, given, dice.choice(("", "", "&force=true"))


def kind_of(object):
    group, _, version = object["apiVersion"].rpartition("/")
    return group, version, object["kind"]


def about(both, dice, published, one, subs, count):
    for _ in range(count):
        sub = dice.choice(("", *subs))
        target = one + ("/" + sub if sub else "")
        query = f"?fieldManager={dice.choice(patches.MANAGERS)}{dice.choice(('', '&dryRun=All'))}&fieldValidation={dice.choice(('Strict', 'Warn', 'Ignore'))}"
        if sub in POSTED:
            version, kind, bodies = POSTED[sub]
            metadata = dice.choice(METADATA) if dice.random() < 0.4 else {"name": one.rsplit("/", 1)[1]}
            both.ask(f"{sub}", "POST", target + "?dryRun=All", {"apiVersion": version, "kind": kind, "metadata": metadata, **dice.choice(bodies)})
            continue
        answers = [server.ask("GET", target) for server in both.servers]
        if any(status != 200 for status, *_ in answers):
            both.compare("read", f"GET {target}", answers)
            continue
        found = [json.loads(text) for _, text, _ in answers]
        if kind_of(found[0]) not in published.kinds:
            continue
        media, body, more = changed(dice, published, published.schemas[published.kinds[kind_of(found[0])]], found[0])
        own = (body, patches.instead(body, patches.made_up(*found)))
        method = "PATCH" if media else "PUT"
        answers = [server.ask(method, target + query + more, sent, media=media or "application/json") for server, sent in zip(both.servers, own)]
        both.compare(f"{media} {json.dumps(body)[:1800]}\n   stored {json.dumps(found[0])[:2500]}\n", f"{method} {target}{query}{more}", answers)


def main():
    both, text = verbs.both()
    verbs.LEFT_OUT = tuple(key for key in verbs.LEFT_OUT if key != "generation")
    verbs.MADE_UP += ((re.compile(r"Invalid value: \\?\"map\[.*"), "<patch>"),)
    dice, count = random.Random(int(os.environ.get("SEED", "1"))), int(os.environ.get("COUNT", "60"))
    reference = both.servers[0]
    published = mutate.Published(reference)
    for path, body in verbs.tables(text):
        if path.endswith("/flowschemas"):
            continue  # The reference writes the status of those that refer to no level.
        base, plural = re.match(r"/api/v1|/apis/[^/]+/[^/]+", path)[0], path.rsplit("/", 1)[1]
        subs = [each["name"].split("/")[1] for each in reference.json(base)["resources"] if each["name"].startswith(plural + "/")]
        subs = [sub for sub in subs if sub not in ("proxy", "attach", "exec", "portforward", "log", "finalize")]
        one = f"{path}/{body['metadata']['name']}"
        for webhook in body.get("webhooks", ()):
            webhook["clientConfig"].pop("caBundle", None)
        for server in both.servers:
            server.ask("POST", path + "?fieldManager=alpha", body)
        before = both.differing()
        about(both, dice, published, one, subs * 3, count if subs else count // 4)
        print(f"{path}: {both.differing() - before} answers differ", flush=True)
        for server in both.servers:
            server.ask("DELETE", f"{one}?gracePeriodSeconds=0")
            server.ask("PATCH", one, {"metadata": {"finalizers": None}}, media=verbs.MERGE)
    both.end()


if __name__ == "__main__":
    main()
