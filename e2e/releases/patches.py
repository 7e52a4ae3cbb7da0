"""Sends random patches and applied configurations of built-in kinds to two servers, and prints the answers that differ.

    TOKEN=secret patches.py REFERENCE OURS [TEXT]      COUNT=100 SEED=1

Each object of conformance/builtin/tables.json is changed COUNT times by one of several managers: by strategic merge patches with and without
directives, merge patches, JSON patches, and applied parts of it, some forced. One in eight changes is stored, so that managers share and
take over fields; the others are dry runs. Managed fields are compared. TEXT limits it to paths that contain it.
"""

import copy
import json
import os
import random
import re

import mutate
import verbs

MANAGERS = ("alpha", "beta", "gamma")
KEYS = ("name", "containerPort", "port", "mountPath", "devicePath", "topologyKey", "type", "ip", "uid", "key", "containerName", "device")


def part(dice, value, keep):
    """Some of an object: members of maps at random, elements of lists too, with their keys."""
    if isinstance(value, dict):
        return {key: part(dice, item, keep) for key, item in value.items() if key in KEYS or dice.random() < keep}
    if isinstance(value, list):
        return [part(dice, item, keep) for item in value if dice.random() < keep]
    return value


def maps(value):
    """All maps in a value."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from maps(item)


def lists(value):
    """All lists in a value, with the map that holds them."""
    for each in maps(value):
        yield from ((each, key) for key, item in each.items() if isinstance(item, list))


def directive(dice, patch):
    """Adds a directive of strategic merge patches to a patch."""
    found, where = list(lists(patch)), dice.choice(list(maps(patch)))
    kind = dice.random()
    if kind < 0.25:
        where["$patch"] = dice.choice(("replace", "delete", "merge", "retainKeys", "no", 5))
    elif kind < 0.4:
        where["$retainKeys"] = dice.choice((list(where), list(where)[:1], [], "x", [1]))
    elif not found:
        where[dice.choice(list(where) or ["x"])] = None
    else:
        holder, key = dice.choice(found)
        items = holder[key]
        keyed = [{name: item[name] for name in KEYS if name in item} for item in items if isinstance(item, dict)]
        if kind < 0.55:
            holder[f"$setElementOrder/{key}"] = dice.choice((keyed or items, (keyed or items)[::-1], [], "x", [*(keyed or items), *(keyed or items)]))
        elif kind < 0.7:
            holder[f"$deleteFromPrimitiveList/{key}"] = dice.choice((items, [], "x", ["no"]))
        elif kind < 0.85:
            items.append({**(dice.choice(keyed) if keyed else {}), "$patch": dice.choice(("delete", "replace", "merge"))})
        else:
            items.insert(0, {"$patch": "replace"})


def steps(dice, object):
    """A JSON patch."""
    found = [path for path, _ in mutate.places(object, None, Unknown) if path]
    made = []
    for _ in range(dice.randint(1, 3)):
        path = dice.choice(found)
        if dice.random() < 0.2:
            path = (*path[:-1], dice.choice(("-", "0", "x", "-1", "01", "a~b/c")))
        text = "".join("/" + str(each).replace("~", "~0").replace("/", "~1") for each in path)
        other = "".join("/" + str(each).replace("~", "~0").replace("/", "~1") for each in dice.choice(found))
        op = dice.choice(("add", "replace", "remove", "test", "copy", "move", "no"))
        step = {"op": op, "path": text}
        if op in ("add", "replace", "test"):
            step["value"] = dice.choice((None, "x", 5, True, [], {}, lookup(object, dice.choice(found))))
        if op in ("copy", "move"):
            step["from"] = other
        made.append(step)
    return made


class Unknown:
    """A schema that nobody knows."""

    @staticmethod
    def resolved(schema):
        return schema


def lookup(value, path):
    for key in path:
        value = value[key]
    return value


def made_up(left, right):
    """Texts that each server made up, with what the other has instead."""
    if isinstance(left, str) and isinstance(right, str) and left != right:
        return {left: right}
    found = {}
    if isinstance(left, dict) and isinstance(right, dict):
        for key in left.keys() & right.keys():
            found |= made_up(left[key], right[key])
    elif isinstance(left, list) and isinstance(right, list):
        for one, other in zip(left, right):
            found |= made_up(one, other)
    return found


def instead(value, names):
    """A value with other texts."""
    if isinstance(value, dict):
        return {key: instead(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [instead(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def change(dice, published, schema, object):
    """A media type, a body, and parameters."""
    kind = dice.random()
    if kind < 0.15:
        return verbs.JSON, steps(dice, object), ""
    given, _ = mutate.mutate(dice, published, schema, object) if dice.random() < 0.5 else (copy.deepcopy(object), None)
    given = {key: value for key, value in given.items() if key not in ("apiVersion", "kind", "status")}
    metadata = given.get("metadata")
    if isinstance(metadata, dict):
        for key in ("name", "namespace", "managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"):
            metadata.pop(key, None)
    given = part(dice, given, 0.7)
    if kind < 0.55:
        for _ in range(dice.choice((0, 1, 1, 2))):
            directive(dice, given)
        return verbs.STRATEGIC, given, ""
    if kind < 0.65:
        return verbs.MERGE, given, ""
    metadata = {"name": object["metadata"]["name"], **(given.get("metadata") if isinstance(given.get("metadata"), dict) else {})}
    given = {"apiVersion": object["apiVersion"], "kind": object["kind"], **given, "metadata": metadata}
    return verbs.APPLY, given, dice.choice(("", "", "&force=true"))


def main():
    both, text = verbs.both()
    verbs.LEFT_OUT = tuple(key for key in verbs.LEFT_OUT if key != "generation")
    # Errors show a strategic patch without the directives that were read before, in an order that Go makes up.
    verbs.MADE_UP += ((re.compile(r"Invalid value: \\?\"map\[.*"), "<patch>"),)
    dice, count = random.Random(int(os.environ.get("SEED", "1"))), int(os.environ.get("COUNT", "100"))
    published = mutate.Published(both.servers[0])
    for path, body in verbs.tables(text):
        group, _, version = body["apiVersion"].rpartition("/")
        schema = published.schemas[published.kinds[group, version, body["kind"]]]
        one = f"{path}/{body['metadata']['name']}"
        for webhook in body.get("webhooks", ()):
            # The reference stores an empty bundle as bytes, and then takes every update for a change.
            webhook["clientConfig"].pop("caBundle", None)
        for server in both.servers:
            server.ask("POST", path + "?fieldManager=alpha", body)
        before = both.differing()
        for _ in range(count):
            answers = [server.ask("GET", one) for server in both.servers]
            if any(status != 200 for status, *_ in answers):
                break
            found = [json.loads(text) for _, text, _ in answers]
            media, patch, more = change(dice, published, schema, found[0])
            own = (patch, instead(patch, made_up(*found)))
            stored = "" if dice.random() < 0.125 else "&dryRun=All"
            query = f"?fieldManager={dice.choice(MANAGERS)}{more}{stored}&fieldValidation={dice.choice(('Strict', 'Warn', 'Ignore'))}"
            answers = [server.ask("PATCH", one + query, sent, media=media) for server, sent in zip(both.servers, own)]
            both.compare(f"{media} {json.dumps(patch)[:1500]}", f"PATCH {one}{query}", answers)
        print(f"{path}: {both.differing() - before} answers differ", flush=True)
        for server in both.servers:
            server.ask("DELETE", f"{one}?gracePeriodSeconds=0")
            server.ask("PATCH", one, {"metadata": {"finalizers": None}}, media=verbs.MERGE)
    both.end()


if __name__ == "__main__":
    main()
