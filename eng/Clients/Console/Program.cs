using Grpc.Net.Client;
using Orders.SlabProtobuf;

using var channel = GrpcChannel.ForAddress(args[0]);
Console.WriteLine(await Calls.MakeAsync(new OrderDesk.OrderDeskClient(channel), hasRequestStreams: true));
