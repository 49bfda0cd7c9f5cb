// Reads, writes and makes messages with protobufjs and @bufbuild/protobuf. The form of the requests and answers is that of all programs:
// peers/dotnet/Peer.cs has it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import protobufjs from "protobufjs";

const here = dirname(fileURLToPath(import.meta.url)), folder = process.argv[2];
const version = (name) => JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"))).version;
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(here, "descriptors"))));
const lines = readFileSync(join(folder, "sets.txt"), "utf8").trim().split("\n");
const sets = new Map(lines.map((line) => [line.split(" ")[0], line.split(" ")]));
let result;

/** Processor time of the process, with that of the collector and of the JIT. */
function nanoseconds(work, seconds) {
  const start = process.cpuUsage();
  for (let operations = 0, batch = 1; ;) {
    for (let i = 0; i < batch; i++) result = work();
    operations += batch;
    const used = process.cpuUsage(start), all = (used.user + used.system) / 1e6;
    if (all >= seconds) return (all * 1e9) / operations;
    if (all < seconds / 20) batch *= 2;
  }
}

// The values are those of another message, which is an object.
const makers = {
  Hive: ({ traceId, itemRequests, requestContextInfo }) => ({
    traceId, itemRequests: itemRequests.map(({ itemId, itemContext }) => ({ itemId, itemContext })), requestContextInfo,
  }),
  Order: ({ orderId, state, placed, customerId, customerName, total, address, items, gift, note }) => ({
    orderId, state, placed: { seconds: placed.seconds, nanos: placed.nanos }, customerId, customerName,
    total: { currency: total.currency, units: total.units, nanos: total.nanos },
    address: { street: address.street, city: address.city, postalCode: address.postalCode, country: address.country }, items, gift, note,
  }),
  Search: ({ queryId, total, page, hits, facets, milliseconds, nextPage }, isEs) => ({
    queryId, total, page, hits: hits.map(isEs ? esHit : jsHit), facets, milliseconds, nextPage,
  }),
};

// A oneof is the name of its field in one library, and the name with the value in the other.
function jsHit({ id, title, snippet, score, tags, attributes, price, cents, onRequest, thumbnailHash, inStock }) {
  const hit = { id, title, snippet, score, tags, attributes, thumbnailHash, inStock };
  if (price === "cents") hit.cents = cents;
  else if (price === "onRequest") hit.onRequest = onRequest;
  return hit;
}

function esHit({ id, title, snippet, score, tags, attributes, price, thumbnailHash, inStock }) {
  return { id, title, snippet, score, tags, attributes, price: { case: price.case, value: price.value }, thumbnailHash, inStock };
}

function ways(set, verb, wire) {
  const [, type, proto] = sets.get(set);
  const js = protobufjs.loadSync(join(here, "protos", proto)).lookupType(type);
  const es = registry.getMessage(type);
  const [jsMessage, esMessage] = [js.decode(wire), fromBinary(es, wire)];
  const make = makers[set];
  const libraries = [
    ["protobufjs", version("protobufjs"), () => js.decode(wire),
      verb === "make" ? () => js.encode(make(jsMessage, false)).finish() : () => js.encode(jsMessage).finish()],
    ["protobuf-es", version("@bufbuild/protobuf"), () => fromBinary(es, wire),
      verb === "make" ? () => toBinary(es, create(es, make(esMessage, true))) : () => toBinary(es, esMessage)],
  ];
  return libraries.map(([library, libraryVersion, read, write]) => ({
    library, version: libraryVersion, way: verb === "read" ? "fresh" : "array", set, verb, bytes: wire.length,
    why: wire.equals(write()) ? undefined : "writes other bytes", work: verb === "read" ? read : write,
  }));
}

let last, known;
for await (const request of createInterface({ input: process.stdin })) {
  const [set, verb, seconds, warmUp] = request.split(" ");
  if (last !== set + verb) {
    last = set + verb;
    known = ways(set, verb, readFileSync(join(folder, set + ".bin")));
    for (const { work } of known) nanoseconds(work, Number(warmUp));
  }
  for (const { work, ...line } of known) console.log(JSON.stringify({ ...line, ns: nanoseconds(work, Number(seconds)) }));
  console.log();
}
