"""A driver in grpcio for workers of another language, written from the protocol. Arguments: the descriptors, the address of a worker that is
to be a server, and that of one that is to be a client. Prints a line for each scenario, and ends with 1 when one has failed."""
import queue
import sys
import time
import traceback

import grpc

from workers import (ASYNC_CLIENT, ASYNC_SERVER, STREAMING, UNARY, WORKER, ClientArgs, ClientStatus, CoreRequest, CoreResponse, Histogram,
                     ServerArgs, ServerStatus, Void)

PATIENCE = 300


class Stream:
    """A call with marks: one status for each message, and none after the half-close."""

    def __init__(self, channel, name, args, status):
        self.args, self.messages = args, queue.Queue()
        method = channel.stream_stream(f"/{WORKER}/{name}", request_serializer=args.SerializeToString,
                                       response_deserializer=status.FromString)
        self.statuses = method(iter(self.messages.get, None), timeout=PATIENCE)

    def ask(self, **message):
        self.messages.put(self.args(**message))
        return next(self.statuses)

    def mark(self, reset=True):
        return self.ask(mark={"reset": reset})

    def end(self):
        self.messages.put(None)
        left = list(self.statuses)
        assert not left, f"{len(left)} statuses after the half-close"
        assert self.statuses.code() == grpc.StatusCode.OK, self.statuses.code()


def channel_to(address):
    return grpc.insecure_channel(address, (("grpc.enable_http_proxy", 0), ("grpc.max_receive_message_length", -1)))


servers, clients = channel_to(sys.argv[2]), channel_to(sys.argv[3])


def scenario(rpc_type, load, server_config, payload):
    server = Stream(servers, "RunServer", ServerArgs, ServerStatus)
    status = server.ask(setup=server_config)
    assert 0 < status.port < 65536 and status.cores > 0, status
    client = Stream(clients, "RunClient", ClientArgs, ClientStatus)
    client.ask(setup={
        "server_targets": [f"127.0.0.1:{status.port}"], "client_type": ASYNC_CLIENT, "client_channels": 2,
        "outstanding_rpcs_per_channel": 3, "rpc_type": rpc_type, "load_params": load, "payload_config": payload,
        "histogram_params": {"resolution": 0.01, "max_possible": 60e9},
    })
    client.mark()
    server.mark()
    client.mark()
    deadline = time.monotonic() + PATIENCE
    while client.mark(reset=False).stats.latencies.count < 100:
        assert time.monotonic() < deadline, "fewer than 100 calls"
    stats = client.mark().stats
    client.end()
    final = server.mark().stats
    server.end()
    assert len(stats.latencies.bucket) == len(Histogram().buckets)
    assert sum(stats.latencies.bucket) == stats.latencies.count >= 100
    assert 0 < stats.latencies.min_seen <= stats.latencies.sum / stats.latencies.count <= stats.latencies.max_seen
    edge = Histogram()
    edge.add(stats.latencies.min_seen)
    assert stats.latencies.bucket[edge.buckets.index(1)] > 0, "the shortest latency is in another bucket"
    assert {result.status_code: result.count for result in stats.request_results} == {0: int(stats.latencies.count)}
    assert stats.time_elapsed > 0 and final.time_elapsed > 0 and final.time_user + final.time_system > 0


simple = {"simple_params": {"req_size": 10, "resp_size": 100}}
generic = {"bytebuf_params": {"req_size": 10, "resp_size": 100}}
closed, poisson = {"closed_loop": {}}, {"poisson": {"offered_load": 1000}}
plain = {"server_type": ASYNC_SERVER}
raw = {"server_type": 2, "payload_config": generic}

failed = 0
for name, case in {
        "unary, closed loop": (UNARY, closed, plain, simple),
        "unary, Poisson": (UNARY, poisson, plain, simple),
        "streaming, closed loop": (STREAMING, closed, plain, simple),
        "generic streaming, closed loop": (STREAMING, closed, raw, generic),
        "generic streaming, Poisson": (STREAMING, poisson, raw, generic),
        "from client": (2, closed, plain, simple),
        "from server": (3, closed, plain, simple),
        "both ways": (4, closed, plain, simple)}.items():
    try:
        scenario(*case)
        print("ok", name)
    except Exception:
        failed += 1
        print("FAILED", name, traceback.format_exc())


def unary(channel, name, request, response):
    return channel.unary_unary(f"/{WORKER}/{name}", request_serializer=request.SerializeToString,
                               response_deserializer=response.FromString)(request(), timeout=PATIENCE)


print("cores", unary(clients, "CoreCount", CoreRequest, CoreResponse).cores)
for quitting in (servers, clients):
    unary(quitting, "QuitWorker", Void, Void)
print("quit")
sys.exit(1 if failed else 0)
