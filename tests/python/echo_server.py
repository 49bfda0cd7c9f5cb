"""Echo, Duplex, Collect and Expand of tests/Rpc.Tests/Peers/EchoService.cs on grpcio, with bytes as messages. Prints its port."""
import sys
from concurrent import futures

import grpc


def echo(request, context):
    return request


def duplex(requests, context):
    yield from requests


def collect(requests, context):
    sizes = [len(request) for request in requests]
    return b"%d %d" % (len(sizes), sum(sizes))


def expand(request, context):
    count, size = map(int, request.split())
    for _ in range(count):
        yield bytes(size)


server = grpc.server(futures.ThreadPoolExecutor(16))
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Echo", {
    "Echo": grpc.unary_unary_rpc_method_handler(echo),
    "Duplex": grpc.stream_stream_rpc_method_handler(duplex),
    "Collect": grpc.stream_unary_rpc_method_handler(collect),
    "Expand": grpc.unary_stream_rpc_method_handler(expand),
}),))
print(server.add_insecure_port("127.0.0.1:0"))
server.start()
sys.stdin.read()
