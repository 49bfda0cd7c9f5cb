"""grpcio as a client of the service in tests/Codec.Grpc.Tests/ForeignPeerTests.cs. Arguments: the descriptor, the address.
Prints a line for each case, and ends with 1 when one has failed."""
import sys
import traceback

import grpc

from orders import SERVICE, Order, Receipt

channel = grpc.insecure_channel(sys.argv[2], (("grpc.enable_http_proxy", 0),))


def method(kind, name):
    return kind(f"/{SERVICE}/{name}", request_serializer=Order.SerializeToString, response_deserializer=Receipt.FromString)


place = method(channel.unary_unary, "Place")
watch = method(channel.unary_stream, "Watch")
upload = method(channel.stream_unary, "Upload")
chat = method(channel.stream_stream, "Chat")


def order(customer="Ada", article="tea", count=1):
    return Order(customer=customer, article=article, count=count)


def equal(got, expected):
    assert got == expected, f"{str(got)[:200]} is not {str(expected)[:200]}"


def error_of(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call succeeded")


def refused(call):
    error = error_of(call)
    equal((error.code(), error.details()), (grpc.StatusCode.FAILED_PRECONDITION, "sold out"))
    equal(dict(error.trailing_metadata())["reason"], "sold out")


def unary():
    equal(place(order(count=3)), Receipt(text="Ada: 3 tea", count=3))


def unary_of_an_empty_message():
    equal(place(Order()), Receipt(text=": 0 "))


def unary_with_long_texts_and_the_largest_number():
    customer = "Zürich 東京 🐝 " * 10_000
    equal(place(order(customer, count=4294967295)), Receipt(text=f"{customer}: 4294967295 tea", count=4294967295))


def client_streaming():
    equal(upload(order("Bob", count=i) for i in range(1, 5)), Receipt(text="Bob", count=10))


def client_streaming_of_no_message():
    equal(upload(iter(())), Receipt())


def server_streaming():
    equal(list(watch(order(count=100))), [Receipt(text=f"Ada: {i}", count=i) for i in range(1, 101)])


def duplex():
    replies = list(chat(order("Eve", count=i) for i in range(1, 101)))
    equal(replies, [Receipt(text=f"Eve: {i}", count=i) for i in range(1, 101)])


def metadata():
    sent = (("x-text", "a b"), ("x-some-bin", b"\x00\xff\x01"))
    _, call = place.with_call(order(), metadata=sent)
    for got in (call.initial_metadata(), call.trailing_metadata()):
        equal([dict(got).get(name) for name, _ in sent], [value for _, value in sent])


def deadline_of_unary():
    equal(error_of(lambda: place(order(article="hangs"), timeout=1)).code(), grpc.StatusCode.DEADLINE_EXCEEDED)


def deadline_of_duplex():
    replies = chat(iter([order(article="hangs")]), timeout=1)
    equal(error_of(lambda: list(replies)).code(), grpc.StatusCode.DEADLINE_EXCEEDED)


def error_of_unary():
    refused(lambda: place(order(article="refuses")))


def error_of_client_streaming():
    refused(lambda: upload(iter([order(), order(article="refuses")])))


def error_of_server_streaming():
    refused(lambda: list(watch(order(article="refuses"))))


def error_of_duplex():
    replies = chat(iter([order(), order(article="refuses")]))
    equal(next(replies), Receipt(text="Ada: 1", count=1))
    refused(lambda: next(replies))


failed = 0
for case in (unary, unary_of_an_empty_message, unary_with_long_texts_and_the_largest_number, client_streaming,
             client_streaming_of_no_message, server_streaming, duplex, metadata, deadline_of_unary, deadline_of_duplex, error_of_unary,
             error_of_client_streaming, error_of_server_streaming, error_of_duplex):
    try:
        case()
        print("ok", case.__name__)
    except Exception:
        failed += 1
        print("FAILED", case.__name__, traceback.format_exc())
channel.close()
sys.exit(1 if failed else 0)
