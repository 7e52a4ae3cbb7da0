"""Sends CRDs with random changes to two servers, new, as updates, as patches and as applied configurations, and prints the answers that differ.

    TOKEN=secret definitions.py REFERENCE OURS      COUNT=30 CHANGES=40 SEED=1

The CRDs are those of schemas.py. Most changes are dry runs; of the others, versions, names, scopes, conversions and conditions follow from what was
before.
"""

import copy
import json
import os
import random
import time

import mutate
import patches
import schemas
import verbs

BASE = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def chosen(dice, crd):
    """A change that people make."""
    made = copy.deepcopy(crd)
    spec = made["spec"]
    first = spec["versions"][0]

    def add(**members):
        spec["versions"] = [*(spec["versions"] or ()), {**copy.deepcopy(first), "storage": False, **members}]

    def flip():
        add(name="v2", storage=True)
        first["storage"] = False

    def each(key, value):
        for version in spec["versions"] or ():
            version[key] = value

    changes = (
        lambda: add(name="v2"),
        flip,
        lambda: add(name="v1"),
        lambda: add(name="v2", storage=True),
        lambda: add(name="V2"),
        lambda: add(name="v2", schema=None),
        lambda: add(name="v2", served=False),
        lambda: add(name="v1beta1", deprecated=True, deprecationWarning="x" * 300),
        lambda: each("served", False),
        lambda: each("storage", False),
        lambda: each("schema", {}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "string"}}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "object", "nullable": True}}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"x": {"type": "string"}}}}}}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "object", "properties": {"apiVersion": {"type": "integer"}}}}),
        lambda: each("schema", {"openAPIV3Schema": {"type": "object", "x-kubernetes-embedded-resource": True}}),
        lambda: each("subresources", {"status": {}}),
        lambda: each("subresources", {"scale": {"specReplicasPath": ".spec.x", "statusReplicasPath": ".status.y"}}),
        lambda: each("subresources", {"scale": {"specReplicasPath": "spec.x", "statusReplicasPath": ".spec.y", "labelSelectorPath": ".a"}}),
        lambda: each("subresources", None),
        lambda: each("additionalPrinterColumns", [{"name": "A", "type": "date", "jsonPath": ".x"}] * dice.choice((1, 2))),
        lambda: each("selectableFields", [{"jsonPath": ".spec.a"}] * dice.choice((1, 2, 9))),
        lambda: spec.update(versions=[]),
        lambda: spec.update(versions=None),
        lambda: spec.update(scope=dice.choice(("Namespaced", "Cluster", "x", ""))),
        lambda: spec.update(group=dice.choice(("other.example.org", "", "A.b", "nodots", "x.k8s.io"))),
        lambda: spec.update(preserveUnknownFields=dice.choice((True, False, None))),
        lambda: spec["names"].update(plural=dice.choice(("qs", "", "A"))),
        lambda: spec["names"].update(kind=dice.choice(("Q", "", "q-q", "RList", "R.S"))),
        lambda: spec["names"].update(listKind=dice.choice(("QList", "", "R"))),
        lambda: spec["names"].update(singular=dice.choice(("q", "", "rs", "A"))),
        lambda: spec["names"].update(shortNames=dice.choice((["a", "a"], ["A"], [""], ["r"], ["rs"], []))),
        lambda: spec["names"].update(categories=dice.choice((["all"], ["A"], [""], ["a", "a"]))),
        lambda: spec.update(conversion=dice.choice((None, {}, {"strategy": "None"}, {"strategy": "Nope"}, {"strategy": "Webhook"}, {"strategy": "None", "webhook": {}},
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": []}}, {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1", "v1"], "clientConfig": {}}},
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v9", "v1"], "clientConfig": {"url": dice.choice(("http://x", "https://x?y", "https://u@x", "https://x#y", "x", "https://127.0.0.1:1/a/b/", "https://"))}}},
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v9"], "clientConfig": {"url": "https://x", "service": {"name": "a", "namespace": "b"}}}},
            {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"caBundle": dice.choice(("", "eA==", "x")), "service": {"name": dice.choice(("a", "")), "namespace": "b", "port": dice.choice((0, 443, 70000)), "path": dice.choice(("/x", "x", "/x//y", "/", "", "/x?y", "/a b"))}}}}))),
        lambda: made["metadata"].update(annotations={"api-approved.kubernetes.io": dice.choice(("https://github.com/kubernetes/kubernetes/pull/1", "unapproved, x", "x", ""))}),
        lambda: made["metadata"].update(name=dice.choice(("x", "rs.other", ""))),
        lambda: made["metadata"].update(finalizers=dice.choice((["x"], ["a/b", "a/b"], ["customresourcecleanup.apiextensions.k8s.io"], [""]))),
        lambda: made.update(status=dice.choice(({}, {"storedVersions": ["v1"]}, {"storedVersions": []}, {"storedVersions": ["v1", "v9"]}, {"conditions": []}, {"acceptedNames": {"plural": "x", "kind": "X"}}, None, {"observedGeneration": 7}))),
    )  # fmt: skip
    for _ in range(dice.choice((1, 1, 1, 2))):
        dice.choice(changes)()
    return made


