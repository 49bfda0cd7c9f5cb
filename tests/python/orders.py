"""The messages of samples/Orders in Python's protobuf. First argument: the .proto file's descriptor in base64."""
import base64
import sys

from google.protobuf import descriptor_pool, message_factory

pool = descriptor_pool.DescriptorPool()
pool.AddSerializedFile(base64.b64decode(sys.argv[1]))


def message(name):
    descriptor = pool.FindMessageTypeByName(name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


Order = message("orders.Order")
Receipt = message("orders.Receipt")
SERVICE = "orders.OrderDesk"
