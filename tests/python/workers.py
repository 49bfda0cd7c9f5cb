"""The messages of gRPC's benchmark protocol in Python's protobuf. First argument: descriptors in base64, with commas between."""
import base64
import math
import sys

from google.protobuf import descriptor_pool, message_factory, timestamp_pb2

pool = descriptor_pool.DescriptorPool()
pool.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)
for file in sys.argv[1].split(","):
    pool.AddSerializedFile(base64.b64decode(file))


def message(name):
    descriptor = pool.FindMessageTypeByName("grpc.testing." + name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


WORKER = "grpc.testing.WorkerService"
BENCHMARK = "grpc.testing.BenchmarkService"
ServerArgs, ServerStatus = message("ServerArgs"), message("ServerStatus")
ClientArgs, ClientStatus = message("ClientArgs"), message("ClientStatus")
CoreRequest, CoreResponse, Void = message("CoreRequest"), message("CoreResponse"), message("Void")
SimpleRequest, SimpleResponse = message("SimpleRequest"), message("SimpleResponse")

# the numbers of the protocol
ASYNC_CLIENT, ASYNC_SERVER, UNARY, STREAMING = 1, 1, 0, 1


class Histogram:
    """Bucket n holds the values from m**n to m**(n+1), for m = 1 + resolution; the first one those below m, too."""

    def __init__(self, resolution=0.01, max_possible=60e9):
        self.per_log, self.most = 1 / math.log(1 + resolution), max_possible
        self.buckets = [0] * (int(math.log(max_possible) * self.per_log) + 1)
        self.values = []

    def add(self, nanoseconds):
        self.buckets[int(math.log(min(max(nanoseconds, 1.0), self.most)) * self.per_log)] += 1
        self.values.append(nanoseconds)

    def fill(self, data):
        data.bucket.extend(self.buckets)
        data.count, data.sum = len(self.values), sum(self.values)
        data.sum_of_squares = sum(value * value for value in self.values)
        data.min_seen, data.max_seen = min(self.values, default=self.most), max(self.values, default=0)
