"""Sends CRDs with random schemas to two servers, and objects of those that both take, and prints the answers that differ.

    TOKEN=secret schemas.py REFERENCE OURS      COUNT=30 OBJECTS=40 SEED=1

Schemas use all keywords that a CRD may have, some of them wrongly. Objects are made of their schema with random faults; they are created,
updated, patched and applied by several managers, read as tables, and written again after the schema has changed.
"""

import copy
import json
import os
import random
import re
import time

import patches
import verbs

NAMES = ("a", "b", "c", "name", "key", "d-e", "x.y", "items", "metadata", "kind", "nullable", "self", "int", "namespace", "__a")
WORDS = ("", "a", "b", "abc", "10", "5%", "2020-01-01T00:00:00Z", "10.0.0.1", "x" * 12, "é", "a b", "-1", "1.5", "YWJj", "1h", "fd00::1", "a.b.c", "0")
NUMBERS = (0, 1, -1, 2, 5, 10, 100, 2147483648, 1.5, -0.5, 1e20, 9223372036854775807)
FORMATS = ("date-time", "date", "duration", "byte", "ipv4", "ipv6", "cidr", "uuid", "email", "hostname", "uri", "int32", "int64", "double", "float",
    "password", "nope", "k8s-short-name", "k8s-long-name", "mac", "bsonobjectid", "datetime", "hexcolor", "isbn")  # fmt: skip
PATTERNS = ("^a", "[0-9]+", "^.{2,3}$", "(", "a|b", "\\d+$")


