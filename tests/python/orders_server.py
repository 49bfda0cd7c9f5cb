"""The service of samples/Orders on grpcio, as tests/Codec.Grpc.Tests/OrdersHost.cs answers it. Prints its port."""
import sys
import threading
from concurrent import futures

import grpc

from orders import SERVICE, Order, Receipt


def act(article, context):
    """What the article asks for, beside an answer."""
    if article == "refuses":
        context.set_trailing_metadata((("reason", "sold out"),))
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "sold out")
    if article == "hangs":
        ended = threading.Event()
        if context.add_callback(ended.set):
            ended.wait()


def place(order, context):
    metadata = tuple((name, value) for name, value in context.invocation_metadata() if name.startswith("x-"))
    context.send_initial_metadata(metadata)
    context.set_trailing_metadata(metadata)
    act(order.article, context)
    return Receipt(text=f"{order.customer}: {order.count} {order.article}", count=order.count)


def watch(order, context):
    for i in range(1, order.count + 1):
        yield Receipt(text=f"{order.customer}: {i}", count=i)
    act(order.article, context)


def upload(orders, context):
    customer, count = "", 0
    for order in orders:
        act(order.article, context)
        customer, count = order.customer, count + order.count
    return Receipt(text=customer, count=count)


def chat(orders, context):
    for order in orders:
        act(order.article, context)
        yield Receipt(text=f"{order.customer}: {order.count}", count=order.count)


def method(kind, handler):
    return kind(handler, request_deserializer=Order.FromString, response_serializer=Receipt.SerializeToString)


server = grpc.server(futures.ThreadPoolExecutor(16))
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {
    "Place": method(grpc.unary_unary_rpc_method_handler, place),
    "Watch": method(grpc.unary_stream_rpc_method_handler, watch),
    "Upload": method(grpc.stream_unary_rpc_method_handler, upload),
    "Chat": method(grpc.stream_stream_rpc_method_handler, chat),
}),))
print(server.add_insecure_port("127.0.0.1:0"))
server.start()
sys.stdin.read()
