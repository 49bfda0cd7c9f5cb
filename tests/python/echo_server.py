"""Echo and Count on grpcio, with bytes as messages. Prints its port."""
import sys
from concurrent import futures

import grpc


def echo(request, context):
    return request


def count(request, context):
    """As many messages as the request's first byte says, each with its number."""
    for i in range(request[0]):
        yield bytes([i])


server = grpc.server(futures.ThreadPoolExecutor(16))
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Echo", {
    "Echo": grpc.unary_unary_rpc_method_handler(echo),
    "Count": grpc.unary_stream_rpc_method_handler(count),
}),))
print(server.add_insecure_port("127.0.0.1:0"))
server.start()
sys.stdin.read()
