"""Users who hold what others need: seats, memory, threads. Another user and an administrator go on meanwhile."""

import json
import socket
import threading
import time

from attacks import SECOND, Beside
from server import MAPS, OTHERS, LoadProcess, Server, fill, more_files, scaled, spread

GREEDY = OTHERS[:3]
SECRETS = "/api/v1/namespaces/default/secrets"
HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"


def case(attack, objects=200, size=500, most=700):
    """What an ordinary user and an administrator notice of an attack."""

    def check():
        more_files()
        with Server() as server:
            fill(server, objects, size)
            with Beside(server, "plain") as plain, Beside(server) as administrator:
                what = attack(server)
            busy = server.busy()
            told, is_right = plain.seen(f"{what}; then {100 * busy:.0f} % busy", most)
            p99 = spread(administrator.times)[1]
            told += f"; administrator p99 {p99:.0f} ms, errors {administrator.errors}"
            return told, is_right and busy < 0.5 and administrator.errors == 0 and p99 < 3 * SECOND

    return check


def hanging(server):
    """A webhook that accepts connections and says nothing, and three users who wait for it."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1_000)
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["secrets"]}
    hook = {"name": "hangs.example.org", "sideEffects": "None", "admissionReviewVersions": ["v1"], "timeoutSeconds": 20}
    hook |= {"rules": [rule], "clientConfig": {"url": f"https://127.0.0.1:{listener.getsockname()[1]}/"}}
    made = server.client().ask("POST", HOOKS, {"metadata": {"name": "hangs"}, "webhooks": [hook]})
    assert made[0] == 201, made
    answers = []

    def write(user, number):
        secret = {"metadata": {"name": f"{user}-{number}"}}
        answers.append(server.client(user, 120).ask("POST", SECRETS, secret)[0])

    threads = [threading.Thread(target=write, args=(user, number)) for user in GREEDY for number in range(scaled(300, 60))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    counts = {status: answers.count(status) for status in sorted(set(answers))}
    return f"{len(threads)} writes that wait: {counts}"


def silent(server):
    """Bodies that are announced and never sent."""
    count, streams = scaled(400, 40), []
    for number in range(count):
        stream = server.socket()
        user = GREEDY[number % len(GREEDY)]
        head = f"POST {SECRETS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {user}-token\r\nContent-Length: 3000000\r\n\r\n"
        stream.sendall(head.encode())
        streams.append(stream)
    time.sleep(10)
    return f"{count} bodies of 3 MB that do not come"


def slow_lists(server):
    """Lists whose answers are read slowly."""
    clients = [server.client(GREEDY[number % len(GREEDY)], 120) for number in range(scaled(50, 10))]
    [client.start("/api/v1/configmaps") for client in clients]
    time.sleep(15)
    return f"{len(clients)} lists that nobody reads"


def replays(server):
    """Watches that read everything that happened, from the beginning."""
    client = server.client("greedy")
    first = json.loads(client.get(f"{MAPS}?limit=1")[1])["metadata"]["resourceVersion"]
    body, count = {"metadata": {"name": "often"}, "data": {"k": "x" * 500}}, scaled(20_000, 500)
    client.ask("POST", MAPS, body)
    for number in range(count):
        body["data"]["n"] = str(number)
        client.ask("PUT", f"{MAPS}/often", body)
    # Clients in their own process: threads of this one would wait for those that read.
    before = spread(LoadProcess(server, "plain", 1, 8, "write").result()["times"])[1]
    seen = []

    def watch(number):
        selector = "&labelSelector=no%3Dsuch" if number % 2 else ""
        reader = server.client(GREEDY[number % len(GREEDY)], 300)
        reader.start(f"{MAPS}?watch=1&timeoutSeconds=10&resourceVersion={first}{selector}")
        seen.append(len(reader.connection.getresponse().read()))

    beside = LoadProcess(server, "other", 1, 8, "write")
    threads = [threading.Thread(target=watch, args=(number,)) for number in range(scaled(200, 20))]
    [thread.start() for thread in threads]
    during = spread(beside.result()["times"])[1]
    [thread.join() for thread in threads]
    assert during < 2 * max(before, 10), f"p99 {during:.0f} ms instead of {before:.0f}"
    return f"{len(threads)} watches of {count} events, {sum(seen) >> 20} MiB: p99 {during:.0f} ms instead of {before:.0f}"


CASES = [
    ("hanging-hooks", "others are served", case(hanging)),
    ("silent-bodies", "others are served", case(silent)),
    ("slow-lists", "others are served", case(slow_lists, objects=scaled(4_000, 500), size=5_000)),
    ("replays", "others are served", case(replays)),
]
