using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using Depot;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Reflection.V1;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Codec.Grpc;
using ProtoBench.Codec.Grpc.Errors;
using ProtoBench.Codec.Grpc.Health;
using ProtoBench.Codec.WellKnownTypes;

// Each allocator, every construct of the codec and a gRPC service with its client, in native code. What does not hold ends the program with
// an exception.
using var pool = SlabPool.Create(new() { Name = "native" });
using (var arena = new Arena(pool)) arena.Rent(100).Fill(1);
using (var slices = new SliceAllocator(pool)) slices.Rent(100).Release();
using (var list = new PooledList<int>()) list.Add(1);

using var built = Message<Parcel>.Rent(pool);
var parcel = built.Value;
parcel.SetTo("Ada");
var item = parcel.AddItems();
item.SetName("tea");
item.SetPicture([1, 2, 3]);
parcel.SetLabels("fragile", 1);
parcel.SetLabels("left", 2);
parcel.MutableSent().Set(DateTime.UnixEpoch.AddDays(20_000));
parcel.SetFloor(-1);
parcel.AddWeights([-5, 7]);
parcel.SetFragile(false);
parcel.MutableBarter().MergeFrom(item);
parcel.SetSize(Parcel.Types.Size.Large);

using var output = new SlabBufferWriter(pool);
built.WriteTo(output);
using var copied = Parcel.Rent();
using var aliased = Parcel.Rent();
using var piped = Parcel.Rent();
var one = copied.Parse(output.GetWrittenSequence());
var bytes = output.GetWrittenSequence().ToArray();
var two = aliased.ParseAlias(bytes);
var three = await piped.ParseAsync(PipeReader.Create(new ReadOnlySequence<byte>(bytes)));
Check(one == parcel && two == parcel && three == parcel);
Check(one.GetHashCode() == parcel.GetHashCode());
Check(one.TryGetLabels("left", out var left) && left == 2);
Check(one.HasSent && one.Sent.ToDateTime() == DateTime.UnixEpoch.AddDays(20_000));
Check(one.Floor == -1 && one.HasFragile && one.PaidCase == Parcel.PaidOneofCase.Barter);
Check(one.ToString().Contains("SIZE_LARGE", StringComparison.Ordinal));
try
{
    copied.Parse([0x0A, 5]);
    Check(false);
}
catch (WireFormatException e)
{
    Check(e.Offset > 0);
}

Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"the codec holds: {bytes.Length} bytes"));

var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
builder.Services.AddGrpc().AddSlabMessages();
builder.Services.AddSlabReflection().AddSlabHealthChecks();
await using var app = builder.Build();
app.MapGrpcService<PostService>();
app.MapSlabReflectionService();
app.MapSlabHealthChecksService();
await app.StartAsync();
using var channel = GrpcChannel.ForAddress(app.Urls.Single());
var client = new Post.PostClient(channel);
using (var reply = await client.SendAsync(built)) Check(reply.Value == parcel);
using (var collect = client.Collect())
{
    collect.RequestStream.Next.CopyFrom(parcel);
    await collect.RequestStream.WriteAsync();
    await collect.RequestStream.CompleteAsync();
    using var reply = await collect;
    Check(reply.Value == parcel);
}

using (var split = client.Split(built))
    await foreach (var reply in split.ResponseStream.ReadAllAsync()) Check(reply == parcel);
using (var pass = client.Pass())
{
    pass.RequestStream.Next.CopyFrom(parcel);
    await pass.RequestStream.WriteAsync();
    await pass.RequestStream.CompleteAsync();
    await foreach (var reply in pass.ResponseStream.ReadAllAsync()) Check(reply == parcel);
}

using (var whole = HealthCheckRequest.Rent())
using (var health = await new Health.HealthClient(channel).CheckAsync(whole))
    Check(health.Value.Status == HealthCheckResponse.Types.ServingStatus.Serving);
using (var reflection = new ServerReflection.ServerReflectionClient(channel).ServerReflectionInfo())
{
    reflection.RequestStream.Next.SetFileContainingSymbol("depot.Post");
    await reflection.RequestStream.WriteAsync();
    Check(await reflection.ResponseStream.MoveNext(default));
    Check(reflection.ResponseStream.Current.FileDescriptorResponse.FileDescriptorProto.Count == 3); // and two imports
}

try
{
    using var nobody = Parcel.Rent();
    using var refused = await client.SendAsync(nobody);
    Check(false);
}
catch (RpcException e)
{
    using var status = e.GetRpcStatus();
    using var bad = BadRequest.Rent();
    Check(status?.Value.TryGetDetail(bad) == true && bad.Value.FieldViolations[0].Field == "to");
}

await app.StopAsync();
Console.WriteLine("the service holds");

static void Check(bool holds)
{
    if (!holds) throw new UnreachableException("The codec does something else in native code.");
}

[SuppressMessage("Performance", "CA1812", Justification = "grpc-dotnet instantiates it")]
sealed class PostService : Post.PostBase
{
    public override ValueTask Send(Parcel request, Parcel reply, ServerCallContext context)
    {
        if (request.To.Length == 0)
            throw RpcError.Create(StatusCode.InvalidArgument, "nobody", status =>
                status.AddDetail<BadRequest>(bad => bad.AddFieldViolations().SetField("to")));
        reply.CopyFrom(request);
        return default;
    }

    public override async ValueTask Collect(SlabStreamReader<Parcel> requests, Parcel reply, ServerCallContext context)
    {
        await foreach (var request in requests.ReadAllAsync(context.CancellationToken)) reply.CopyFrom(request);
    }

    public override async Task Split(Parcel request, SlabStreamWriter<Parcel> replies, ServerCallContext context)
    {
        replies.Next.CopyFrom(request);
        await replies.WriteAsync(context.CancellationToken);
    }

    public override async Task Pass(SlabStreamReader<Parcel> requests, SlabStreamWriter<Parcel> replies, ServerCallContext context)
    {
        await foreach (var request in requests.ReadAllAsync(context.CancellationToken))
        {
            replies.Next.CopyFrom(request);
            await replies.WriteAsync(context.CancellationToken);
        }
    }
}
