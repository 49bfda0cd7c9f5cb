"""grpcio as a client of the services in tests/Codec.Grpc.Tests/ServicesTests.cs: reflection (v1), health, and an error with details. The
messages are made of what the server's reflection sends. Argument: the address. Prints a line for each case."""
import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool

try:
    from google.protobuf.message_factory import GetMessageClass as message_class
except ImportError:  # protobuf before 4.22
    from google.protobuf.message_factory import MessageFactory

    message_class = MessageFactory().GetPrototype

channel = grpc.insecure_channel(sys.argv[1], (("grpc.enable_http_proxy", 0),))
pool = descriptor_pool.DescriptorPool()
loaded = set()


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The fields of a message without fixed-size numbers, for the time before there are classes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        yield tag >> 3, value


def load(files):
    parsed = [descriptor_pb2.FileDescriptorProto.FromString(file) for file in files]
    waiting = {file.name: file for file in parsed if file.name not in loaded}
    while waiting:
        ready = [file for file in waiting.values() if loaded.issuperset(file.dependency)]
        assert ready, f"imports are missing: {[file.dependency for file in waiting.values()]}"
        for file in ready:
            pool.Add(file)
            loaded.add(file.name)
            del waiting[file.name]


def message(name):
    return message_class(pool.FindMessageTypeByName(name))


def ok(name, condition, seen):
    assert condition, f"{name}: {seen}"
    print("ok", name)


# a request for the file of a symbol has field 4
symbol = b"grpc.reflection.v1.ServerReflection"
bytes_of = channel.stream_stream("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
answer = next(bytes_of(iter([bytes([4 << 3 | 2, len(symbol)]) + symbol]), timeout=300))
load([file for number, content in fields(answer) if number == 4 for _, file in fields(content)])
Request, Response = message("grpc.reflection.v1.ServerReflectionRequest"), message("grpc.reflection.v1.ServerReflectionResponse")
reflection = channel.stream_stream("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
                                   request_serializer=Request.SerializeToString, response_deserializer=Response.FromString)


def ask(**request):
    return next(reflection(iter([Request(**request)]), timeout=300))


services = [service.name for service in ask(list_services="").list_services_response.service]
ok("list", services == ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
                        "orders.OrderDesk"], services)
for name in [*services, "google.rpc.Status", "google.rpc.BadRequest.FieldViolation"]:
    load(ask(file_containing_symbol=name).file_descriptor_response.file_descriptor_proto)
ok("method", pool.FindMethodByName("orders.OrderDesk.Watch").output_type.full_name == "orders.Receipt", services)
unknown = ask(file_containing_symbol="orders.Nothing").error_response
ok("unknown symbol", unknown.error_code == grpc.StatusCode.NOT_FOUND.value[0], unknown)


def call(path, request, response, kind=channel.unary_unary):
    return kind(path, request_serializer=request.SerializeToString, response_deserializer=response.FromString)


Check, Checked = message("grpc.health.v1.HealthCheckRequest"), message("grpc.health.v1.HealthCheckResponse")
checked = call("/grpc.health.v1.Health/Check", Check, Checked)(Check(service="orders.OrderDesk"), timeout=300)
ok("health", checked.status == 1, checked)
watch = call("/grpc.health.v1.Health/Watch", Check, Checked, channel.unary_stream)(Check(), timeout=300)
ok("watch", next(watch).status == 1, "another status")
watch.cancel()
List, Listed = message("grpc.health.v1.HealthListRequest"), message("grpc.health.v1.HealthListResponse")
listed = call("/grpc.health.v1.Health/List", List, Listed)(List(), timeout=300)
ok("health of all", {name: one.status for name, one in listed.statuses.items()} == {"": 1, "orders.OrderDesk": 1}, listed)

Order, Receipt = message("orders.Order"), message("orders.Receipt")
try:
    call("/orders.OrderDesk/Place", Order, Receipt)(Order(), timeout=300)
    raise AssertionError("the call succeeded")
except grpc.RpcError as error:
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    status = message("google.rpc.Status").FromString(details)
    ok("status", (status.code, status.message) == (error.code().value[0], error.details()) == (3, "two fields are missing"), status)
    bad = message("google.rpc.BadRequest")()
    ok("detail", status.details[0].Unpack(bad) and [one.field for one in bad.field_violations] == ["customer", "article"], status)
