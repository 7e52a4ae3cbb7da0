"""Sends objects of built-in kinds with random changes to two servers, and prints the answers that differ.

    TOKEN=secret mutate.py REFERENCE OURS [TEXT]      COUNT=100 SEED=1

Each object of conformance/builtin/tables.json is sent COUNT times as a dry run, with one to three changes: a member is removed or replaced,
or one is added that the published schema knows. Half of them are updates of the object. TEXT limits it to paths that contain it. A
difference is printed twice at most; the number at the end says how often it was seen.
"""

import copy
import json
import os
import random

import verbs

WORDS = (
    "", "a", "A_B", "abc-1", "-a", "1", "0", "10%", "-5%", "10.0.0.1", "::1", "10.0.0.0/8", "fd00::/64", "x" * 64, "x" * 254, "/a/b", "/a/../b", "a/../b",
    "a.b.example.com", "a.example.com/name", "Always", "Never", "OnFailure", "Retain", "Delete", "TCP", "None", "100m", "1Gi", "-1", "1.5", "2020-01-01T00:00:00Z",
    "é", "a b", "*", "*.example.com", "apps/v1", "default", "http", "https://example.com/x", "sha256:" + "a" * 64,
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 80, 443, 100, 101, 65535, 65536, 2147483647, -2147483648, 2147483648, 1.5)
DEEPEST = 7


class Published:
    """The schemas of a server, by group, version and kind."""

    def __init__(self, server):
        self.schemas, self.kinds = {}, {}
        for path in server.json("/openapi/v3")["paths"].values():
            self.schemas |= server.json(path["serverRelativeURL"]).get("components", {}).get("schemas", {})
        for name, schema in self.schemas.items():
            for kind in schema.get("x-kubernetes-group-version-kind", []):
                self.kinds[kind["group"], kind["version"], kind["kind"]] = name

    def resolved(self, schema):
        for part in (schema, *schema.get("allOf", ())):
            if "$ref" in part:
                return self.schemas[part["$ref"].rsplit("/", 1)[1]]
        return schema

    def value(self, dice, schema, depth):
        schema = self.resolved(schema)
        if "enum" in schema and dice.random() < 0.8:
            return dice.choice(schema["enum"])
        sort = schema.get("type")
        if sort == "object" and depth < DEEPEST:
            members = schema.get("properties", {})
            kept = [key for key in members if key in schema.get("required", ()) or dice.random() < 0.4]
            made = {key: self.value(dice, members[key], depth + 1) for key in kept}
            if "additionalProperties" in schema:
                made |= {dice.choice(WORDS): self.value(dice, schema["additionalProperties"], depth + 1) for _ in range(dice.randint(0, 2))}
            return made
        if sort == "array" and depth < DEEPEST:
            return [self.value(dice, schema["items"], depth + 1) for _ in range(dice.randint(0, 2))]
        if sort == "boolean":
            return dice.random() < 0.5
        if sort in ("integer", "number"):
            return dice.choice(NUMBERS[:-1])
        return dice.choice(WORDS)


def places(value, schema, published, path=()):
    """All paths below an object with the schemas of their values, where there are some."""
    schema = published.resolved(schema) if schema else {}
    if isinstance(value, dict):
        for key, item in value.items():
            below = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
            yield (*path, key), below
            yield from places(item, below, published, (*path, key))
        for key in schema.get("properties", {}):
            if key not in value:
                yield (*path, key), schema["properties"][key]
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index), schema.get("items")
            yield from places(item, schema.get("items"), published, (*path, index))


def mutate(dice, published, schema, given):
    """The object with some changes, and what they were."""
    made, told = copy.deepcopy(given), []
    for _ in range(dice.randint(1, 3)):
        # Few changes of what says the kind: nothing else is looked at then. The reference shows a selfLink in dry runs of updates, and never stores it.
        found = [place for place in places(made, schema, published) if place[0][0] not in ("apiVersion", "kind") or dice.random() < 0.02]
        found = [place for place in found if place[0][-1] != "selfLink"]
        path, below = dice.choice(found)
        holder = made
        for part in path[:-1]:
            holder = holder[part]
        key, chance = path[-1], dice.random()
        is_there = isinstance(holder, list) or key in holder
        if is_there and chance < 0.15:
            told.append(f"no {path}")
            del holder[key]
        elif isinstance(holder, list) and chance < 0.3:
            told.append(f"twice {path}")
            holder.append(copy.deepcopy(holder[key]))
        else:
            value = dice.choice((None, "x", 5, True, [], {})) if chance > 0.95 else published.value(dice, below or {}, len(path))
            told.append(f"{path} = {json.dumps(value)[:200]}")
            holder[key] = value
    return made, told


def read(server, path):
    """An object as a server has it, without what it compares."""
    status, body, _ = server.ask("GET", path)
    if status != 200:
        return None
    found = json.loads(body)
    for key in ("uid", "resourceVersion", "managedFields", "creationTimestamp", "generation"):
        found["metadata"].pop(key, None)
    return found


def main():
    both, text = verbs.both()
    dice, count = random.Random(int(os.environ.get("SEED", "1"))), int(os.environ.get("COUNT", "100"))
    published = Published(both.servers[0])
    for path, body in verbs.tables(text):
        group, _, version = body["apiVersion"].rpartition("/")
        schema = published.schemas[published.kinds[group, version, body["kind"]]]
        one = f"{path}/{body['metadata']['name']}"
        for server in both.servers:
            server.ask("POST", path, body)
        stored = [read(server, one) for server in both.servers]
        before = both.differing()
        for number in range(count):
            query = "?dryRun=All&fieldValidation=Strict"
            if number % 2 and all(stored):
                # The same changes of what each server has: it made up parts of it.
                state = dice.getstate()
                answers = []
                for server, given in zip(both.servers, stored):
                    dice.setstate(state)
                    made, told = mutate(dice, published, schema, given)
                    answers.append(server.ask("PUT", one + query, made))
                both.compare(told, f"PUT {one}", answers)
            else:
                made, told = mutate(dice, published, schema, body)
                metadata = made.get("metadata")
                # A generated name differs each time.
                if isinstance(metadata, dict) and metadata.get("name") in (None, "", body["metadata"]["name"]) and "generateName" in metadata:
                    metadata["name"] = "made"
                both.ask(told, "POST", path + query, made)
        print(f"{path}: {count} objects, {both.differing() - before} answers differ", flush=True)
        for server in both.servers:
            server.ask("DELETE", f"{one}?gracePeriodSeconds=0")
            server.ask("PATCH", one, {"metadata": {"finalizers": None}}, media=verbs.MERGE)
    both.end()


if __name__ == "__main__":
    main()