class Maker:
    def __init__(self, dice):
        self.dice = dice

    def chance(self, share):
        return self.dice.random() < share

    def pick(self, *choices):
        return self.dice.choice(choices)

    def schema(self, depth=0, wrong=0.01):
        """A structural schema, with something wrong now and then."""
        dice = self.dice
        kinds = ["string", "integer", "number", "boolean", "quantity", "any"] + (["object", "object", "map", "array", "array", "embedded"] if depth < 4 else [])
        made = getattr(self, "a_" + dice.choice(kinds))(depth, wrong)
        if self.chance(0.15):
            made["nullable"] = True
        if self.chance(0.2):
            made["default"] = self.value(made) if self.chance(0.8) else self.anything()
            if made["default"] is None and not made.get("nullable"):
                del made["default"]
        if self.chance(0.05):
            made["enum"] = [self.value(made) for _ in range(dice.randint(1, 3))]
        if self.chance(0.12):
            made["x-kubernetes-validations"] = [self.rule(made) for _ in range(dice.randint(1, 2))]
        if self.chance(0.08):
            made[self.pick("allOf", "anyOf", "oneOf")] = [self.values(made) for _ in range(dice.randint(1, 2))]
        if self.chance(0.03):
            made["not"] = self.values(made)
        if self.chance(0.05):
            made["description"] = "d"
        if self.chance(wrong):
            made[self.pick("x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-int-or-string", "type", "uniqueItems", "$ref", "id",
                "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "additionalProperties", "maxLength", "items", "required")] = self.pick(
                "set", "map", "atomic", "granular", True, False, None, 1, {}, [], ["a"], {"type": "string"})  # fmt: skip
        return made

    def a_string(self, depth, wrong):
        made = {"type": "string"}
        if self.chance(0.2):
            made["maxLength"] = self.pick(0, 1, 3, 10, 100)
        if self.chance(0.1):
            made["minLength"] = self.pick(0, 1, 3)
        if self.chance(0.15):
            made["format"] = self.dice.choice(FORMATS)
        if self.chance(0.1):
            made["pattern"] = self.dice.choice(PATTERNS)
        if self.chance(0.1):
            made["enum"] = list(self.dice.sample(WORDS, 4))
        return made

    def numeric(self, made):
        for key in ("minimum", "maximum"):
            if self.chance(0.15):
                made[key] = self.pick(0, 1, 5, -3, 1.5, 100)
        if self.chance(0.05):
            made[self.pick("exclusiveMinimum", "exclusiveMaximum")] = True
        if self.chance(0.08):
            made["multipleOf"] = self.pick(2, 0.5, 5, 0, -1)
        return made

    def a_integer(self, depth, wrong):
        return self.numeric({"type": "integer"} | ({"format": self.pick("int32", "int64")} if self.chance(0.4) else {}))

    def a_number(self, depth, wrong):
        return self.numeric({"type": "number"} | ({"format": self.pick("float", "double")} if self.chance(0.3) else {}))

    def a_boolean(self, depth, wrong):
        return {"type": "boolean"}

    def a_quantity(self, depth, wrong):
        made = {"x-kubernetes-int-or-string": True}
        if self.chance(0.3):
            made["anyOf"] = [{"type": "integer"}, {"type": "string"}]
        if self.chance(0.2):
            made["pattern"] = "^[0-9]+%?$"
        if self.chance(0.2):
            made["maximum"] = 10
        return made

    def a_any(self, depth, wrong):
        made = {"x-kubernetes-preserve-unknown-fields": True}
        if self.chance(0.5):
            made["type"] = "object"
        return made

    def a_object(self, depth, wrong):
        keys = self.dice.sample(NAMES, self.dice.randint(0, 4))
        made = {"type": "object", "properties": {key: self.schema(depth + 1, wrong) for key in keys}}
        if self.chance(0.3):
            made["required"] = self.dice.sample(keys, min(len(keys), 1)) + (["zz"] if self.chance(0.1) else [])
        if self.chance(0.1):
            made["x-kubernetes-map-type"] = self.pick("atomic", "granular")
        if self.chance(0.1):
            made["x-kubernetes-preserve-unknown-fields"] = True
        for key in ("minProperties", "maxProperties"):
            if self.chance(0.06):
                made[key] = self.pick(0, 1, 2)
        return made

    def a_embedded(self, depth, wrong):
        made = self.a_object(depth, wrong)
        for key in ("metadata", "kind"):
            made["properties"].pop(key, None)
        made["required"] = [key for key in made.get("required", []) if key not in ("metadata", "kind")]
        made["x-kubernetes-embedded-resource"] = True
        made["x-kubernetes-preserve-unknown-fields"] = True
        if self.chance(0.3):
            made["properties"]["metadata"] = {"type": "object"} | ({"properties": {"name": {"type": "string", "maxLength": 3}}} if self.chance(0.3) else {})
        return made

    def a_map(self, depth, wrong):
        made = {"type": "object", "additionalProperties": self.schema(depth + 1, wrong)}
        if self.chance(0.15):
            made["x-kubernetes-map-type"] = self.pick("atomic", "granular")
        if self.chance(0.3):
            made["maxProperties"] = self.pick(1, 2, 10)
        return made

    def a_array(self, depth, wrong):
        kind = self.pick("atomic", "set", "map", "map", None)
        made = {"type": "array"}
        if kind == "map":
            items = self.a_object(depth + 1, wrong)
            keys = self.dice.sample(("key", "name", "port"), self.dice.randint(1, 2))
            for key in keys:
                items["properties"][key] = self.pick({"type": "string"}, {"type": "integer"}, {"type": "string", "default": "a"}, {"type": "boolean"})
                if "default" not in items["properties"][key] and self.chance(0.95):
                    items.setdefault("required", [])
                    items["required"] = [*items["required"], *([key] if key not in items["required"] else [])]
            made["x-kubernetes-list-map-keys"] = keys
        elif kind == "set":
            items = self.pick({"type": "string"}, {"type": "integer"}, {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "string"}}})
        else:
            items = self.schema(depth + 1, wrong)
        made["items"] = items
        if kind:
            made["x-kubernetes-list-type"] = kind
        if self.chance(0.4):
            made["maxItems"] = self.pick(1, 2, 10)
        if self.chance(0.1):
            made["minItems"] = self.pick(0, 1)
        return made

    def values(self, schema):
        """A part of a logical keyword: validations of values only, most of the time."""
        sort = schema.get("type")
        if sort == "object" and schema.get("properties"):
            key = self.dice.choice(list(schema["properties"]))
            return self.pick({"required": [key]}, {"properties": {key: self.values(schema["properties"][key])}}, {"maxProperties": 1}, {"minProperties": 1})
        if sort == "array":
            return self.pick({"maxItems": 1}, {"minItems": 1}, {"items": self.values(schema.get("items") or {})})
        if sort == "string":
            return self.pick({"maxLength": 2}, {"pattern": "^a"}, {"enum": ["a", "b"]}, {"format": "date-time"}, {"minLength": 1})
        if sort in ("integer", "number"):
            return self.pick({"minimum": 1}, {"maximum": 5}, {"multipleOf": 2}, {"enum": [1, 2]})
        return self.pick({"minimum": 1}, {"maxLength": 1}, {"enum": [True]}, {"not": {"required": ["a"]}})

    def rule(self, schema):
        sort = schema.get("type")
        if schema.get("x-kubernetes-int-or-string"):
            texts = ["type(self) == int ? self < 5 : self == 'a'", "self == 1", "self != '5%'"]
        elif schema.get("x-kubernetes-embedded-resource"):
            texts = ["self.metadata.name.startsWith('a')", "self.kind == 'A'", "has(self.apiVersion)"]
        elif sort == "object" and schema.get("properties"):
            key = self.dice.choice(list(schema["properties"]))
            cel = key.replace("__", "__underscores__").replace("-", "__dash__").replace(".", "__dot__")
            cel = {"int": "int", "namespace": "__namespace__"}.get(cel, cel)
            texts = [f"has(self.{cel})", f"!has(self.{cel})", f"self.{cel} == self.{cel}", f"self.{cel} == oldSelf.{cel}", f"has(self.{cel}) == has(oldSelf.{cel})", "self == oldSelf"]
        elif sort == "object":
            texts = ["size(self) < 2", "self.all(k, k.size() < 3)", "self == oldSelf", "self.exists(k, self[k] == self['a'])", "'a' in self"]
        elif sort == "array":
            texts = ["size(self) < 2", "self.all(x, x == x)", "self == oldSelf", "self.exists(x, x == self[0])", "self[0] == self[1]", "self.isSorted()", "oldSelf.all(x, x in self)"]
        elif sort == "string":
            texts = ["self.size() < 3", "self == oldSelf", "self.matches('^a')", "self == 'a'", "self.startsWith('a') || self.endsWith('c')", "duration(self) > duration('1s')", "int(self) > 3"]
        elif sort in ("integer", "number"):
            texts = ["self > 3", "self == oldSelf", "self >= oldSelf", "self / 0 == 1", "self + 1 > 3", "10.0 / double(self) > 1.0"]
        elif sort == "boolean":
            texts = ["self", "!self", "self == oldSelf"]
        else:
            texts = ["true", "self == self", "has(self.a)", "false"]
        texts += ["self.nope", "1", "", " ", "self ==", "true", "false", "oldSelf.hasValue()", "!oldSelf.hasValue() || oldSelf.value() == self"]
        weights = [6] * (len(texts) - 9) + [0.05] * 5 + [1, 1, 1.5, 2]
        made = {"rule": self.dice.choices(texts, weights)[0]}
        if "oldSelf." in made["rule"] and "asValue" not in made["rule"] and ("hasValue" in made["rule"]) and self.chance(0.95):
            made["optionalOldSelf"] = True
        elif self.chance(0.1):
            made["optionalOldSelf"] = self.pick(True, False)
        if self.chance(0.3):
            made["message"] = self.pick("must be", "a\nb", "", " x ", "must hold " + "y" * 20)
        if self.chance(0.35):
            made["messageExpression"] = self.pick("'is ' + string(self)", "'no ' + string(size(self))", "'fixed'", "''", "' '", "'a\\nb'", "self", "'x' + self.nope", "string(oldSelf)", "string(1/0)", "'z' + string(self[0])")
        if self.chance(0.25):
            made["reason"] = self.pick("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
        if self.chance(0.02):
            made["reason"] = "Nope"
        if self.chance(0.25) and schema.get("properties"):
            made["fieldPath"] = "." + self.dice.choice(list(schema["properties"]))
            if self.chance(0.3):
                made["fieldPath"] = self.pick(".nope", "", "a", "['a']", ".a.b", "[0]", "." + NAMES[5], "['d-e']", "['x.y']")
        return made

    def anything(self):
        return self.pick(None, 1, "x", True, [], {}, [1], {"a": 1}, 1.5, ["a", "a"], [None], {"a": None})

    def value(self, schema, wrong=0.0, depth=0):
        """A value of a schema, with a share of wrong ones."""
        dice = self.dice
        if not isinstance(schema, dict) or self.chance(wrong):
            return self.anything()
        if schema.get("nullable") and self.chance(0.2):
            return None
        if schema.get("enum") and self.chance(0.8):
            return dice.choice(schema["enum"])
        if schema.get("x-kubernetes-int-or-string"):
            return self.pick(1, "1", "5%", 100, "a")
        if schema.get("x-kubernetes-embedded-resource"):
            made = {"apiVersion": self.pick("v1", "a/b/c", "apps/v1", ""), "kind": self.pick("A", "a b", ""), "metadata": self.pick({"name": "a"}, {"name": "A B"}, {"labels": {"a": 1}}, {}, None, {"name": "abcd", "x": 1}, {"namespace": "x", "generateName": "y"})}
            if self.chance(wrong * 3):
                made.pop(self.pick("apiVersion", "kind", "metadata"))
            return made | self.members(schema, wrong, depth)
        sort = schema.get("type")
        if sort == "object" and isinstance(schema.get("additionalProperties"), dict):
            return {self.pick("a", "b", "a b", "x/y", ""): self.value(schema["additionalProperties"], wrong, depth + 1) for _ in range(dice.randint(0, 3))}
        if sort == "object":
            return self.members(schema, wrong, depth)
        if sort == "array":
            items = [self.value(schema.get("items"), wrong, depth + 1) for _ in range(dice.randint(0, 3))]
            if schema.get("x-kubernetes-list-type") in ("set", "map") and self.chance(0.8):
                keys = schema.get("x-kubernetes-list-map-keys") or []
                seen, kept = set(), []
                for item in items:
                    key = json.dumps([item.get(each) for each in keys] if keys and isinstance(item, dict) else item, sort_keys=True)
                    if key not in seen:
                        seen.add(key)
                        kept.append(item)
                return kept
            return items
        if sort == "string":
            text = dice.choice(WORDS)
            return text[: schema["maxLength"]] if "maxLength" in schema and self.chance(0.8) else text
        if sort == "integer":
            return dice.choice([number for number in NUMBERS if isinstance(number, int)] + ([5.0] if self.chance(0.1) else []))
        if sort == "number":
            return dice.choice(NUMBERS)
        if sort == "boolean":
            return self.chance(0.5)
        return self.anything()

    def members(self, schema, wrong, depth):
        made = {}
        for key, below in (schema.get("properties") or {}).items():
            if (key in (schema.get("required") or ()) and not self.chance(wrong)) or self.chance(0.6):
                made[key] = self.value(below, wrong, depth + 1)
        if self.chance(wrong * 2) or (schema.get("x-kubernetes-preserve-unknown-fields") and self.chance(0.3)):
            made[self.pick("zz", "a", "b")] = self.anything()
        return made

    def column(self, spec):
        path = self.pick(".metadata.name", ".metadata.creationTimestamp", ".spec", ".status", ".kind", ".metadata.labels", ".metadata.labels.a\\.b", ".spec['a']", ".spec[0]",
            ".spec.*", "..a", ".spec[?(@.a==1)]", ".spec.items[*].name", ".spec.items[0]", ".spec.items[-1:]", "", "spec", "{.spec}", ".spec.a.b", ".metadata.annotations['x\\.y']",
            ".metadata.generation", ".spec.items[0:2].name", ".spec.b['a','b']", ".metadata['name','namespace']", ".spec[", ".a b")  # fmt: skip
        if spec.get("properties") and self.chance(0.5):
            path = ".spec." + self.dice.choice(list(spec["properties"]))
        made = {"name": self.pick("A", "b", "Age", "", "Name"), "type": self.pick("string", "integer", "number", "boolean", "date", "string", "date", "nope" if self.chance(0.1) else "string"), "jsonPath": path}
        if self.chance(0.2):
            made["priority"] = self.pick(0, 1, -1)
        if self.chance(0.2):
            made["format"] = self.pick("int32", "int64", "float", "double", "byte", "date", "date-time", "password", "nope")
        if self.chance(0.2):
            made["description"] = "d"
        return made

    def version(self, name, served=True, storage=True):
        spec = self.a_object(0, 0.004)
        if self.chance(0.25):
            spec["x-kubernetes-validations"] = [self.rule(spec)]
        root = {"type": "object", "properties": {"spec": spec}}
        if self.chance(0.3):
            root["properties"]["status"] = self.a_object(2, 0.0)
        if self.chance(0.2):
            root["properties"]["replicas"] = {"type": "integer"}
        if self.chance(0.1):
            root["x-kubernetes-validations"] = [self.pick({"rule": "self.metadata.name.size() < 5"}, {"rule": "has(self.spec)"}, {"rule": "self.kind == 'R'"}, {"rule": "self.metadata.labels == {}"}, {"rule": "self.metadata.generateName == ''"})]
        if self.chance(0.1):
            root["properties"]["metadata"] = self.pick({"type": "object"}, {"type": "object", "properties": {"name": {"type": "string", "maxLength": 4}}}, {"type": "object", "properties": {"name": {"type": "string", "pattern": "^o"}, "generateName": {"type": "string"}}}, {"type": "object", "properties": {"labels": {"type": "object"}}})
        if self.chance(0.1):
            root["properties"]["kind"] = {"type": "string"}
        made = {"name": name, "served": served, "storage": storage, "schema": {"openAPIV3Schema": root}}
        if self.chance(0.5):
            made["subresources"] = {}
            if self.chance(0.7):
                made["subresources"]["status"] = {}
            if self.chance(0.5):
                made["subresources"]["scale"] = {"specReplicasPath": self.pick(".spec.replicas", ".spec.a", ".status.x"), "statusReplicasPath": self.pick(".status.replicas", ".status.a", ".spec.a")}
                if self.chance(0.4):
                    made["subresources"]["scale"]["labelSelectorPath"] = self.pick(".status.selector", ".spec.a", "x")
        if self.chance(0.5):
            made["additionalPrinterColumns"] = [self.column(spec) for _ in range(self.dice.randint(1, 3))]
        if self.chance(0.3):
            keys = list(spec["properties"]) or ["a"]
            made["selectableFields"] = [{"jsonPath": self.pick(".spec." + self.dice.choice(keys), ".spec." + self.dice.choice(keys), ".metadata.name", ".spec.nope", "spec.a", "")} for _ in range(self.pick(1, 1, 2))]
        if self.chance(0.05):
            made["deprecated"] = True
            if self.chance(0.5):
                made["deprecationWarning"] = self.pick("old", "", "a\nb")
        return made

    def crd(self, number):
        group = f"r{number}.example.org"
        versions = [self.version("v1")]
        if self.chance(0.3):
            versions.append(self.version(self.pick("v2", "v1beta1", "v1alpha1"), served=self.chance(0.9), storage=False))
            if self.chance(0.5):
                versions[1]["schema"] = copy.deepcopy(versions[0]["schema"])
        names = {"plural": "rs", "singular": "r", "kind": "R", "listKind": "RList"}
        if self.chance(0.2):
            names |= {"shortNames": ["q"], "categories": ["all"]}
        made = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"rs.{group}"},
            "spec": {"group": group, "scope": self.pick("Namespaced", "Cluster"), "names": names, "versions": versions}}  # fmt: skip
        if self.chance(0.1):
            made["spec"]["preserveUnknownFields"] = self.pick(True, False)
        if self.chance(0.1):
            made["spec"]["conversion"] = self.pick({"strategy": "None"}, {"strategy": "Webhook"}, {"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}},
                {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/x"}}})  # fmt: skip
        return made


def repaired(crd, causes):
    """The CRD without the parts that a server refuses."""
    made = copy.deepcopy(crd)
    for cause in causes:
        # Members of a schema are in brackets: `properties[x.y]`.
        parts = re.findall(r"\[([^\]]*)\]|([^.\[\]]+)", cause.get("field", ""))
        steps = [int(key) if key.isdigit() else key for key in (inside or outside for inside, outside in parts)]
        # What all versions share is told as if there were one.
        shared = {"validation": ["schema"]} | {key: [key] for key in ("selectableFields", "additionalPrinterColumns", "subresources")}
        if steps[1:2] and steps[1] in shared:
            for index in range(len(made["spec"]["versions"])):
                drop(made, ["spec", "versions", index, *shared[steps[1]], *steps[2:]])
        else:
            drop(made, steps)
    return made


def drop(holder, steps):
    """Removes what is at a path, or the last part of it that is there and can go."""
    above = []
    for key in steps:
        there = isinstance(holder, dict) and key in holder or isinstance(holder, list) and isinstance(key, int) and key < len(holder)
        if not there:
            break
        above.append((holder, key))
        holder = holder[key]
    wanted = ("default", "enum", "x-kubernetes-validations", "additionalPrinterColumns", "selectableFields", "scale", "conversion", "allOf", "anyOf", "oneOf", "not", "required",
        "metadata", "x-kubernetes-list-map-keys", "deprecationWarning", "preserveUnknownFields", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format", "pattern")  # fmt: skip
    for holder, key in above:
        if key in wanted and len(above) > 1:
            holder.pop(key, None)
            return
    if len(above) > 5:
        holder, key = above[-1]
        del holder[key]


def wait_for(server, path, status):
    for _ in range(100):
        if server.ask("GET", path)[0] == status:
            return True
        time.sleep(0.05)
    return False


class Run:
    def __init__(self, both, make):
        self.both, self.make, self.dice = both, make, make.dice

    def crd(self, number, objects):
        both, make = self.both, self.make
        crd = make.crd(number)
        base = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        for _ in range(10):
            answers = both.ask("crd " + json.dumps(crd)[:3000], "POST", base + "?fieldValidation=Strict", crd)
            if answers[0][0] != 422:
                break
            crd = repaired(crd, json.loads(answers[0][1])["details"]["causes"])
        # What was refused may have been what objects are made of.
        for version in crd["spec"]["versions"]:
            version["schema"]["openAPIV3Schema"].setdefault("properties", {}).setdefault("spec", {"type": "object"})
        if any(answer[0] != 201 for answer in answers):
            return
        group = crd["spec"]["group"]
        place = "" if crd["spec"]["scope"] == "Cluster" else "/namespaces/default"
        path = f"/apis/{group}/v1{place}/rs"
        if not all([wait_for(server, path, 200) for server in both.servers]):
            both.ask(f"crd {json.dumps(crd)[:3000]} is served", "GET", path)
        time.sleep(0.15)
        both.ask(f"read {json.dumps(crd)[:3000]}", "GET", f"{base}/{crd['metadata']['name']}")
        for version in crd["spec"]["versions"]:
            both.ask("discovery", "GET", f"/apis/{group}/{version['name']}")
        self.objects(crd, path, objects)
        changed = copy.deepcopy(crd)
        # Later versions of the schema: what is stored is no longer valid everywhere.
        for version in changed["spec"]["versions"]:
            version["schema"] = copy.deepcopy(version["schema"])
            self.tighten(version["schema"]["openAPIV3Schema"]["properties"]["spec"])
        name = f"{base}/{crd['metadata']['name']}"
        answers = both.ask(f"changed {json.dumps(changed['spec'])[:3000]}", "PATCH", f"{name}?fieldValidation=Strict", {"spec": changed["spec"]}, media=verbs.MERGE)
        if all(answer[0] == 200 for answer in answers):
            time.sleep(0.6)
            self.objects(changed, path, objects // 2, created=False)
        for server in both.servers:
            server.ask("DELETE", name)

    def tighten(self, schema):
        make = self.make
        for below in list((schema.get("properties") or {}).values()):
            self.tighten(below)
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                self.tighten(schema[key])
        if make.chance(0.15):
            schema["x-kubernetes-validations"] = [make.rule(schema)]
        if schema.get("type") == "string" and make.chance(0.3):
            schema["maxLength"] = 2
        if schema.get("type") == "array" and make.chance(0.3):
            schema["maxItems"] = 1
        if schema.get("type") == "object" and schema.get("properties") and make.chance(0.2):
            schema["required"] = sorted({*schema.get("required", ()), make.dice.choice(list(schema["properties"]))})
        if schema.get("type") == "integer" and make.chance(0.3):
            schema["maximum"] = 3
        if make.chance(0.08) and "default" not in schema:
            schema["default"] = make.value(schema)
            if schema["default"] is None:
                schema["nullable"] = True

    def objects(self, crd, path, count, created=True):
        both, make, dice = self.both, self.make, self.dice
        root = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        for number in range(count):
            wrong = dice.choice((0, 0, 0.02, 0.1))
            sent = {"apiVersion": f"{crd['spec']['group']}/v1", "kind": "R", "metadata": {"name": "one"}} | {
                key: value for key, value in make.members({**root, "required": ["spec"]}, wrong, 0).items() if key not in ("kind", "metadata")
            }
            if make.chance(0.1):
                sent["metadata"] |= make.pick({"labels": {"a": "b"}}, {"annotations": {"a": 1}}, {"finalizers": ["x"]}, {"nope": 1}, {"labels": {"a.b": "c"}})
            one = path + "/one"
            validation = "&fieldValidation=" + make.pick("Strict", "Warn", "Ignore")
            dry = make.pick("", "", "&dryRun=All")
            read = [server.ask("GET", one) for server in both.servers]
            told = f"{json.dumps(root)[:2500]}\n   object {json.dumps(sent)[:1500]}\n   stored {read[0][1].decode(errors='replace')[:1500]}\n"
            if any(answer[0] != 200 for answer in read):
                both.ask(told, "POST", f"{path}?fieldManager=alpha{dry}{validation}", sent)
                continue
            manager = "?fieldManager=" + make.pick("alpha", "beta", "gamma")
            sub = make.pick("", "", "", "", "/status")
            kind = dice.random()
            stored = [json.loads(answer[1]) for answer in read]
            if kind < 0.3:
                bodies = []
                for found in stored:
                    body = copy.deepcopy(sent)
                    body["metadata"]["resourceVersion"] = found["metadata"]["resourceVersion"]
                    bodies.append(body)
                both.compare(told, f"PUT {one}{sub}", [server.ask("PUT", one + sub + manager + dry + validation, body) for server, body in zip(both.servers, bodies)])
            elif kind < 0.5:
                body = {key: value for key, value in patches.part(dice, sent, 0.7).items() if key not in ("apiVersion", "kind")}
                both.ask(told + "merge " + json.dumps(body), "PATCH", one + sub + manager + dry + validation, body, media=verbs.MERGE)
            elif kind < 0.65:
                body = patches.steps(dice, stored[0])
                if any("metadata" in step.get("path", "") or "metadata" in step.get("from", "") or step.get("from") == "" for step in body):
                    continue
                both.ask(told + "json " + json.dumps(body), "PATCH", one + sub + manager + dry + validation, body, media=verbs.JSON)
            else:
                force = make.pick("", "&force=true")
                body = patches.part(dice, sent, 0.7)
                body |= {key: sent[key] for key in ("apiVersion", "kind")}
                body["metadata"] = {"name": "one", **body.get("metadata", {})}
                both.ask(told + "apply " + json.dumps(body), "PATCH", one + sub + manager + force + dry + validation, body, media=verbs.APPLY)
        for accept in ("application/json;as=Table" + verbs.META, "application/yaml"):
            both.ask(f"{json.dumps(crd['spec']['versions'])[:4000]} as {accept}", "GET", path, accept=accept)
        for version in crd["spec"]["versions"]:
            both.ask(f"as {version['name']}", "GET", path.replace("/v1/", f"/{version['name']}/") + "/one")
            for field in version.get("selectableFields", ()):
                for text in ("a", "", "1", "true"):
                    selector = f"{field['jsonPath'][1:]}%3D{text}"
                    both.ask(f"selected {json.dumps(version)[:2000]}", "GET", f"{path.replace('/v1/', '/' + version['name'] + '/')}?fieldSelector={selector}")
        both.ask(f"{json.dumps(crd['spec']['versions'])[:3000]} scale", "GET", path + "/one/scale")
        both.ask(f"{json.dumps(crd['spec']['versions'])[:3000]} scaled", "PATCH", path + "/one/scale?fieldManager=s", {"spec": {"replicas": dice.choice((0, 1, 5, -1))}}, media=verbs.MERGE)
        if not created or make.chance(0.3):
            for server in both.servers:
                server.ask("PATCH", path + "/one", [{"op": "remove", "path": "/metadata/finalizers"}], media=verbs.JSON)
                server.ask("DELETE", path + "/one")


def main():
    both, _ = verbs.both()
    verbs.ANY_ORDER = True
    verbs.LEFT_OUT = tuple(key for key in verbs.LEFT_OUT if key not in ("generation", "description"))
    seed, count, objects = (int(os.environ.get(name, given)) for name, given in (("SEED", "1"), ("COUNT", "30"), ("OBJECTS", "40")))
    for number in range(count):
        before = both.differing()
        Run(both, Maker(random.Random(f"{seed}-{number}"))).crd(seed * 10000 + number, objects)
        if both.differing() > before:
            print(f"=== CRD {number}: {both.differing() - before} answers differ", flush=True)
    both.end()


if __name__ == "__main__":
    main()
