"""Requests and clients: memory, fairness, slow and stalled readers."""

import time

from server import MAPS, Load, LoadProcess, Server, config_map, fill, more_files, scaled, spread

SECOND = 1000.0


def watchers():
    """Watchers that do not read: initial objects, and old events."""
    count, objects = scaled(300, 20), scaled(20_000, 500)
    with Server() as server:
        fill(server, objects, 5_000)
        before, clients = server.rss(), []
        for number in range(count):
            client = server.client()
            client.start(f"{MAPS}?watch=1" + ("&resourceVersion=200" if number % 2 else ""))
            clients.append(client)
        time.sleep(3)
        grown = server.rss() - before
        healthy = server.client().get("/healthz")[0]
    return f"{count} watchers, {objects} objects: {grown:.0f} MiB more", grown < 120 and healthy == 200


def greedy():
    """20 clients that list everything, beside one that writes."""
    objects = scaled(100_000, 500)
    with Server() as server:
        fill(server, objects, 500)
        client = server.client()

        def listing(state, number):
            greedy = state.setdefault("client", server.client("greedy", 300))
            return greedy.get("/api/v1/configmaps")[0] in (200, 429)

        health, writes = [], []
        with Load(20, listing):
            end = time.monotonic() + max(10, 30 * scaled(1))
            number = 0
            while time.monotonic() < end:
                start = time.monotonic()
                assert client.get("/healthz")[0] == 200
                health.append(time.monotonic() - start)
                start = time.monotonic()
                assert client.ask("POST", MAPS, config_map(f"new-{number}", 100))[0] == 201
                writes.append(time.monotonic() - start)
                number += 1
        (_, health99), (_, writes99), rss = spread(health), spread(writes), server.rss()
    seen = f"{objects} objects: healthz p99 {health99:.0f} ms, writes p99 {writes99:.0f} ms, {rss:.0f} MiB"
    return seen, health99 < SECOND and writes99 < SECOND


def overload(clients):
    """One greedy user with many clients that list, beside a modest one that writes."""

    def case():
        more_files()
        count, seconds = scaled(clients, 5), 20
        with Server() as server:
            fill(server, 200, 500)
            greedy = LoadProcess(server, "greedy", count, seconds + 5, "list")
            modest = LoadProcess(server, "modest", 1, seconds, "write")
            time.sleep(seconds / 2)
            rss = server.rss()
            of_modest, of_greedy = modest.result(), greedy.result()
            rss = max(rss, server.rss())
        answered = of_greedy["statuses"].get("200", 0), of_greedy["statuses"].get("429", 0)
        errors = [sum(number for status, number in each["statuses"].items() if status not in ("200", "201", "429")) for each in (of_modest, of_greedy)]
        p50, p99 = spread(of_modest["times"])
        greedy50, greedy99 = spread(of_greedy["times"])
        seen = f"modest p50 {p50:.0f} ms, p99 {p99:.0f} ms, errors {errors[0]} of {len(of_modest['times'])}; greedy p50 {greedy50:.0f} ms, "
        seen += f"p99 {greedy99:.0f} ms, {answered[0]} answered, {answered[1]} sent away, errors {errors[1]}; {rss:.0f} MiB"
        return seen, errors[0] == 0 and set(of_modest["statuses"]) == {"201"} and p99 < 5 * SECOND and rss < 2048

    return case


def bodies():
    """Small bodies that used to take gigabytes, by a user without a role and by one who may write."""
    keys = ",".join(f'"k{number % 8000}":"v"' for number in range(16_000))
    body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{%s}}' % keys
    with Server() as server:
        before, highest = server.rss(), 0
        for user, expected in [("nobody", 403), ("modest", 400)] * scaled(10):
            status, _ = server.client(user).ask("POST", MAPS, body)
            highest = max(highest, server.rss())
            assert status in (expected, 201, 409), status
    return f"{len(body) // 1024} KiB bodies: {highest - before:.0f} MiB more", highest - before < 200


def slow_headers():
    """Connections that send half a request."""
    more_files()
    count = scaled(1_000, 50)
    with Server() as server:
        sockets = []
        for _ in range(count):
            stream = server.socket()
            stream.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
            sockets.append(stream)
        start = time.monotonic()
        assert server.client().get("/healthz")[0] == 200
        took = 1000 * (time.monotonic() - start)
        # The last one has waited least.
        sockets[-1].settimeout(60)
        sockets[-1].recv(100)
        waited = time.monotonic() - start
        [stream.close() for stream in sockets]
    return f"{count} connections: healthz {took:.0f} ms, cut after {waited:.0f} s", took < 2 * SECOND and 25 < waited < 50


CASES = [
    ("watchers", "megabytes", watchers),
    ("greedy", "p99 below a second", greedy),
    ("overload-20", "modest user below 5 s, no error", overload(20)),
    ("overload-200", "modest user below 5 s, no error", overload(200)),
    ("overload-2000", "modest user below 5 s, no error", overload(2000)),
    ("bodies", "200 MiB", bodies),
    ("slow-headers", "cut after 32 s", slow_headers),
]
