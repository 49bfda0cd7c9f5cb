using System.Buffers;

namespace ProtoBench.Rpc.Tests;

/// <summary>A handler that answers with its own request: one message, one owner, one release.</summary>
public class OwnershipTests
{
    public static TheoryData<string, string> Codecs =>
        [.. RpcTransports.All.SelectMany(stack => new[] { (stack.Name, "raw"), (stack.Name, "slab") })];

    [Theory]
    [MemberData(nameof(Codecs))]
    public Task A_request_that_is_returned_is_released_once(string stack, string codec) => codec == "raw"
        ? EchoAsync(stack, new RawMarshaller(), body => new RawMessage(body), message => message.Bytes.ToArray())
        : EchoAsync(stack, new SlabMarshaller<ProtoBench.SlabProtobuf.Echo>(), Message, message => message.Value.Body.ToArray());

    [Theory, Stacks]
    public Task A_part_of_a_request_that_is_returned_is_released_once(string stack) =>
        EchoAsync(
            stack,
            new RawMarshaller(),
            body => new RawMessage((byte[])[0, .. body]),
            message => message.Bytes.ToArray(),
            request => new(request.Bytes[1..], request.Slice));

    static Codec.Message<ProtoBench.SlabProtobuf.Echo> Message(byte[] body)
    {
        var message = ProtoBench.SlabProtobuf.Echo.Rent();
        message.Value.SetBody(body);
        return message;
    }

    static async Task EchoAsync<T>(string stack, Marshaller<T> marshaller, Func<byte[], T> create, Func<T, byte[]> body,
        Func<T, T>? answer = null)
    {
        const int calls = 500;
        var host = new Counting<T>(marshaller);
        var client = new RpcMethod<T, T>("/test.Contract/Echo", marshaller, marshaller);
        await using var fixture =
            await TransportFixture.StartAsync(stack,
                [RpcHandler.Unary(client with { Request = host, Response = host }, async (request, _) =>
        {
            await Task.Yield();
            return answer is null ? request : answer(request);
        })]);
        await Parallel.ForEachAsync(Enumerable.Range(1, calls), new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (i, _) =>
        {
            var bytes = new byte[i * 37 % 5_000];
            new Random(i).NextBytes(bytes);
            var request = create(bytes);
            var response = await fixture.Client.UnaryAsync(client, request, null, CancellationToken.None);
            Assert.Equal(bytes, body(response));
            marshaller.Release(response);
            marshaller.Release(request);
        });
        await TransportFixture.UntilAsync(() => host.Released >= calls);
        Assert.Equal((calls, calls), (host.ReadSoFar, host.Released));
    }

    sealed class Counting<T>(Marshaller<T> inner) : Marshaller<T>
    {
        int read;
        int released;

        public int ReadSoFar => Volatile.Read(ref read);

        public int Released => Volatile.Read(ref released);

        public override bool Recycles => true;

        public override bool IsSame(T one, T other) => inner.IsSame(one, other);

        public override int Measure(T message) => inner.Measure(message);

        public override void Write(T message, int size, IBufferWriter<byte> output) => inner.Write(message, size, output);

        public override T Read(in ReadOnlySequence<byte> payload)
        {
            Interlocked.Increment(ref read);
            return inner.Read(payload);
        }

        public override void Release(T message)
        {
            Interlocked.Increment(ref released);
            inner.Release(message);
        }
    }
}
