"""Makes objects up from recorded ones and sends them to a reference server.

  compare.py REFERENCE OURS CONFORMANCE NUMBER SEED

With OURS, prints how its answers differ. Without it, writes one short object for each kind of answer that refuses an object to
CONFORMANCE/validation/kinds.jsonl; with RECORD=chosen, the answers to the requests of CONFORMANCE/validation/chosen.jsonl.
"""
import collections, copy, glob, http.client, json, os, random, re, ssl, sys, urllib.parse

WORDS = ["", "a", "A", "a.b", "A.b", "a_b", "-a", "example.com/a", "example.com/a/b", "Bad!", "NoSchedule", "True", "10.0.0.1",
         "10.0.0.1/24", "2001:db8::1", "2026-01-01T00:00:00Z", "0", "1", "-1", "1Gi", "1.5", "50%", "150%", "x%", "/a", "../a",
         "/a/../b", "$(A)", "http", "TCP", "None", "Always", "http://a", "*.a.b", "*"]
NUMBERS = [-1, 0, 1, 2, 3, 100, 101, 65535, 65536, 2147483647]
LENGTHS = [63, 64, 65, 128, 129, 253, 254, 256, 257]
IDENTITY = {"name", "namespace", "resourceVersion"}
LONGEST = 850
# UIDs, addresses of services, moments, and the name of a scheme, which depends on how kube-apiserver was built.
MADE_UP = re.compile(r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+|10\.0\.0\.\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|in scheme ".*"')


def other(leaf):
    """A value at the edge of what rules allow."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return random.choice(NUMBERS)
    if isinstance(leaf, str):
        return random.choice(["a" * random.choice(LENGTHS), leaf + "x"] + random.sample(WORDS, 3))
    return [] if isinstance(leaf, list) else {}


def change(value, is_root=True):
    """Changes one place below the root."""
    if isinstance(value, dict) and value:
        key = random.choice(list(value))
        if is_root and key in ("kind", "apiVersion") or key in IDENTITY and random.random() < 0.8:
            return value
        is_leaf = not isinstance(value[key], (dict, list))
        if random.random() < (0.25 if is_leaf else 0.1):
            del value[key]
        else:
            value[key] = change(value[key], False)
        return value
    if isinstance(value, list) and value:
        if random.random() < 0.12:
            count = random.choice([0, 1, 2, 3, 9, 17, 33, 65])
            return (value * (count // len(value) + 1))[:count]
        index = random.randrange(len(value))
        value[index] = change(value[index], False)
        return value
    return other(value)


def graft(value, source, is_root=True):
    """Adds parts of another object of the kind."""
    for key, part in source.items():
        if key in IDENTITY or is_root and key in ("kind", "apiVersion", "metadata", "status"):
            continue
        if isinstance(value.get(key), dict) and isinstance(part, dict):
            graft(value[key], part, False)
        elif random.random() < (0.15 if key in value else 0.3):
            value[key] = copy.deepcopy(part)


def made_up(path, number):
    """Cases in the form of the recordings, without answers."""
    cases = [json.loads(line) for line in open(path)]
    kind = os.path.basename(path).rsplit("_", 1)[1].removesuffix(".jsonl")
    cases = [case for case in cases if isinstance(case["body"], dict) and case["body"].get("kind") == kind]
    # Generated names differ from server to server.
    cases = [case for case in cases if "generateName" not in json.dumps(case)]
    bodies = [case["body"] for case in cases if case["op"] == "CREATE"]
    for index in range(number if cases else 0):
        case = copy.deepcopy(random.choice(cases))
        case.pop("response")
        if bodies and random.random() < 0.3:
            graft(case["body"], random.choice(bodies))
        for _ in range(random.randint(1, 3)):
            case["body"] = change(case["body"])
        if case["op"] == "UPDATE" and isinstance(case["body"].get("metadata"), dict):
            case["body"]["metadata"]["name"] = case["old"]["metadata"]["name"]
        yield case


class Server:
    def __init__(self, address, fixtures):
        self.address = urllib.parse.urlsplit(address).netloc
        self.connection = None
        for fixture in fixtures:
            self.send("POST", fixture["path"], fixture["body"])

    def send(self, method, path, body=None, media="application/json"):
        for attempt in range(3):
            try:
                if self.connection is None:
                    tls = ssl._create_unverified_context()
                    self.connection = http.client.HTTPSConnection(self.address, timeout=60, context=tls)
                headers = {"Authorization": "Bearer secret", "Content-Type": media}
                self.connection.request(method, path, None if body is None else json.dumps(body), headers)
                answer = self.connection.getresponse()
                warnings = [value for key, value in answer.getheaders() if key.lower() == "warning"]
                return answer.status, json.loads(answer.read()), warnings
            except (OSError, http.client.HTTPException):
                self.connection = None
        # The reference closes the connection when a rule of it panics.
        return 0, {}, []

    def play(self, case):
        """The status, message and warnings; none if the object to update could not be made."""
        if case["op"] == "CREATE":
            return self.told(self.send("POST", case["path"], case["body"]))
        status, stored, _ = self.send("POST", case["createPath"] + "?fieldValidation=Strict", case["old"])
        target = f"{case['createPath']}/{urllib.parse.quote(str(case['old']['metadata'].get('name')))}"
        try:
            if status >= 300:
                return None
            if "oldStatus" in case:
                status, _, _ = self.send("PUT", target + "/status", case["oldStatus"])
            return self.told(self.send("PUT", case["path"], case["body"])) if status < 300 else None
        finally:
            self.send("PATCH", target, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
            self.send("DELETE", target + "?gracePeriodSeconds=0")

    @staticmethod
    def told(answer):
        status, body, warnings = answer
        return status, MADE_UP.sub("<made up>", body.get("message", "")) if status >= 400 else "", warnings


def shape(text):
    """An answer without values, so that answers by the same rule are the same."""
    return re.sub(r'"[^"]*"|\d+', "", text)


def record_chosen(reference, path):
    """Records the answers to the requests of a file again."""
    cases = [json.loads(line) for line in open(path)]
    for case in cases:
        case["status"], case["says"], case["warnings"] = reference.play(case)
    with open(path, "w") as file:
        file.writelines(json.dumps(case) + "\n" for case in cases)


def main():
    reference, ours, folder, number, seed = sys.argv[1:]
    random.seed(int(seed))
    fixtures = json.load(open(f"{folder}/builtin/fixtures.json"))
    reference = Server(reference, fixtures)
    if os.environ.get("RECORD") == "chosen":
        return record_chosen(reference, f"{folder}/validation/chosen.jsonl")
    ours = Server(ours, fixtures) if ours else None
    kept, counts = {}, collections.Counter()
    for path in sorted(glob.glob(f"{folder}/builtin/*.jsonl")):
        if "Review" in path:
            continue
        for case in made_up(path, int(number)):
            expected = reference.play(case)
            if expected is None or expected[0] in (0, 409):
                continue
            status, says, warnings = expected
            if ours is not None:
                got = ours.play(case)
                counts[got == expected] += 1
                if got != expected:
                    print(f"{case['path']} {json.dumps(case['body'])}\n  reference: {expected}\n  ours: {got}")
                continue
            text = json.dumps({key: case[key] for key in ("op", "createPath", "path", "old", "oldStatus", "body") if key in case}
                              | {"status": status, "says": says, "warnings": warnings})
            if status < 400 or "<made up>" in says or len(text) > LONGEST:
                continue
            key = (os.path.basename(path), case["op"], shape(says))
            if key not in kept or len(text) < len(kept[key]):
                kept[key] = text
    if ours is not None:
        print(f"{counts[True]} answers are equal, {counts[False]} differ")
        return
    with open(f"{folder}/validation/kinds.jsonl", "w") as file:
        file.writelines(line + "\n" for _, line in sorted(kept.items()))


main()
