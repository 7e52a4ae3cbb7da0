"""load.py HOST PORT CA_FILE USER CLIENTS SECONDS list|write|PATH: clients in their own process, each with one connection, that ask
again and again once all are connected; each reads the answer of a path once, as fast as it comes. Prints one line of JSON: the times of the
answers, errors, and how many bytes were read of paths.

Threads of one Python process would wait for each other, and be measured instead of the server.
"""

import asyncio
import json
import os
import ssl
import sys
import time

HOST, PORT, AUTHORITY, USER, CLIENTS, SECONDS, WHAT = sys.argv[1:]
MAPS = "/api/v1/namespaces/default/configmaps"
TRUST = ssl.create_default_context(cafile=AUTHORITY)


def question(client, number):
    head = f"Host: {HOST}\r\nAuthorization: Bearer {USER}-token\r\nContent-Type: application/json\r\n"
    if WHAT == "list":
        return f"GET {MAPS} HTTP/1.1\r\n{head}\r\n".encode()
    body = json.dumps({"metadata": {"name": f"{USER}-{os.getpid()}-{client}-{number}"}, "data": {"k": "x" * 100}})
    return f"POST {MAPS} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


async def answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.split(b":")[1]))
    return int(head.split(b" ", 2)[1])


async def connect(client, places):
    async with places:
        for _ in range(5):
            try:
                return await asyncio.wait_for(asyncio.open_connection(HOST, int(PORT), ssl=TRUST), 60)
            except (OSError, asyncio.TimeoutError):
                await asyncio.sleep(0.5)
    return None


async def repeat(client, streams, end, seen):
    number = 0
    while time.monotonic() < end:
        number += 1
        start = time.monotonic()
        try:
            reader, writer = streams or await asyncio.open_connection(HOST, int(PORT), ssl=TRUST)
            streams = reader, writer
            writer.write(question(client, number))
            status = await asyncio.wait_for(answer(reader), 60)
        except Exception:
            status, streams = 0, None
        took = time.monotonic() - start
        seen["statuses"][status] = seen["statuses"].get(status, 0) + 1
        seen["times"].append(took)
        # Whoever is told to come back later does so.
        await asyncio.sleep(1 if status == 429 else 0)


async def read(client, streams, end, seen):
    """Every other client selects nothing."""
    reader, writer = streams
    path = f"{WHAT}&labelSelector=no%3Dsuch" if client % 2 else WHAT
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {USER}-token\r\n\r\n".encode())
    while time.monotonic() < end:
        try:
            part = await asyncio.wait_for(reader.read(1 << 18), max(0.01, end - time.monotonic()))
        except asyncio.TimeoutError:
            break
        seen["bytes"] += len(part)
        if not part:
            break
    writer.transport.abort()


async def main():
    places = asyncio.Semaphore(50)
    streams = await asyncio.gather(*(connect(client, places) for client in range(int(CLIENTS))))
    print("connected", sum(each is not None for each in streams), flush=True)
    seen, end = {"statuses": {}, "times": [], "bytes": 0}, time.monotonic() + float(SECONDS)
    work = read if WHAT.startswith("/") else repeat
    await asyncio.gather(*(work(client, each, end, seen) for client, each in enumerate(streams)))
    print(json.dumps(seen), flush=True)


asyncio.run(main())