def one(both, dice, published, number, count):
    make = schemas.Maker(dice)
    crd = make.crd(number)
    if make.chance(0.1):
        crd["spec"]["group"] = f"r{number}.k8s.io"
        crd["metadata"]["name"] = f"rs.r{number}.k8s.io"
    schema = published.schemas[published.kinds["apiextensions.k8s.io", "v1", "CustomResourceDefinition"]]
    name = f"{BASE}/{crd['metadata']['name']}"
    for _ in range(4):
        other = chosen(dice, crd) if make.chance(0.5) else mutate.mutate(dice, published, schema, crd)[0]
        both.ask(json.dumps(other)[:3000], "POST", f"{BASE}?dryRun=All&fieldValidation=Strict", other)
    answers = both.ask("created", "POST", f"{BASE}?fieldManager=alpha", crd)
    if any(answer[0] != 201 for answer in answers):
        return
    time.sleep(0.3)
    for _ in range(count):
        answers = [server.ask("GET", name) for server in both.servers]
        if any(answer[0] != 200 for answer in answers):
            both.compare("gone", name, answers)
            break
        found = [json.loads(answer[1]) for answer in answers]
        stored = dice.random() < 0.2
        query = f"?fieldManager={dice.choice(patches.MANAGERS)}&fieldValidation={dice.choice(('Strict', 'Warn', 'Ignore'))}" + ("" if stored else "&dryRun=All")
        target = name + dice.choice(("", "", "", "/status"))
        kind = dice.random()
        if kind < 0.3:
            media, body, more = patches.change(dice, published, schema, found[0])
        elif kind < 0.5:
            changed = chosen(dice, found[0])
            media, body, more = verbs.MERGE, {key: changed.get(key) for key in ("spec", "status")}, ""
        elif kind < 0.65:
            changed = chosen(dice, crd)
            media, body, more = verbs.APPLY, changed, dice.choice(("", "&force=true"))
            body["metadata"] = {"name": crd["metadata"]["name"]}
        else:
            media, body, more = None, chosen(dice, found[0]) if make.chance(0.7) else mutate.mutate(dice, published, schema, found[0])[0], ""
        own = (body, patches.instead(body, patches.made_up(*found)))
        answers = [server.ask("PATCH" if media else "PUT", target + query + more, sent, media=media or "application/json") for server, sent in zip(both.servers, own)]
        both.compare(f"{media} {json.dumps(body)[:2500]}\n   stored {json.dumps(found[0])[:2500]}\n", f"{target}{query}{more}", answers)
        if stored:
            time.sleep(0.25)
    for server in both.servers:
        server.ask("PATCH", name, {"metadata": {"finalizers": None}}, media=verbs.MERGE)
        server.ask("DELETE", name)


def main():
    both, _ = verbs.both()
    verbs.ANY_ORDER = True
    verbs.LEFT_OUT = tuple(key for key in verbs.LEFT_OUT if key not in ("generation", "description"))
    seed, count, changes = (int(os.environ.get(name, given)) for name, given in (("SEED", "1"), ("COUNT", "30"), ("CHANGES", "40")))
    published = mutate.Published(both.servers[0])
    for number in range(count):
        before = both.differing()
        one(both, random.Random(f"{seed}-{number}"), published, seed * 10000 + number, changes)
        if both.differing() > before:
            print(f"=== CRD {number}: {both.differing() - before} answers differ", flush=True)
    both.end()


if __name__ == "__main__":
    main()
