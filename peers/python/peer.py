"""Reads, writes and makes messages with python3-protobuf. The form of the requests and answers is that of all programs: peers/dotnet/Peer.cs has
it."""
import importlib
import json
import os
import sys
import time

import google.protobuf
from google.protobuf.internal import api_implementation


def nanoseconds(work, seconds):
    start, operations, batch = time.process_time(), 0, 1
    while True:
        for _ in range(batch):
            work()
        operations += batch
        used = time.process_time() - start
        if used >= seconds:
            return used * 1e9 / operations
        if used < seconds / 20:
            batch *= 2


def load(folder, name):
    for line in open(os.path.join(folder, "sets.txt")):
        known, message, proto = line.split()
        if known == name:
            module = importlib.import_module(proto.removesuffix(".proto").replace("/", ".") + "_pb2")
            return getattr(module, message.split(".")[-1])


def maker(name, create, values):
    """The values are those of another message, as Python's own."""
    if name == "Hive":
        trace, context = values.traceId, values.requestContextInfo
        items = [(item.itemId, item.itemContext) for item in values.itemRequests]

        def make():
            made = create(traceId=trace, requestContextInfo=context)
            for item_id, item_context in items:
                made.itemRequests.add(itemId=item_id, itemContext=item_context)
            return made.SerializeToString()
        return make
    if name == "Search":
        answer = {"query_id": values.query_id, "total": values.total, "page": values.page, "facets": dict(values.facets),
                  "milliseconds": values.milliseconds, "next_page": values.next_page if values.HasField("next_page") else None}
        hits = [(hit.id, hit.title, hit.snippet, hit.score, list(hit.tags), dict(hit.attributes),
                 hit.cents if hit.HasField("cents") else None, hit.on_request if hit.HasField("on_request") else None,
                 hit.thumbnail_hash, hit.in_stock) for hit in values.hits]

        def make():
            made = create(**answer)
            # None is a field that is not set
            for hit, title, snippet, score, tags, attributes, cents, on_request, thumbnail_hash, in_stock in hits:
                made.hits.add(id=hit, title=title, snippet=snippet, score=score, tags=tags, attributes=attributes, cents=cents,
                              on_request=on_request, thumbnail_hash=thumbnail_hash, in_stock=in_stock)
            return made.SerializeToString()
        return make
    plain = {field.name: value for field, value in values.ListFields() if field.message_type is None}
    placed, total, address = ({field.name: value for field, value in inner.ListFields()}
                              for inner in (values.placed, values.total, values.address))
    return lambda: create(placed=placed, total=total, address=address, **plain).SerializeToString()


def equal(name, message, written, wire):
    # a map has no order in this library, so a set with maps is compared after it is read
    return written == wire or name == "Search" and len(written) == len(wire) and type(message).FromString(written) == message


def main():
    last = None
    for request in sys.stdin:
        name, verb, seconds, warm_up = request.split()
        if last != (name, verb):
            last = (name, verb)
            wire = open(os.path.join(sys.argv[1], name + ".bin"), "rb").read()
            create = load(sys.argv[1], name)
            message = create.FromString(wire)
            same = equal(name, message, message.SerializeToString(), wire)
            ways = {"string": message.SerializeToString}
            if verb == "make":
                ways = {"string": maker(name, create, message)}
                same = equal(name, message, ways["string"](), wire)
            if verb == "read":
                ways = {"fresh": lambda: create.FromString(wire), "reused": lambda: message.ParseFromString(wire)}
            for work in ways.values():
                nanoseconds(work, float(warm_up))
        for way, work in ways.items():
            line = {"library": "Python", "version": f"{google.protobuf.__version__} ({api_implementation.Type()})", "way": way,
                    "set": name, "verb": verb, "bytes": len(wire), "ns": nanoseconds(work, float(seconds))}
            print(json.dumps(line if same else line | {"why": "writes other bytes"}))
        print(flush=True)


main()
